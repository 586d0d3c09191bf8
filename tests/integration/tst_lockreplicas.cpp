// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/kinds/multilock.h"
#include "locks/kinds/reentrantlock.h"
#include "redis/connection.h"
#include "redis/sockettransport.h"
#include "support/manualclock.h"
#include "support/monitorprobe.h"
#include "support/owner.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace tst_lockreplicas {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::owner;

namespace {

QJsonArray recordedSteps() {
    QFile recording(test::places::data() + QStringLiteral("/redisson-4.7.0/sentinel_crash.json"));
    if (!recording.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(recording.fileName()));
    return QJsonDocument::fromJson(recording.readAll()).object()[u"steps"].toArray();
}

// The messages of the step with this text, as "channel message".
QStringList publishedIn(const QJsonObject& step) {
    QStringList messages;
    for (const QJsonValue& one : step[u"published"].toArray())
        messages += one[u"channel"].toString() + u' ' + one[u"message"].toString();
    return messages;
}

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
        QVERIFY(taken.error().text.startsWith(u"too few replicas have acknowledged the lock (0 of 1)"));
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

    // The replica is connected all the time, and answers nothing.
    void aMonitorTellsOfAcquiresThatAreTakenBackBecauseOfAFrozenReplica() {
        startReplica();
        connectClient(m_clock, 1s);
        const test::MonitorProbe probe(m_master->options());
        QTRY_VERIFY(probe.sweeps > 0);
        m_replica->freeze();
        const auto call = test::start(m_client->reentrantLock(LockName("L")).lock(owner));
        std::optional<monitor::AcquireTakenBack> found;
        const auto isFound = [&probe, &found] {
            const monitor::LockRow* row = probe.row("L");
            const QList<monitor::Diagnosis> diagnoses = row ? row->diagnoses : QList<monitor::Diagnosis>();
            for (const monitor::Diagnosis& diagnosis : diagnoses) {
                if (const auto* evidence = std::get_if<monitor::AcquireTakenBack>(&diagnosis.evidence))
                    found = *evidence;
            }
            return found.has_value();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isFound(), 60000);
        QCOMPARE(found->replicas, 1);
        QCOMPARE(found->silentReplicas, std::optional(1));
        QCOMPARE(m_master->cli({"INFO", "replication"}).count(u"state=online"), 1);
        m_replica->thaw();
        QTRY_VERIFY_WITH_TIMEOUT(call->has_value(), 30000);
        QVERIFY2((*call)->ok(), (*call)->ok() ? "" : qPrintable((*call)->error().text));
    }

    // The message must say why the acquire takes longer.
    void theCallerLearnsThatReplicasAreMissing() {
        startReplica();
        connectClient();
        m_replica->freeze();
        const auto call = test::start(m_client->reentrantLock(LockName("L")).lock(owner));
        QTRY_VERIFY_WITH_TIMEOUT(m_postponed.size() >= 2, 15000);
        QCOMPARE(m_postponed.first().first, LockName("L"));
        QCOMPARE(m_postponed.first().second.cause, Cause::TooFewReplicas);
        m_replica->thaw();
        QTRY_VERIFY_WITH_TIMEOUT(call->has_value(), 15000);
        const qsizetype before = m_postponed.size();
        QVERIFY(test::waitFor(tryLock({}, "M")).value().acquired());
        QCOMPARE(m_postponed.size(), before);
    }

    void aServerThatWantsReplicasItselfPostponesToo() {
        connectClient();
        m_master->cli({"CONFIG", "SET", "min-replicas-to-write", "1"});
        const auto call = test::start(m_client->reentrantLock(LockName("L")).lock(owner));
        QTRY_VERIFY(!m_postponed.isEmpty());
        QCOMPARE(m_postponed.first().second.reply, ReplyKind::NoReplicas);
        m_master->cli({"CONFIG", "SET", "min-replicas-to-write", "0"});
        QTRY_VERIFY_WITH_TIMEOUT(call->has_value(), 15000);
        QVERIFY((*call)->ok());
    }

    // The recorded client, after a failover: B acquires, waits for a replica that is not there, releases with the
    // message, and acquires again after a pause.
    void whatTheRealClientDoesWithoutItsReplica() {
        const QJsonArray steps = recordedSteps();
        const QJsonObject givenBack = steps.at(3).toObject();
        const QJsonObject acquired = steps.at(4).toObject();
        QVERIFY(givenBack[u"keys"].toObject().isEmpty());
        startReplica();
        m_options.watchdogTimeout = 3s;
        connectClient();
        QVERIFY(test::waitFor(tryLock({}, "before")).value().acquired());
        QVERIFY(test::waitFor(m_client->reentrantLock(LockName("before")).unlock(owner)).ok());
        redis::Connection listener(
            m_master->options(), [this] { return redis::makeSocketTransport(m_master->options().endpoint); }, m_clock);
        QStringList messages;
        connect(&listener, &redis::Connection::pushReceived, this, [&messages](const redis::RespValue& push) {
            if (push.items.size() == 3 && push.items[0].bytes == "message")
                messages += QString::fromUtf8(push.items[1].bytes + ' ' + push.items[2].bytes);
        });
        listener.open();
        QTRY_VERIFY(listener.isReady());
        const auto subscribed = listener.send(redis::Command("SUBSCRIBE", {"redisson_lock__channel:{L}"}));
        QTRY_VERIFY(subscribed.isCompleted());

        m_replica->kill();
        const auto call = test::start(m_client->reentrantLock(LockName("L")).lock(owner));
        QTRY_COMPARE(messages, publishedIn(givenBack));
        QCOMPARE(m_master->cli({"EXISTS", "L"}), "0");
        QTRY_VERIFY_WITH_TIMEOUT(call->has_value(), 15000);
        QCOMPARE((*call)->ok() ? "OK locked" : "ERR", acquired[u"answers"][u"B.lock L"].toString());
        const QJsonObject left = acquired[u"keys"][u"L"][u"value"].toObject();
        QCOMPARE(left.keys(), QStringList{u"<B>:32"_qs});
        QCOMPARE(m_master->cli({"HGETALL", "L"}),
                 QString::fromLatin1(m_client->id().bytes()) + u":33\n"_qs + left[u"<B>:32"].toString());
        QVERIFY(m_master->cli({"PTTL", "L"}).toInt() <= 3000);
        QCOMPARE(messages, publishedIn(givenBack));
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

    // The number of replicas is known from an earlier lock, so that the first attempt waits for one in vain.
    void aMissingReplicaIsNotWaitedForInTheSecondAttempt() {
        startReplica();
        connectClient();
        QVERIFY(test::waitFor(tryLock({}, "before")).value().acquired());
        m_replica->kill();
        QVERIFY(test::waitFor(m_client->reentrantLock(LockName("L")).lock(owner)).ok());
        QCOMPARE(m_master->cli({"EXISTS", "L"}), "1");
    }

    // The limit is over in the second pause or in a third attempt, which then is the last one.
    void aWaitWithALimitEndsWithTheReason() {
        startReplica();
        connectClient(m_manualClock);
        m_replica->freeze();
        m_master->cli({"CONFIG", "RESETSTAT"});
        const auto call =
            test::start(m_client->reentrantLock(LockName("L")).tryLock(owner, Deadline::in(m_manualClock, 3s)));
        QTRY_COMPARE_WITH_TIMEOUT(m_postponed.size(), 1, 15000);
        m_manualClock.advance(1s);
        QTRY_COMPARE_WITH_TIMEOUT(m_postponed.size(), 2, 15000);
        QVERIFY(!call->has_value());
        m_manualClock.advance(2s);
        QTRY_VERIFY_WITH_TIMEOUT(call->has_value(), 15000);
        QVERIFY(!(*call)->ok());
        QCOMPARE((*call)->error().code, ErrorCode::Timeout);
        QCOMPARE((*call)->error().cause, Cause::TooFewReplicas);
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
        // The replica is in sync only after it has acknowledged a write: after a full synchronisation the stream of
        // writes may start up to a second later, and a WAIT without a write before it does not ask the replicas.
        // It is asked until the first acknowledgement: QTRY_COMPARE would ask once more.
        QVERIFY(test::becomesTrue(
            [this] { return m_master->cli({}, "SET probe 1\nWAIT 1 500\nDEL probe\n") == "OK\n1\n1"; }));
    }
    void connectClient() { connectClient(m_clock); }
    void connectClient(Clock& clock, Milliseconds replicaTimeout = 500ms) {
        m_options.replicaTimeout = replicaTimeout;
        m_client = std::make_unique<LockClient>(m_master->options(), clock, m_options);
        m_postponed.clear();
        connect(m_client.get(), &LockClient::acquirePostponed, this, [this](const HoldKey& key, const Error& why) {
            m_postponed += {key.name, why};
        });
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
    test::ManualClock m_manualClock;
    LockClientOptions m_options;
    QList<std::pair<LockName, Error>> m_postponed;
    std::unique_ptr<test::RedisServer> m_master;
    std::unique_ptr<test::RedisServer> m_replica;
    std::unique_ptr<LockClient> m_client;
};

LOCKKEEPER_TEST(TestLockReplicas, Guiless)

}  // namespace tst_lockreplicas

#include "tst_lockreplicas.moc"
