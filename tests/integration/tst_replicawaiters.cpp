// SPDX-License-Identifier: Apache-2.0
#include "locks/lockkeys.h"
#include "monitor/format/watchingwords.h"
#include "redis/sockettransport.h"
#include "support/clustersetup.h"
#include "support/exitcodes.h"
#include "support/leastrights.h"
#include "support/monitorprobe.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/testprogram.h"
#include "topology/route.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace tst_replicawaiters {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;

namespace {

// Time for two counts, 10 s or more apart, and for the question for the replicas before them.
constexpr int proofTime = 30000;
const QString announced = QStringLiteral("10.99.99.99");

// A connection that waits as a waiter of a fair lock does: subscribed to its own channel.
class Subscriber {
public:
    Subscriber(const redis::ConnectionOptions& options, const QByteArray& lock, const HolderId& waiter)
        : m_connection(
              named(options), [options] { return redis::makeSocketTransport(options.endpoint); }, m_clock) {
        m_connection.open();
        if (QTest::qWaitFor([this] { return m_connection.isReady(); }))
            m_connection.send(redis::Command("SUBSCRIBE", {locks::LockKeys(LockName(lock)).fairWaiterChannel(waiter)}));
    }

private:
    // The name distinguishes the connection from the monitor's.
    static redis::ConnectionOptions named(redis::ConnectionOptions options) {
        options.clientName = "waiter";
        return options;
    }

    SystemClock m_clock;
    redis::Connection m_connection;
};

}  // namespace

// Waiters of fair locks beside replicas, where old clients may be subscribed: who is dead, and who is not.
class TestReplicaWaiters : public QObject {
    Q_OBJECT

private:
    // The master lists the replica at an address that nobody can reach.
    void startReplica(const QStringList& more = {}) {
        m_replica = std::make_unique<RedisServer>(QStringList{"--repl-diskless-sync-delay", "0", "--replicaof",
                                                              "127.0.0.1 " + QString::number(m_master->port())} +
                                                  more);
        QVERIFY(m_replica->start());
        QTRY_VERIFY(m_master->cli({"INFO", "replication"}).contains(QStringLiteral("state=online")));
    }
    // The lock is held by alice, with these waiters in its queue.
    void queueUp(const QList<HolderId>& waiters) { queueUp(*m_master, waiters); }
    static void queueUp(RedisServer& server, const QList<HolderId>& waiters) {
        ServerHand hand(server);
        hand.take("F", alice, 600000);
        for (const HolderId& waiter : waiters)
            hand.queueUp("F", waiter);
    }
    redis::ConnectionOptions leastOptions() {
        for (RedisServer* server : {m_master.get(), m_replica.get()})
            server->cli(QStringList{"ACL", "SETUSER", "watcher"} + leastRights(*server));
        redis::ConnectionOptions options = m_master->tcpOptions();
        options.credentials = {"watcher", "pw"};
        options.access = redis::AccessMode::ReadOnly;
        return options;
    }
    QString monitorsAtReplica() {
        return m_replica->cli({"CLIENT", "LIST"}).contains("name=lockkeeper") ? "connected" : "none";
    }
    std::unique_ptr<QProcess> removal(const HolderId& waiter, const QString& seconds) {
        auto process = std::make_unique<QProcess>();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("XDG_DATA_HOME"), m_data.path());
        process->setProcessEnvironment(environment);
        process->setStandardInputFile(QProcess::nullDevice());
        process->start(places::program(), {"force-release", m_master->url(), "F", "--waiter", waiter.display(),
                                           "--reason", "crashed", "--confirm", "F", "--wait", seconds});
        return process;
    }
    static int exitCode(const QProcess& process) {
        return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    }

    std::unique_ptr<RedisServer> m_master;
    std::unique_ptr<RedisServer> m_replica;
    QTemporaryDir m_data;
    SystemClock m_clock;

private Q_SLOTS:
    void init() {
        m_master = std::make_unique<RedisServer>(QStringList{"--repl-diskless-sync-delay", "0"});
        QVERIFY(m_master->start());
    }
    void cleanup() {
        m_replica.reset();
        m_master.reset();
    }

    // Uses the least rights, and the address that leads to the replica from here.
    void whoIsSubscribedAtTheReplicaLives() {
        startReplica({"--replica-announce-ip", announced});
        queueUp({bob, carol});
        const Subscriber there(m_replica->tcpOptions(), "F", carol);
        topology::Deployment deployment;
        deployment.addresses.insert({announced, 0}, {QStringLiteral("127.0.0.1"), 0});
        const redis::ConnectionOptions options = leastOptions();
        const topology::Route route(deployment, options, m_clock);
        MonitorProbe probe(route, options);
        QTRY_VERIFY_WITH_TIMEOUT(probe.monitor().provesDead(LockName("F"), bob), proofTime);
        QVERIFY(!probe.monitor().provesDead(LockName("F"), carol));
        QCOMPARE(denialLines(probe.stats.denied), QStringList());
        // All other clients that only the replica knows have ended.
        QCOMPARE(monitorsAtReplica(), "connected");
        m_master->cli({"DEL", "redisson_lock_queue:{F}", "redisson_lock_timeout:{F}"});
        QTRY_COMPARE(monitorsAtReplica(), "none");
    }

    void withoutACandidateNoReplicaIsAsked() {
        startReplica();
        queueUp({carol});
        const Subscriber here(m_master->tcpOptions(), "F", carol);
        const redis::ConnectionOptions options = leastOptions();
        const topology::Route route({}, options, m_clock);
        const int before = ServerHand(*m_replica).connectionsReceived();
        MonitorProbe probe(route, options);
        for (int sweep = 0; sweep < 3; ++sweep)
            QVERIFY(probe.waitForSweep());
        QCOMPARE(probe.row("F")->lock.fairQueue.size(), 1);
        QCOMPARE(ServerHand(*m_replica).connectionsReceived(), before + 1);  // the connection of that question
    }

    void aReplicaThatCannotBeReachedProvesNothing() {
        startReplica({"--replica-announce-ip", "127.0.0.1", "--replica-announce-port", "1"});
        queueUp({bob});
        const topology::Route route({}, m_master->tcpOptions(), m_clock);
        MonitorProbe probe(route, m_master->tcpOptions());
        QTRY_COMPARE(denialLines(probe.stats.denied),
                     QStringList{"replica: is not asked who waits, so no waiter of a fair lock is proven "
                                 "dead: Connection refused (on 127.0.0.1:1)"});
        // A monitor that has begun later knows the same waiter for dead, at a server without replicas.
        RedisServer alone;
        QVERIFY(alone.start());
        queueUp(alone, {bob});
        MonitorProbe other(alone.options());
        QTRY_VERIFY_WITH_TIMEOUT(other.monitor().provesDead(LockName("F"), bob), proofTime);
        QVERIFY(!probe.monitor().provesDead(LockName("F"), bob));
    }

    void theCommandRemovesWhoIsDeadOnly() {
        startReplica();
        queueUp({bob, carol});
        const Subscriber there(m_replica->tcpOptions(), "F", carol);
        const auto living = removal(carol, QStringLiteral("20"));
        const auto dead = removal(bob, QStringLiteral("60"));
        QTRY_COMPARE_WITH_TIMEOUT(dead->state(), QProcess::NotRunning, proofTime);
        QCOMPARE(exitCode(*dead), 0);
        QCOMPARE(m_master->cli({"LRANGE", "redisson_lock_queue:{F}", "0", "-1"}), carol.display());
        QTRY_COMPARE_WITH_TIMEOUT(living->state(), QProcess::NotRunning, proofTime);
        QCOMPARE(exitCode(*living), exitcode::refused);
        QCOMPARE(m_master->cli({"LRANGE", "redisson_lock_queue:{F}", "0", "-1"}), carol.display());
    }

    // A plain channel may be subscribed to on any server of a Cluster.
    void inAClusterTheReplicasOfAllShardsAreAsked() {
        ClusterSetup cluster(3, 1);
        QVERIFY(cluster.start());
        const QByteArray name = cluster.keyOn(0, "F");
        ServerHand hand(cluster.master(0));
        hand.take(QString::fromLatin1(name), alice, 600000);
        for (const HolderId& waiter : {bob, carol})
            hand.queueUp(QString::fromLatin1(name), waiter);
        const Subscriber there(cluster.replica(1).tcpOptions(), name, carol);
        topology::Deployment deployment;
        deployment.cluster = {*topology::Address::parse(cluster.address(0), 6379)};
        redis::ConnectionOptions options;
        options.access = redis::AccessMode::ReadOnly;
        const topology::Route route(deployment, options, m_clock);
        MonitorProbe probe(route, options);
        QTRY_VERIFY_WITH_TIMEOUT(probe.monitor().provesDead(LockName(name), bob), 2 * proofTime);
        QVERIFY(!probe.monitor().provesDead(LockName(name), carol));
    }
};

LOCKKEEPER_TEST(TestReplicaWaiters, Guiless)

}  // namespace tst_replicawaiters

#include "tst_replicawaiters.moc"
