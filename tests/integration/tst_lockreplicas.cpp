// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/kinds/multilock.h"
#include "locks/kinds/reentrantlock.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

namespace {

const ThreadId owner{33};

}  // namespace

// A lock that must have reached a replica before it counts.
class TestLockReplicas : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_master = std::make_unique<test::RedisServer>(QStringList{"--repl-diskless-sync-delay", "0"});
        QVERIFY(m_master->start());
    }
    void cleanup() {
        m_options = LockClientOptions();
        m_client.reset();
        m_replica.reset();
        m_master.reset();
    }

    void whereThereIsNoReplicaNobodyIsAsked() {
        connectClient();
        QVERIFY(test::waitFor(tryLock()).value().acquired());
        QVERIFY(!m_master->cli({"INFO", "commandstats"}).contains(u"cmdstat_wait:"));
    }

    void nobodyIsAskedOnRequest() {
        startReplica();
        m_options.replicasToWaitFor = 0;
        connectClient();
        m_master->cli({"CONFIG", "RESETSTAT"});
        QVERIFY(test::waitFor(tryLock()).value().acquired());
        QVERIFY(!m_master->cli({"INFO", "commandstats"}).contains(u"cmdstat_wait:"));
    }

    void aReplicaThatHasItConfirms() {
        startReplica();
        connectClient();
        m_master->cli({"CONFIG", "RESETSTAT"});
        const Result<LockAttempt> taken = test::waitFor(tryLock());
        QVERIFY2(taken.ok(), taken.ok() ? "" : qPrintable(taken.error().text));
        QVERIFY(taken->acquired());
        QVERIFY(m_master->cli({"INFO", "commandstats"}).contains(u"cmdstat_wait:"));
        QCOMPARE(m_replica->cli({"EXISTS", "L"}), "1");
    }

    void withTooFewTheLockIsGivenBack() {
        startReplica();
        connectClient();
        m_replica->freeze();
        const Result<LockAttempt> taken = test::waitFor(tryLock());
        QCOMPARE(taken.error().code, ErrorCode::Timeout);
        QVERIFY(taken.error().text.startsWith(u"only 0 of 1 replicas"));
        QCOMPARE(m_master->cli({"EXISTS", "L"}), "0");
        QCOMPARE(m_client->heldKeys().size(), size_t{0});
    }

    void anEndlessLockIsTriedAgainUntilTheReplicaKeepsUp() {
        startReplica();
        connectClient();
        m_replica->freeze();
        m_master->cli({"CONFIG", "RESETSTAT"});
        const auto call = test::start(m_client->reentrantLock(LockName("L")).lock(owner));
        QTRY_VERIFY_WITH_TIMEOUT(timesCalled(u"wait"_qs) >= 2, 15000);
        QVERIFY(!call->has_value());
        QVERIFY(timesCalled(u"publish"_qs) >= 1);
        m_replica->thaw();
        QTRY_VERIFY_WITH_TIMEOUT(call->has_value(), 15000);
        QVERIFY2((*call)->ok(), (*call)->ok() ? "" : qPrintable((*call)->error().text));
        QCOMPARE(m_replica->cli({"EXISTS", "L"}), "1");
    }

    // Here a round of the multi lock ends before the replica is back.
    void anEndlessMultiLockIsTriedAgain() {
        startReplica();
        connectClient();
        m_replica->freeze();
        m_master->cli({"CONFIG", "RESETSTAT"});
        const MultiLock lock({m_client->reentrantLock(LockName("L"))});
        const auto call = test::start(lock.lock(owner));
        QTRY_VERIFY_WITH_TIMEOUT(timesCalled(u"wait"_qs) >= 3, 15000);
        QVERIFY(!call->has_value());
        m_replica->thaw();
        QTRY_VERIFY_WITH_TIMEOUT(call->has_value(), 15000);
        QVERIFY2((*call)->ok(), (*call)->ok() ? "" : qPrintable((*call)->error().text));
    }

    // The number of replicas is known from the lock before, so that the first attempt waits for one in vain.
    void aMissingReplicaIsNotWaitedForInTheSecondAttempt() {
        startReplica();
        connectClient();
        QVERIFY(test::waitFor(tryLock({}, "before")).value().acquired());
        m_replica->kill();
        QVERIFY(test::waitFor(m_client->reentrantLock(LockName("L")).lock(owner)).ok());
        QCOMPARE(m_master->cli({"EXISTS", "L"}), "1");
    }

    void aWaitWithALimitEndsWithTheReason() {
        startReplica();
        connectClient();
        m_replica->freeze();
        m_master->cli({"CONFIG", "RESETSTAT"});
        const Result<LockAttempt> taken =
            test::waitFor(m_client->reentrantLock(LockName("L")).tryLock(owner, Deadline::in(m_clock, 3s)));
        QCOMPARE(taken.error().code, ErrorCode::Timeout);
        QCOMPARE(taken.error().cause, Cause::TooFewReplicas);
        QVERIFY(timesCalled(u"wait"_qs) >= 2);
        QCOMPARE(m_master->cli({"EXISTS", "L"}), "0");
    }

    // Each WAIT blocks the connection: one for every acquire would stop renewals and releases.
    void manyAcquiresShareAWait() {
        startReplica();
        connectClient();
        m_replica->freeze();
        m_master->cli({"CONFIG", "RESETSTAT"});
        std::vector<test::Running<Result<LockAttempt>>> calls;
        for (int i = 0; i < 12; ++i)
            calls.push_back(test::start(tryLock({}, "L" + QByteArray::number(i))));
        for (const auto& call : calls)
            QTRY_VERIFY(call->has_value() && (*call)->error().code == ErrorCode::Timeout);
        const int waits = timesCalled(u"wait"_qs);
        QVERIFY2(waits >= 1 && waits <= 2, qPrintable(QString::number(waits)));
        QCOMPARE(m_master->cli({"DBSIZE"}), "0");
    }

    void aCancelledWaitGivesTheLockBack() {
        startReplica();
        connectClient();
        m_replica->freeze();
        std::stop_source stop;
        const auto call = test::start(tryLock(stop.get_token()));
        QTRY_COMPARE(m_master->cli({"EXISTS", "L"}), "1");
        stop.request_stop();
        QCOMPARE((*call)->error().code, ErrorCode::Cancelled);
        QTRY_COMPARE(m_master->cli({"EXISTS", "L"}), "0");
    }

private:
    void startReplica() {
        m_replica = std::make_unique<test::RedisServer>(
            QStringList{"--replicaof", "127.0.0.1 " + QString::number(m_master->port())});
        QVERIFY(m_replica->start());
        QTRY_VERIFY_WITH_TIMEOUT(m_replica->cli({"INFO", "replication"}).contains(u"master_link_status:up"), 15000);
        // In sync only after it has acknowledged a write: after a full synchronisation the stream of writes may start
        // up to a second later, and a WAIT without a write before it does not ask the replicas.
        QTRY_COMPARE_WITH_TIMEOUT(m_master->cli({}, "SET probe 1\nWAIT 1 500\nDEL probe\n"), "OK\n1\n1", 15000);
    }
    void connectClient() {
        m_options.replicaTimeout = 500ms;
        m_client = std::make_unique<LockClient>(m_master->options(), m_clock, m_options);
        m_client->open();
        QTRY_VERIFY(m_client->connections().isReady({}));
    }
    int timesCalled(const QString& command) {
        const QString stats = m_master->cli({"INFO", "commandstats"});
        return stats.section(QStringLiteral("cmdstat_%1:calls=").arg(command), 1).section(u',', 0, 0).toInt();
    }
    Task<Result<LockAttempt>> tryLock(std::stop_token stop = {}, const QByteArray& name = "L") {
        const Deadline now = Deadline::in(m_clock, 0ms);
        return m_client->reentrantLock(LockName(name)).tryLock(owner, now, std::nullopt, std::move(stop));
    }

    SystemClock m_clock;
    LockClientOptions m_options;
    std::unique_ptr<test::RedisServer> m_master;
    std::unique_ptr<test::RedisServer> m_replica;
    std::unique_ptr<LockClient> m_client;
};

LOCKKEEPER_TEST(TestLockReplicas, Guiless)
#include "tst_lockreplicas.moc"
