// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/dialect/lockdialect.h"
#include "locks/kinds/fairlock.h"
#include "support/lockscripts.h"
#include "support/manualclock.h"
#include "support/owner.h"
#include "support/recordedstate.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "support/wiretap.h"
#include "topology/shardconnections.h"

#include <QDateTime>
#include <QTest>

namespace tst_fairqueue {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;
using test::owner;
using test::RecordedState;

namespace {

const ClientId ourClient("5f0a3c8e-0000-4000-8000-000000000001");
const QString ours = QStringLiteral("5f0a3c8e-0000-4000-8000-000000000001:33");
const QString queueKey = QStringLiteral("redisson_lock_queue:{F}");
const QString deadlinesKey = QStringLiteral("redisson_lock_timeout:{F}");

// Steps of the recording: both times A and D are in the queue, and A is dead.
const QString heldByC = QStringLiteral("A is killed while it waits at the head");
const QString freeBehindTheDead = QStringLiteral("C.unlock F: the message goes to the dead head A; D waits behind it");
// What a Redisson client does when its time is over: it sends no message.
const QByteArray aGivesUp = "LREM redisson_lock_queue:{F} 0 <A>:19\nZREM redisson_lock_timeout:{F} <A>:19\n";
const QByteArray dGivesUp = "LREM redisson_lock_queue:{F} 0 <D>:40\nZREM redisson_lock_timeout:{F} <D>:40\n";

// Placed before a script: the rule of Redis 3.2 to 4, which a script of a later server does not know. Some of those
// servers count TTLs as the clock.
const QByteArray oldServersRule = R"(
local server, clock_is_read, replicates_changes = redis, false, false
local reads = {exists = 1, hexists = 1, hget = 1, hlen = 1, get = 1, type = 1, pttl = 1, lindex = 1, lrange = 1, zscore = 1,
               zcard = 1, zcount = 1, zrange = 1, zrangebyscore = 1, time = 1, publish = 1, pubsub = 1}
local function check(command)
    clock_is_read = clock_is_read or command == 'time' or command == 'pttl'
    if clock_is_read and not reads[command] and not replicates_changes then
        error('Write commands not allowed after non deterministic commands')
    end
end
local redis = {
    replicate_commands = function() replicates_changes = true return true end,
    call = function(command, ...) check(command) return server.call(command, ...) end,
    pcall = function(command, ...) check(command) return server.pcall(command, ...) end}
)";

using Attempt = test::Running<Result<LockAttempt>>;

enum class Script { Acquire, Release, Force };

}  // namespace

// Our client in the queue of a fair lock, beside clients of Redisson: what the recording fair_deadlines has left, and
// deadlines as JVMs with wrong clocks write them.
class TestFairQueue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }
    void init() {
        m_server.cli({"FLUSHALL"});
        m_client = connected(NameMapper(), m_clock);
    }
    void cleanup() { m_client.reset(); }

    // ---- free, but others are before ours ----

    void aTryThatDoesNotWaitSaysWhetherTheLockIsFree_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<bool>("free");
        QTest::newRow("held") << heldByC << false;
        QTest::newRow("free") << freeBehindTheDead << true;
    }
    void aTryThatDoesNotWaitSaysWhetherTheLockIsFree() {
        QFETCH(QString, step);
        QFETCH(bool, free);
        write(step, 60s);
        const QStringList before = m_hand.state();
        const Result<LockAttempt> tried = test::waitFor(fairLock().tryLock(owner, in(0ms)));
        QVERIFY(tried.ok());
        QCOMPARE(tried->outcome, free ? LockAttempt::Outcome::BehindOthers : LockAttempt::Outcome::HeldByOther);
        QVERIFY(free ? *tried->remaining == 1s : *tried->remaining > 50s);
        QCOMPARE(m_hand.state(), before);
    }

    void asksByItsPlace_data() {
        QTest::addColumn<QByteArray>("leaving");
        QTest::addColumn<int>("place");
        QTest::newRow("second") << dGivesUp << 2;
        QTest::newRow("third") << QByteArray() << 3;
    }
    void asksByItsPlace() {
        QFETCH(QByteArray, leaving);
        QFETCH(int, place);
        write(freeBehindTheDead);
        if (!leaving.isEmpty())
            together(leaving);
        m_client = connected(NameMapper(), m_stepped);
        const Attempt waiting = test::start(fairLock().tryLock(owner, Deadline::never(m_stepped)));
        QTRY_COMPARE(queue().size(), place);
        const Milliseconds pause = 1000ms * (place - 1);
        QTRY_COMPARE(asks(), 2);  // before and after the subscription
        QTRY_VERIFY(m_stepped.hasTimersWithin(pause));
        for (int round = 0; round < 2; ++round) {
            const int before = asks();
            m_stepped.advance(pause - 1ms);
            QVERIFY(test::waitFor(fairLock().isLocked()).ok());  // what was sent before has been executed
            QCOMPARE(asks(), before);
            m_stepped.advance(1ms);
            QTRY_COMPARE(asks(), before + 1);
            QTRY_VERIFY(m_stepped.hasTimersWithin(pause));
        }
        QCOMPARE(m_server.cli({"PUBSUB", "CHANNELS"}),
                 "redisson_lock__channel:{F}:" + ours);  // only our client is subscribed
        QVERIFY(!waiting->has_value());
    }

    void takesItWhenThoseBeforeLeaveInSilence_data() {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        QTest::newRow("both give up") << aGivesUp << dGivesUp;
        QTest::newRow("the head takes it and dies, the second gives up")
            << aGivesUp + "HSET F <A>:19 1\nPEXPIRE F 300" << dGivesUp;
        QTest::newRow("both take it and die")
            << aGivesUp + "HSET F <A>:19 1\nPEXPIRE F 300" << dGivesUp + "HSET F <D>:40 1\nPEXPIRE F 300";
    }
    void takesItWhenThoseBeforeLeaveInSilence() {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        write(freeBehindTheDead);
        const Attempt waiting = startWaiting();
        QTRY_COMPARE(queue().size(), 3);
        QTRY_COMPARE(asks(), 2);  // before and after the subscription
        together(first);
        QTRY_COMPARE(asks(), 3);
        QVERIFY(!waiting->has_value());
        together(second);
        QTRY_VERIFY(waiting->has_value());
        QCOMPARE(m_hand.state(), QStringList{"F " + ours + " 1"});
    }

    // The message of the release goes to A, which may take the lock and give up in the same moment. Our client has
    // read the TTL before, and learns only when that is over that the lock is free.
    void asksAgainWhenTheHeadHasTakenTheMessageAndLeaves() {
        write(heldByC, 1500ms);
        const Attempt waiting = startWaiting();
        QTRY_COMPARE(queue().size(), 3);
        QTRY_COMPARE(asks(), 2);
        together("DEL F\nPUBLISH redisson_lock__channel:{F}:<A>:19 0");
        QTRY_COMPARE(asks(), 3);
        QVERIFY(!waiting->has_value());
        together(aGivesUp + dGivesUp);
        QTRY_VERIFY(waiting->has_value());
        QCOMPARE(m_hand.state(), QStringList{"F " + ours + " 1"});
    }

    // ---- clocks ----

    // The first of two waiters may be alive although its deadline has passed: its JVM's clock is up to ten seconds
    // behind.
    void aHeadIsDroppedTenSecondsAfterItsDeadline_data() {
        QTest::addColumn<Script>("script");
        QTest::addColumn<Milliseconds>("passed");
        QTest::addColumn<bool>("kept");
        for (const auto& [name, script] : {std::pair{"acquire", Script::Acquire}, std::pair{"release", Script::Release},
                                           std::pair{"force", Script::Force}}) {
            QTest::addRow("%s, not yet", name) << script << Milliseconds(-5000) << true;
            QTest::addRow("%s, passed by 9 s", name) << script << Milliseconds(9000) << true;
            QTest::addRow("%s, passed by 11 s", name) << script << Milliseconds(11000) << false;
        }
    }
    void aHeadIsDroppedTenSecondsAfterItsDeadline() {
        QFETCH(Script, script);
        QFETCH(Milliseconds, passed);
        QFETCH(bool, kept);
        if (script != Script::Acquire)
            QVERIFY(test::waitFor(fairLock().tryLock(owner, in(0ms))).value().acquired());
        together("RPUSH redisson_lock_queue:{F} <B>:26 <C>:33\nZADD redisson_lock_timeout:{F} " + timeIn(-passed) +
                 " <B>:26 " + timeIn(300s) + " <C>:33");
        test::Wiretap wiretap(m_server, m_clock);
        run(script);
        QCOMPARE(queue(), named(kept ? QStringList{"<B>:26", "<C>:33"} : QStringList{"<C>:33"}));
        QCOMPARE(m_server.cli({"ZCARD", deadlinesKey}), kept ? "2" : "1");
        const QString channel = QStringLiteral("redisson_lock__channel:{F}:%1 0");
        QStringList woken;
        if (script != Script::Acquire && kept)
            woken += channel.arg(u"<B>:26"_qs);
        if (script != Script::Acquire && passed > 0ms)  // the first may be dead
            woken += channel.arg(u"<C>:33"_qs);
        QCOMPARE(wiretap.takeMessages(), named(woken));
    }

    // A Redisson client drops a waiter at its deadline, so the deadline must not have passed when it is written.
    void aPlaceBehindADeadlineThatHasPassedIsKept() {
        together(
            "HSET F <D>:40 1\nPEXPIRE F 60000\nRPUSH redisson_lock_queue:{F} <B>:26\n"
            "ZADD redisson_lock_timeout:{F} " +
            timeIn(-9s) + " <B>:26");
        const Attempt waiting = test::start(fairLock().tryLock(owner, in(5s)));
        QTRY_COMPARE(queue().size(), 2);
        const qint64 deadline = m_server.cli({"ZSCORE", deadlinesKey, ours}).toLongLong();
        QVERIFY(deadline > QDateTime::currentMSecsSinceEpoch() + 3000);
    }

    // A client whose clock is ahead drops our place early. Our client gets no message, and queues again when it asks
    // again.
    void whoIsDroppedByAClockThatIsAheadQueuesAgain() {
        together("HSET F <D>:40 1\nPEXPIRE F 1000");
        const Attempt waiting = startWaiting();
        QTRY_COMPARE(queue(), QStringList{ours});
        together("LPOP redisson_lock_queue:{F}\nZREM redisson_lock_timeout:{F} " + ours.toLatin1() +
                 "\nRPUSH redisson_lock_queue:{F} <B>:26\nZADD redisson_lock_timeout:{F} " + timeIn(310s) + " <B>:26");
        QTRY_COMPARE(queue(), named({"<B>:26", ours}));
        QVERIFY(!waiting->has_value());
    }

    // ---- old servers, and old clients ----

    // The head is dead, so each script writes.
    void everyScriptRunsByTheRuleOfOldServers_data() {
        QTest::addColumn<QByteArray>("source");
        QTest::addColumn<QStringList>("keys");
        QTest::addColumn<QStringList>("arguments");
        const QStringList lock{"F", queueKey, deadlinesKey, "redisson_lock_token:{F}"};
        const QStringList semaphore{"S", "{S}:timeout"};
        const QString permits = QStringLiteral("redisson_sc:{S}");
        const QString channel = QStringLiteral("redisson_lock__channel:{F}");
        const auto fair = [](const char* name) { return test::lockScript(QString::fromLatin1(name)).source(); };
        const redis::Script breaking =
            publishingScript({u"locks/lua/fair_queue.lua"_qs, u"control/lua/same_hold.lua"_qs,
                              u"control/lua/other_queue.lua"_qs, u"control/lua/compare_and_release.lua"_qs});
        const auto permit = [](const char* name) {
            return publishingScript({u"locks/lua/counter.lua"_qs, u"locks/lua/permits.lua"_qs,
                                     QStringLiteral("locks/lua/permit_%1.lua").arg(QLatin1String(name))})
                .source();
        };
        const QStringList readers{"R", "redisson_rwlock:{R}"};
        const QString base = QStringLiteral("{R}:");
        QTest::newRow("renew") << fair("renew") << QStringList{"R"} << QStringList{"30000", ours, base};
        QTest::newRow("check") << fair("check_holds") << QStringList{"R"} << QStringList{base, ours, "1", "30000"};
        QTest::newRow("read") << fair("read_acquire") << readers << QStringList{base, "30000", ours, ours + ":write"};
        QTest::newRow("settle reads") << fair("read_settle") << readers << QStringList{base, ours, "0"};
        QTest::newRow("write") << fair("write_acquire") << QStringList{"W", "redisson_rwlock:{W}"}
                               << QStringList{"{W}:", "30000", ours + ":write"};
        QTest::newRow("acquire") << fair("fair_acquire") << lock << QStringList{channel, "30000", ours, "5000"};
        QTest::newRow("release") << fair("fair_release") << lock << QStringList{channel, "30000", ours};
        QTest::newRow("leave") << fair("fair_leave") << lock << QStringList{channel, ours, "5000"};
        QTest::newRow("settle") << fair("fair_settle") << lock << QStringList{channel, ours, "0"};
        QTest::newRow("force") << fair("fair_force") << lock << QStringList{channel};
        QTest::newRow("break") << breaking.source() << lock
                               << QStringList{channel, "redisson_rwlock:{F}", "", "1", ours, "1"};
        const redis::Script taking =
            publishingScript({u"control/lua/same_values.lua"_qs, u"control/lua/quarantine_values.lua"_qs});
        QTest::newRow("quarantine of values")
            << taking.source() << QStringList{"V"} << QStringList{ours, "new:1", "30000", "x", "1"};
        QTest::newRow("acquire a permit") << permit("acquire") << semaphore << QStringList{permits, "P", "30000"};
        QTest::newRow("release a permit") << permit("release") << semaphore << QStringList{permits, "taken"};
        QTest::newRow("lease a permit") << permit("lease") << semaphore << QStringList{permits, "taken", "30000"};
        QTest::newRow("count the free permits") << permit("free") << semaphore << QStringList{permits};
        QTest::newRow("set the permits") << permit("set") << semaphore << QStringList{permits, "7"};
    }
    // Each script has something to write: a dead head, a permit whose lease has ended.
    void everyScriptRunsByTheRuleOfOldServers() {
        QFETCH(QByteArray, source);
        QFETCH(QStringList, keys);
        QFETCH(QStringList, arguments);
        together("HSET F " + ours.toLatin1() +
                 " 1\nPEXPIRE F 60000\nRPUSH redisson_lock_queue:{F} <B>:26\n"
                 "ZADD redisson_lock_timeout:{F} 1000 <B>:26\n"
                 "HSET R mode read " +
                 ours.toLatin1() +
                 " 1\nPEXPIRE R 1000\n"
                 "HSET W mode write " +
                 ours.toLatin1() +
                 ":write 1\nPEXPIRE W 1000\n"
                 "HSET V x " +
                 ours.toLatin1() + " x:" + ours.toLatin1() +
                 ":lock_count 1\nPEXPIRE V 1000\n"
                 "SET S 1\nZADD {S}:timeout 1000 ended 99999999999999 taken");
        const QString count = QString::number(keys.size());
        const QStringList call =
            QStringList{"EVAL", QString::fromUtf8(oldServersRule + source), count} + keys + arguments;
        const QString answer = m_server.cli(call);
        QVERIFY2(!answer.startsWith(u"ERR"), qPrintable(answer));
    }

    void theQueueHasTheNameThatItsRedissonGivesIt_data() {
        QTest::addColumn<NameMapper::FairQueue>("version");
        QTest::addColumn<QString>("tag");
        QTest::newRow("3.52 or later") << NameMapper::FairQueue::Mapped << "{p:F:s}";
        QTest::newRow("before 3.52") << NameMapper::FairQueue::NotMapped << "{F}";
    }
    void theQueueHasTheNameThatItsRedissonGivesIt() {
        QFETCH(NameMapper::FairQueue, version);
        QFETCH(QString, tag);
        m_client = connected(NameMapper{"p:", ":s", version}, m_clock);
        together("HSET p:F:s <D>:40 1\nPEXPIRE p:F:s 60000");
        const Attempt waiting = startWaiting();
        const QString channel = "redisson_lock__channel:{p:F:s}:" + ours;
        QTRY_COMPARE(m_server.cli({"PUBSUB", "CHANNELS"}), channel);
        QCOMPARE(m_server.cli({"LRANGE", "redisson_lock_queue:" + tag, "0", "-1"}), ours);
        QCOMPARE(m_server.cli({"ZRANGE", "redisson_lock_timeout:" + tag, "0", "-1"}), ours);
        together("DEL p:F:s\nPUBLISH " + channel.toLatin1() + " 0");
        QTRY_VERIFY(waiting->has_value());
        QCOMPARE(m_hand.state(), QStringList{"p:F:s " + ours + " 1"});
        QCOMPARE(test::waitFor(fairLock().unlock(owner)).value(), ReleaseOutcome::Free);
        QCOMPARE(m_hand.state(), QStringList());
    }

private:
    [[nodiscard]] std::unique_ptr<LockClient> connected(const NameMapper& names, Clock& clock) {
        LockClientOptions options;
        options.id = ourClient;
        options.nameMapper = names;
        auto client = std::make_unique<LockClient>(m_server.options(), clock, options);
        client->open();
        [&] { QTRY_VERIFY(client->connections().isReady({})); }();
        m_server.cli({"CONFIG", "RESETSTAT"});
        return client;
    }
    [[nodiscard]] Lock fairLock() { return m_client->fairLock(LockName("F")); }
    [[nodiscard]] Attempt startWaiting() { return test::start(fairLock().tryLock(owner, Deadline::never(m_clock))); }
    [[nodiscard]] Deadline in(Milliseconds time) { return Deadline::in(m_clock, time); }
    void run(Script script) {
        if (script == Script::Acquire)
            QVERIFY(!test::waitFor(fairLock().tryLock(owner, in(0ms))).value().acquired());
        else if (script == Script::Release)
            QCOMPARE(test::waitFor(fairLock().unlock(owner)).value(), ReleaseOutcome::Free);
        else
            QVERIFY(test::waitFor(fairLock().forceUnlock()).value());
    }

    void write(const QString& step, Milliseconds ttl = 0ms) {
        RecordedState("fair_deadlines.json", step).writeTo(m_server, ttl, 300s);
    }
    void together(const QByteArray& commands) {
        m_hand.together(RecordedState::withUuids(QString::fromUtf8(commands)).toUtf8());
    }
    static QByteArray timeIn(Milliseconds time) {
        return QByteArray::number(QDateTime::currentMSecsSinceEpoch() + time.count());
    }
    static QStringList named(QStringList holders) {
        for (QString& holder : holders)
            holder = RecordedState::withUuids(holder);
        return holders;
    }
    [[nodiscard]] QStringList queue() {
        return m_server.cli({"LRANGE", queueKey, "0", "-1"}).split(u'\n', Qt::SkipEmptyParts);
    }
    // How often our client has tried: each script of a fair lock reads the server's clock once.
    [[nodiscard]] int asks() { return m_hand.calls("time"); }

    SystemClock m_clock;
    test::ManualClock m_stepped;
    test::RedisServer m_server;
    test::ServerHand m_hand{m_server};
    std::unique_ptr<LockClient> m_client;
};

LOCKKEEPER_TEST(TestFairQueue, Guiless)

}  // namespace tst_fairqueue

#include "tst_fairqueue.moc"
