// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/heldtracking.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/lockclient.h"
#include "support/manualclock.h"
#include "support/owner.h"
#include "support/redisserver.h"
#include "support/sleepingcall.h"
#include "support/testprogram.h"
#include "topology/shardconnections.h"

#include <QTest>

namespace tst_reentrantlock_server {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::owner;

namespace {

const QString channel = QStringLiteral("redisson_lock__channel:{L}");

using Attempt = test::Running<Result<LockAttempt>>;

}  // namespace

// The reentrant lock on a real server, and faults of servers. What all kinds of locks share is in tst_lockrestarts,
// tst_lostanswers, tst_lockconnectionskilled and tst_lockedkeytampered.
class TestReentrantLockServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_server = std::make_unique<test::RedisServer>();
        QVERIFY(m_server->start());
    }
    void cleanup() {
        m_a.reset();
        m_b.reset();
        m_server.reset();
    }

    void takesReentersAndGivesBack() {
        connectBoth();
        const ReentrantLock lock = m_a->reentrantLock(LockName("orders/{42}"));
        QVERIFY(test::waitFor(lock.lock(owner)).ok());
        QCOMPARE(cli({"HGETALL", "orders/{42}"}), QString::fromLatin1(lock.holder(owner).bytes()) + "\n1");
        QVERIFY(test::waitFor(lock.lock(owner)).ok());
        QCOMPARE(test::waitFor(lock.holdCount(owner)).value(), 2);
        QCOMPARE(test::waitFor(lock.isLocked()).value(), true);
        QCOMPARE(test::waitFor(lock.isHeldBy(lock.holder(owner))).value(), true);
        QCOMPARE(test::waitFor(lock.isHeldBy(lock.holder(ThreadId{1}))).value(), false);
        QVERIFY(test::waitFor(lock.remainingTime()).value().left > 29s);
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::StillHeld);
        QCOMPARE(test::waitFor(lock.unlock(owner)).value(), ReleaseOutcome::Free);
        QCOMPARE(cli({"EXISTS", "orders/{42}"}), "0");
        QCOMPARE(test::waitFor(lock.unlock(owner)).error().code, ErrorCode::NotHeld);
        QCOMPARE(test::waitFor(lock.remainingTime()).value(), RemainingTime());
        QCOMPARE(m_a->heldKeys().size(), size_t{0});
    }

    void anyNameIsAName_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("binary") << QByteArray::fromHex("00ff0d0a7b7d80");
        QTest::newRow("newlines and quotes") << QByteArray("a\r\n\"b\" 'c'\n$5\r\n");
        QTest::newRow("10 kB") << QByteArray(10 * 1024, 'n');
        QTest::newRow("braces") << QByteArray("{}{a}{");
        QTest::newRow("Chinese") << QByteArray("锁:订单");
    }
    void anyNameIsAName() {
        QFETCH(QByteArray, name);
        connectBoth();
        const LockName lockName(name);
        QVERIFY(test::waitFor(m_a->reentrantLock(lockName).lock(owner)).ok());
        const auto waiting = test::start(m_b->reentrantLock(lockName).lock(owner));
        QTRY_COMPARE(cli({"PUBSUB", "CHANNELS"}).isEmpty(), false);
        QVERIFY(test::waitFor(m_a->reentrantLock(lockName).unlock(owner)).ok());
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->ok());
    }

    // ---- waiting ----

    void aWaiterIsWokenByTheRelease() {
        connectBoth();
        take(*m_a);
        const Attempt waiting = waitForIt();
        QVERIFY(test::waitFor(lockOf(*m_a).unlock(owner)).ok());
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->value().acquired());
        QTRY_COMPARE(cli({"PUBSUB", "CHANNELS"}), "");
    }

    void aWaiterTakesALockThatExpires() {
        connectBoth();
        cli({"HSET", "L", "11111111-2222-3333-4444-555555555555:9", "1"});
        cli({"PEXPIRE", "L", "400"});
        const Attempt waiting = waitForIt();
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->value().acquired());
    }

    // DEL publishes nothing; the message that is published by hand wakes the waiter.
    void aWaiterIsWokenByAMessageByHand() {
        connectBoth();
        cli({"HSET", "L", "11111111-2222-3333-4444-555555555555:9", "1"});
        const Attempt waiting = waitForIt();
        cli({"DEL", "L"});
        cli({"PUBLISH", channel, "0"});
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->value().acquired());
    }

    void aWaiterStaysRefusedWhileAnotherHolds() {
        connectBoth();
        cli({"HSET", "L", "11111111-2222-3333-4444-555555555555:9", "1"});
        cli({"PEXPIRE", "L", "60000"});
        const Result<LockAttempt> refused = test::waitFor(lockOf(*m_b).tryLock(owner, Deadline::in(m_clock, 200ms)));
        QVERIFY(refused.ok() && !refused->acquired());
        QVERIFY(*refused->remaining > 55s);
        QCOMPARE(cli({"HLEN", "L"}), "1");
        QTRY_COMPARE(cli({"PUBSUB", "CHANNELS"}), "");
    }

    void aCancelledWaiterLeavesNothingBehind() {
        connectBoth();
        take(*m_a);
        std::stop_source stop;
        const Attempt waiting = waitForIt(stop.get_token());
        stop.request_stop();
        QVERIFY(waiting->has_value());
        QCOMPARE((*waiting)->error().code, ErrorCode::Cancelled);
        QTRY_COMPARE(cli({"PUBSUB", "CHANNELS"}), "");
        QCOMPARE(cli({"HLEN", "L"}), "1");
    }

    // ---- the watchdog ----

    void aHeldLockOutlivesItsTimeoutAndADeadClientsDoesNot() {
        connectBoth(600ms);
        take(*m_a);
        qint64 end = leaseEnd();
        for (int renewal = 0; renewal < 6; ++renewal) {
            const qint64 before = end;
            QVERIFY(test::becomesTrue([&] { return (end = leaseEnd()) > before; }));
            QVERIFY2(end < before + 400, "it is renewed every third of its timeout");
        }
        const Attempt waiting = waitForIt();
        m_a.reset();
        QVERIFY(!waiting->has_value());
        QTRY_VERIFY_WITH_TIMEOUT(waiting->has_value(), 1500);
        QVERIFY((*waiting)->value().acquired());
    }

    void hundredsOfLocksAreRenewedInAFewCommands() {
        test::ManualClock clock;
        redis::ConnectionOptions connection = m_server->options();
        connection.keepaliveInterval = 1h;
        LockClient client(connection, clock, options(30s, ClientId::random()));
        client.open();
        QTRY_VERIFY(client.connections().isReady({}));
        for (int i = 0; i < 250; ++i)
            QVERIFY(test::waitFor(client.reentrantLock(LockName("lock:" + QByteArray::number(i))).lock(owner)).ok());
        const auto passOneThird = [&] {
            clock.advance(10s);
            return test::isAnswered(client);
        };
        clock.advance(HeldTracking::firstRead);  // each hold is read once
        QVERIFY(test::isAnswered(client));
        QVERIFY(passOneThird());  // the script becomes known
        const quint64 before = client.connections().of({})->commandsSent();
        for (int third = 0; third < 3; ++third)
            QVERIFY(passOneThird());
        const quint64 commands = client.connections().of({})->commandsSent() - before;
        constexpr quint64 inOneThird = 2 * 13 + 1;  // CLIENT CACHING and a script for twenty locks each; the PING
        QCOMPARE(commands, 3 * inOneThird);
        QCOMPARE(cli({"DBSIZE"}), "250");
        QCOMPARE(client.heldKeys().size(), size_t{250});
    }
    // ---- faults of servers ----

    void aLockSentToAServerThatDiesIsUnknownAndThenSettled() {
        connectBoth();
        m_server->freeze();
        const auto call = test::start(lockOf(*m_a).tryLock(owner, Deadline::in(m_clock, 0ms)));
        test::endTurn();
        m_server->kill();
        QTRY_VERIFY(call->has_value());
        QCOMPARE((*call)->error().code, ErrorCode::OutcomeUnknown);
        QVERIFY(m_server->start());
        QTRY_VERIFY(test::ServerHand(*m_server).calls("hget") > 0);  // it has asked for its hold
        QVERIFY(test::isAnswered(*m_a));
        QCOMPARE(cli({"EXISTS", "L"}), "0");
        QCOMPARE(m_a->heldKeys().size(), size_t{0});
    }

    // The server takes the lock for a client that has stopped waiting for the answer.
    void aLockTakenTooLateIsGivenBack_data() {
        QTest::addColumn<bool>("cancelled");
        QTest::newRow("cancelled") << true;
        QTest::newRow("out of time") << false;
    }
    void aLockTakenTooLateIsGivenBack() {
        QFETCH(bool, cancelled);
        m_commandTimeout = 200ms;
        connectBoth();
        take(*m_a);  // loads the script: an unknown one would not be sent again by then
        QVERIFY(test::waitFor(lockOf(*m_a).unlock(owner)).ok());
        cli({"CONFIG", "RESETSTAT"});
        m_server->freeze();
        std::stop_source stop;
        const auto call =
            test::start(lockOf(*m_a).tryLock(owner, Deadline::in(m_clock, 0ms), std::nullopt, stop.get_token()));
        test::endTurn();
        if (cancelled)
            stop.request_stop();
        QTRY_VERIFY(call->has_value());
        QCOMPARE((*call)->error().code, cancelled ? ErrorCode::Cancelled : ErrorCode::OutcomeUnknown);
        m_server->thaw();
        QTRY_COMPARE(cli({"INFO", "commandstats"}).contains(u"cmdstat_publish"), true);
        QCOMPARE(cli({"EXISTS", "L"}), "0");
        QCOMPARE(m_a->heldKeys().size(), size_t{0});
    }
    void aServerOutOfMemoryLetsLocksGo() {
        connectBoth();
        take(*m_a);
        cli({"CONFIG", "SET", "maxmemory", "1"});
        QCOMPARE(test::waitFor(m_b->reentrantLock(LockName("other")).tryLock(owner, Deadline::in(m_clock, 0ms)))
                     .error()
                     .code,
                 ErrorCode::ServerReply);
        QCOMPARE(test::waitFor(lockOf(*m_a).unlock(owner)).value(), ReleaseOutcome::Free);
        QCOMPARE(cli({"DBSIZE"}), "0");
    }

    void aReplicaTakesNoLocks() {
        connectBoth();
        cli({"REPLICAOF", "127.0.0.1", QString::number(m_server->port() == 1 ? 2 : 1)});
        const Result<LockAttempt> refused = test::waitFor(lockOf(*m_a).tryLock(owner, Deadline::in(m_clock, 0ms)));
        QCOMPARE(refused.error().code, ErrorCode::ServerReply);
        QVERIFY(refused.error().text.startsWith(u"READONLY"));
    }

    void speaksResp2ToAServerWithoutHello() {
        m_server = std::make_unique<test::RedisServer>(QStringList{"--rename-command", "HELLO", ""});
        QVERIFY(m_server->start());
        connectBoth();
        QCOMPARE(m_a->connections().of({})->server().protocol, 2);
        take(*m_a);
        const Attempt waiting = waitForIt();
        QVERIFY(test::waitFor(lockOf(*m_a).unlock(owner)).ok());
        QTRY_VERIFY(waiting->has_value());
        QVERIFY((*waiting)->value().acquired());
    }

    void whatIsNotPermittedIsTold_data() {
        QTest::addColumn<QString>("rule");
        QTest::newRow("EVALSHA") << "-evalsha";
        QTest::newRow("SUBSCRIBE") << "-subscribe";
        QTest::newRow("the channel") << "resetchannels";
        QTest::newRow("the key") << "resetkeys";
        QTest::newRow("the script's write") << "-hincrby";
        QTest::newRow("the script's expiry") << "-pexpire";
    }
    void whatIsNotPermittedIsTold() {
        QFETCH(QString, rule);
        connectBoth();
        QVERIFY(test::waitFor(m_a->reentrantLock(LockName("warm")).lock(owner)).ok());
        const bool inTheScript = rule == u"-hincrby" || rule == u"-pexpire";
        if (!inTheScript) {
            cli({"HSET", "L", "11111111-2222-3333-4444-555555555555:9", "1"});
            cli({"PEXPIRE", "L", "60000"});
        }
        QCOMPARE(cli({"ACL", "SETUSER", "default", rule}), "OK");
        const Result<LockAttempt> refused = test::waitFor(lockOf(*m_b).tryLock(owner, Deadline::in(m_clock, 1s)));
        cli({"ACL", "SETUSER", "default", "+@all", "~*", "&*"});
        QVERIFY2(!refused && refused.error().code == ErrorCode::NotPermitted,
                 refused ? "was not refused" : qPrintable(refused.error().text));
        QCOMPARE(cli({"EXISTS", "L"}), inTheScript ? "0" : "1");
    }

    void settlingTouchesNobodyElse_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("left");
        const QString mine = QStringLiteral("5f0a3c8e-0000-4000-8000-000000000001:33");
        QTest::newRow("another client's hold") << "11111111-2222-3333-4444-555555555555:33" << 2 << "2";
        QTest::newRow("another thread's hold") << "5f0a3c8e-0000-4000-8000-000000000001:34" << 1 << "1";
        QTest::newRow("its own hold") << mine << 2 << "";
    }
    void settlingTouchesNobodyElse() {
        QFETCH(QString, field);
        QFETCH(int, count);
        QFETCH(QString, left);
        m_id = ClientId("5f0a3c8e-0000-4000-8000-000000000001");
        connectBoth();
        m_server->freeze();
        std::stop_source stop;
        const auto call =
            test::start(lockOf(*m_a).tryLock(owner, Deadline::in(m_clock, 0ms), std::nullopt, stop.get_token()));
        test::endTurn();
        m_server->kill();
        QVERIFY(m_server->start());
        cli({"HSET", "L", field, QString::number(count)});
        QTRY_VERIFY(call->has_value());
        QTRY_VERIFY(cli({"INFO", "commandstats"}).contains(u"cmdstat_hget:"));
        QCOMPARE(cli({"HGET", "L", field}), left);
    }

private:
    void connectBoth(Milliseconds watchdogTimeout = 30s) {
        m_a = std::make_unique<LockClient>(m_server->options(), m_clock, options(watchdogTimeout, m_id));
        m_b = std::make_unique<LockClient>(m_server->options(), m_clock, options(watchdogTimeout, ClientId::random()));
        for (LockClient* client : {m_a.get(), m_b.get()})
            client->open();
        QTRY_VERIFY(m_a->connections().isReady({}) && m_b->connections().isReady({}));
    }
    LockClientOptions options(Milliseconds watchdogTimeout, const ClientId& id) const {
        LockClientOptions options;
        options.id = id;
        options.watchdogTimeout = watchdogTimeout;
        options.commandTimeout = m_commandTimeout;
        return options;
    }

    static ReentrantLock lockOf(LockClient& client) { return client.reentrantLock(LockName("L")); }
    void take(LockClient& client) {
        const Result<LockAttempt> taken = test::waitFor(lockOf(client).tryLock(owner, Deadline::in(m_clock, 0ms)));
        QVERIFY2(taken.ok() && taken->acquired(), taken.ok() ? "held by another" : qPrintable(taken.error().text));
    }
    // A call of the second client that has reached its sleep.
    Attempt waitForIt(std::stop_token stop = {}) {
        const Attempt waiting =
            test::start(lockOf(*m_b).tryLock(owner, Deadline::never(m_clock), std::nullopt, std::move(stop)));
        [&] { QTRY_COMPARE(cli({"PUBSUB", "CHANNELS"}), channel); }();
        return waiting;
    }
    qint64 leaseEnd() { return test::ServerHand(*m_server).leaseEnd(QStringLiteral("L")); }
    QString cli(const QStringList& arguments) { return m_server->cli(arguments); }

    SystemClock m_clock;
    ClientId m_id = ClientId::random();
    Milliseconds m_commandTimeout{5000};
    std::unique_ptr<test::RedisServer> m_server;
    std::unique_ptr<LockClient> m_a;
    std::unique_ptr<LockClient> m_b;
};

LOCKKEEPER_TEST(TestReentrantLockServer, Guiless)

}  // namespace tst_reentrantlock_server

#include "tst_reentrantlock_server.moc"
