// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/monitor.h"
#include "support/fakeroute.h"
#include "support/lockreplies.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_deadwaiters {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const LockName theLock("F");

QByteArray channelOf(const HolderId& waiter) {
    return "redisson_lock__channel:{F}:" + waiter.bytes();
}

// The answer of read_lock.lua for a fair lock that alice holds.
QByteArray fairReply(const QByteArrayList& queue) {
    QByteArrayList deadlines;
    for (const QByteArray& waiter : queue)
        deadlines << waiter << "1700000300123";
    return "*8\r\n" + list({alice.bytes(), "1"}) + number(600000) + list(queue) + number(queue.size()) +
           list(deadlines) + "_\r\n_\r\n*0\r\n";
}

}  // namespace

// A Monitor with a fake master and a fake replica: which waiters of a fair lock are proven dead.
class TestDeadWaiters : public QObject {
    Q_OBJECT

private:
    QByteArray answerTo(const QByteArrayList& command, bool isMaster) {
        const QByteArray& name = command.first();
        if (name == "PSUBSCRIBE")
            return subscribedReply(command.value(1));
        if (name == "PUBSUB" && command.value(1) == "CHANNELS")
            return list(command.value(2).startsWith("redisson_rwlock") ? QByteArrayList()
                        : isMaster                                     ? m_atMaster
                                                                       : m_atReplica);
        if (name == "PUBSUB") {
            QByteArray counts = '*' + QByteArray::number(2 * (command.size() - 2)) + "\r\n";
            for (const QByteArray& channel : command.mid(2))
                counts += bulk(channel) + number(1);
            return counts;
        }
        if (name == "INFO" && isMaster)
            return replicationReply("master", "m1", {"ip=10.0.0.2,port=7002"});
        if (name == "INFO")
            return replicationReply("slave", "s1");
        if (name == "DBSIZE")
            return number(1);
        if (name == "SCAN")
            return "*2\r\n" + bulk("0") + list({theLock.bytes()});
        if (name == "EVALSHA_RO")
            return fairReply(m_queue);
        return "+OK\r\n";
    }
    void play(FakeServer& server, bool isMaster) {
        server.serve([&](FakeLink& link, const QByteArrayList& command) { link.reply(answerTo(command, isMaster)); });
    }
    void settle(Milliseconds time) {
        for (Milliseconds passed = 0ms; passed < time; passed += 50ms) {
            m_clock->advance(50ms);
            for (int round = 0; round < 4; ++round) {
                play(*m_master, true);
                if (m_isReachable)
                    play(replica(), false);
            }
        }
    }
    FakeServer& replica() { return *m_route->servers.at(QStringLiteral("10.0.0.2:7002")); }
    bool isDead(const HolderId& waiter) const { return m_monitor->provesDead(theLock, waiter); }

    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<FakeServer> m_master;
    std::unique_ptr<FakeRoute> m_route;
    std::unique_ptr<Monitor> m_monitor;
    QByteArrayList m_atMaster;  // channels that have a subscriber
    QByteArrayList m_atReplica;
    QByteArrayList m_queue;
    bool m_isReachable = true;
    MonitorStats m_stats;

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<ManualClock>();
        m_master = std::make_unique<FakeServer>();
        m_route = std::make_unique<FakeRoute>();
        m_route->add(QStringLiteral("10.0.0.2:7002"));
        m_monitor = std::make_unique<Monitor>(redis::ConnectionOptions(), m_master->factory(), *m_clock);
        m_monitor->askReplicasBy(*m_route);
        connect(m_monitor.get(), &Monitor::batchReady, this,
                [this](const SharedBatch& batch) { m_stats = batch->stats.value_or(m_stats); });
        m_atMaster.clear();
        m_atReplica.clear();
        m_queue = {bob.bytes(), carol.bytes()};
        m_isReachable = true;
        m_stats = {};
        m_monitor->start();
    }
    void cleanup() {
        m_monitor.reset();
        m_route.reset();
        m_master.reset();
    }

    void whoIsSubscribedNowhereIsDead() {
        m_atMaster = {channelOf(bob)};
        settle(20s);
        QVERIFY(!isDead(bob));
        QVERIFY(isDead(carol));
    }

    void whoIsSubscribedAtTheReplicaLives() {
        m_atReplica = {channelOf(bob)};
        settle(20s);
        QVERIFY(!isDead(bob));
        QVERIFY(isDead(carol));
        m_atReplica = {channelOf(carol)};
        settle(3s);
        QVERIFY(!isDead(carol));
    }

    void anUnreachableReplicaProvesNothing() {
        m_isReachable = false;
        settle(30s);
        QVERIFY(m_monitor->row(theLock));
        QVERIFY(!isDead(bob));
        QCOMPARE(denialLines(m_stats.denied),
                 QStringList{"replica: is not asked who waits, so no waiter of a fair lock is proven dead: no "
                             "connection within 5 s (on 10.0.0.2:7002)"});
        // The replica begins to answer.
        m_isReachable = true;
        settle(25s);
        QVERIFY(isDead(bob));
        QCOMPARE(denialLines(m_stats.denied), QStringList());
    }

    // The connection to the replica stays while a waiter is found there.
    void theReplicaIsAskedOnlyWhileThereIsSuchAWaiter() {
        m_atMaster = {channelOf(bob), channelOf(carol)};
        settle(5s);
        QCOMPARE(replica().linkCount(), size_t{0});
        m_atMaster.clear();
        m_atReplica = {channelOf(bob), channelOf(carol)};
        settle(10s);
        QCOMPARE(replica().linkCount(), size_t{1});
        QVERIFY(replica().lastLink().isOpen());
        m_atMaster = std::exchange(m_atReplica, {});
        settle(5s);
        QVERIFY(!replica().lastLink().isOpen());
        // Nor is it asked for clients that are subscribed there and no longer wait.
        m_atReplica = std::exchange(m_atMaster, {});
        settle(10s);
        QVERIFY(replica().lastLink().isOpen());
        m_queue.clear();
        m_master->link(0).reply(invalidation(theLock.bytes()));
        settle(10s);
        QVERIFY(m_monitor->row(theLock)->lock.fairQueue.isEmpty());
        QVERIFY(!replica().lastLink().isOpen());
    }
};

LOCKKEEPER_TEST(TestDeadWaiters, Guiless)

}  // namespace tst_deadwaiters

#include "tst_deadwaiters.moc"
