// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "support/clocksteps.h"
#include "support/monitorprobe.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/testprogram.h"

#include <QTest>
#include <QTimer>

namespace tst_monitor_cost {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// How many times each command that reads and sweeps consist of has run.
QMap<QString, int> callsByCommand(RedisServer& server) {
    QMap<QString, int> calls;
    for (const QString& line : server.cli({"INFO", "commandstats"}).split('\n')) {
        if (line.startsWith("cmdstat_"))
            calls.insert(line.section(':', 0, 0).mid(8), line.section("calls=", 1).section(',', 0, 0).toInt());
    }
    return calls;
}

}  // namespace

// The load of watching on a real server.
class TestMonitorCost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() { m_server.stop(); }

    void idleLocksCostNothing();
    void aHotLockIsReadNoMoreThanTwentyTimesASecond();
    void aHotLocksReleasesAreCountedExactly();
    void aBigKeyspaceIsSampledForTokens();
    void allReadsStayWithinTheBudget();
    void hashesThatAreNoLocksAreReadOnceAndNeverTracked();
    void whatOnlyLooksLikeLocksIsLeftAlone();
    void aBigHashIsNotRead();
    void oddKeysAreNoLocks();

private:
    void takeMany(int locks);
    std::unique_ptr<redis::Connection> connection();

    RedisServer m_server;
    ServerHand m_hand{m_server};
    SystemClock m_clock;
};

std::unique_ptr<redis::Connection> TestMonitorCost::connection() {
    const auto options = m_server.options();
    auto made = std::make_unique<redis::Connection>(
        options, [options] { return redis::makeSocketTransport(options.endpoint); }, m_clock);
    made->open();
    if (!QTest::qWaitFor([&] { return made->isReady(); }))
        qFatal("no connection");
    return made;
}

void TestMonitorCost::takeMany(int locks) {
    m_server.cli(
        {"EVAL",
         "for i = 1, ARGV[2] do redis.call('hset', 'L' .. i, ARGV[1], 1) redis.call('pexpire', 'L' .. i, 60000) end",
         "0", alice.display(), QString::number(locks)});
}

void TestMonitorCost::idleLocksCostNothing() {
    constexpr int locks = 1000;
    takeMany(locks);
    MonitorProbe probe(m_server.options());
    QCOMPARE(probe.next(locks).size(), locks);
    QVERIFY(probe.waitForSweep());
    QVERIFY(probe.waitForSweep());
    const QMap<QString, int> before = callsByCommand(m_server);
    QVERIFY(probe.waitForSweep());
    QVERIFY(probe.waitForSweep());
    const QMap<QString, int> after = callsByCommand(m_server);
    // Sweeps go on; no other commands run, inside or outside scripts.
    const QStringList sweeps{"scan", "dbsize", "pubsub|channels", "pubsub|numsub", "info", "command", "command|docs"};
    for (auto it = after.begin(); it != after.end(); ++it) {
        if (!sweeps.contains(it.key()))
            QVERIFY2(it.value() == before.value(it.key()), qPrintable(it.key()));
    }
    QCOMPARE(probe.events.size(), size_t{0});
}

void TestMonitorCost::aHotLockIsReadNoMoreThanTwentyTimesASecond() {
    const auto worker = connection();
    ManualClock clock;
    const ClockSteps steps(clock);
    MonitorProbe probe(m_server.options(), {}, clock);
    QVERIFY(probe.waitForSweep());
    int holds = 0;
    QTimer work;
    connect(&work, &QTimer::timeout, this, [&] {
        for (int i = 0; i < 20; ++i, ++holds) {
            worker->send(redis::Command("HSET", {"hot", alice.bytes(), "1"}));
            worker->send(redis::Command("PEXPIRE", {"hot", "30000"}));
            worker->send(redis::Command("EVAL", {"redis.call('del', KEYS[1]) redis.call('publish', KEYS[2], '0')", "2",
                                                 "hot", "redisson_lock__channel:{hot}"}));
        }
    });
    const int before = m_hand.calls("evalsha_ro");
    work.start(1ms);
    QVERIFY(steps.runFor(3s));
    const int reads = m_hand.calls("evalsha_ro") - before;
    work.stop();
    QVERIFY2(holds > 1000, qPrintable(QString::number(holds)));
    QVERIFY2(reads >= 30 && reads <= 61, qPrintable(QString::number(reads)));
    // However many changes were merged, the last reported state is the true one. The worker must not change it
    // afterwards.
    bool isDone = false;
    worker->send(redis::Command("PING")).then([&isDone](const Result<redis::RespValue>&) { isDone = true; });
    QTRY_VERIFY(isDone);
    m_hand.take("hot", bob);
    QTRY_COMPARE(probe.row("hot")->lock.holders, QList<Holder>{exclusive(bob)});
}

void TestMonitorCost::aHotLocksReleasesAreCountedExactly() {
    const auto worker = connection();
    ManualClock clock;
    const ClockSteps steps(clock);
    MonitorProbe probe(m_server.options(), {}, clock);
    QVERIFY(probe.waitForSweep());
    m_hand.take("hot", alice);
    m_hand.release("hot");
    QTRY_VERIFY(probe.row("hot") && !probe.row("hot")->lock.isHeld());
    QVERIFY(probe.waitForSweep());
    quint64 holds = 0;
    const auto hold = [&] {
        worker->send(
            redis::Command("EVAL", {"redis.call('hset', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], 30000)",
                                    "1", "hot", alice.bytes()}));
        worker->send(redis::Command("EVAL", {"redis.call('del', KEYS[1]) redis.call('publish', KEYS[2], '0')", "2",
                                             "hot", "redisson_lock__channel:{hot}"}));
        ++holds;
    };
    QTimer work;
    connect(&work, &QTimer::timeout, this, [&] {
        for (int i = 0; i < 10; ++i)
            hold();
    });
    work.start(1ms);
    QVERIFY(steps.runFor(3s));
    work.stop();
    QVERIFY(steps.runFor(700ms));  // the rate is measured twice a second
    hold();
    const auto counted = [&] {
        const auto& throughput = probe.row("hot")->throughput;
        return throughput ? throughput->releases : quint64{0};
    };
    QTRY_COMPARE(counted(), holds);
    const Throughput busy = *probe.row("hot")->throughput;
    QVERIFY2(holds > 1000, qPrintable(QString::number(holds)));
    QCOMPARE(busy.counting, Throughput::Releases::Counted);
    QCOMPARE(busy.acquisitions, holds);
    QVERIFY(busy.window < 10s && busy.reads < 100);
    QVERIFY(busy.holds > 0);
    // The lock is no longer taken: its throughput is withdrawn.
    QTRY_VERIFY_WITH_TIMEOUT(!probe.row("hot")->throughput, 60000);
}

// Tokens are strings, and sweeps search for hashes.
void TestMonitorCost::aBigKeyspaceIsSampledForTokens() {
    m_server.cli({"EVAL", "for i = 1, 25000 do redis.call('set', 'redisson_lock_token:{job' .. i .. '}', i) end", "0"});
    MonitorOptions options;
    options.discovery.serverShare = 100;
    MonitorProbe probe(m_server.options(), options);
    QVERIFY(probe.waitForSweep());
    QTRY_VERIFY(probe.stats.tokenLitter);
    const TokenLitter litter = *probe.stats.tokenLitter;
    QVERIFY2(litter.estimate > 18'000 && litter.estimate < 32'000, qPrintable(QString::number(litter.estimate)));
    QVERIFY(litter.isLitter());
    QCOMPARE(litter.checked, 20);
    QCOMPARE(litter.leftOver, 20);
    QVERIFY(litter.sampledKeys < 2'000);
    QVERIFY(probe.rows.isEmpty());
}

void TestMonitorCost::allReadsStayWithinTheBudget() {
    constexpr int locks = 600;
    takeMany(locks);
    MonitorOptions options;
    options.readsPerSecond = 200;
    options.mostReadsPerSecond = 200;
    ManualClock clock;
    const ClockSteps steps(clock);
    const SteadyTime begin = clock.now();
    MonitorProbe probe(m_server.options(), options, clock);
    QCOMPARE(probe.next(locks, 60000).size(), locks);
    const int reads = m_hand.calls("evalsha_ro");
    const double seconds = std::chrono::duration<double>(clock.now() - begin).count();
    QVERIFY2(reads <= 200 * (seconds + 1), qPrintable(QStringLiteral("%1 reads in %2 s").arg(reads).arg(seconds)));
    QCOMPARE(probe.stats.readBudgetPerSecond, 200);
    QVERIFY(probe.stats.readsPerSecond > 100);
    QVERIFY(probe.stats.readsPerSecond <= 200);
    // The rate also falls to zero.
    QTRY_COMPARE_WITH_TIMEOUT(probe.stats.readsPerSecond, 0.0, 10000);
}

void TestMonitorCost::hashesThatAreNoLocksAreReadOnceAndNeverTracked() {
    constexpr int others = 8000;  // one in 128 is read again in a sweep, at random: enough keys to average that out
    m_server.cli({"EVAL", "for i = 1, ARGV[1] do redis.call('hset', 'session:' .. i, 'user', i) end", "0",
                  QString::number(others)});
    m_hand.take("L", alice);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.next(1), QByteArrayList{"found alice"});
    QVERIFY(probe.waitForSweep());
    const quint64 sweepsBefore = probe.sweeps;
    // If few appear at once, they are read like a lock, which shows that they are none.
    const auto reads = [this] { return m_hand.calls("hkeys") + m_hand.calls("hgetall"); };
    const int before = reads();
    QVERIFY(before > others);
    QVERIFY(probe.waitForSweep());
    const int again = reads() - before;
    const int sweeps = static_cast<int>(probe.sweeps - sweepsBefore);
    QVERIFY2(again < others / 75 * sweeps, qPrintable(QStringLiteral("%1 in %2 sweeps").arg(again).arg(sweeps)));
    QVERIFY(m_server.cli({"INFO", "stats"}).contains("tracking_total_keys:3"));  // L, its queue and its token
    QCOMPARE(probe.rows.size(), 1);
    QCOMPARE(probe.lastSweep.sweptKeys, quint64{others + 1});
}

// Such a read makes the server report the next change, which must not cause another read.
void TestMonitorCost::whatOnlyLooksLikeLocksIsLeftAlone() {
    for (int i = 0; i < 10; ++i)
        m_server.cli({"HSET", "alike" + QString::number(i), alice.display(), "no number"});
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    const int before = m_hand.calls("hgetall");
    QCOMPARE(before, 10);
    for (int i = 0; i < 50; ++i)
        m_server.cli({"HSET", "alike" + QString::number(i % 10), alice.display(), "nor this"});
    QVERIFY(probe.waitForSweep());
    // Each is read once if each write is reported; sweeps read them again now and then.
    QVERIFY(m_hand.calls("hgetall") - before <= 12);
    QCOMPARE(probe.rows.size(), 0);
}

void TestMonitorCost::aBigHashIsNotRead() {
    m_server.cli({"EVAL", "for i = 1, 100000 do redis.call('hset', 'big', ARGV[1] .. ':' .. i, 1) end", "0",
                  QString::fromLatin1(alice.client().bytes())});
    m_server.cli({"EVAL", "redis.call('hset', 'heavy', ARGV[1], string.rep('x', 10000000))", "0", alice.display()});
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.rows.size(), 0);
    QCOMPARE(m_hand.calls("hgetall"), 0);
    QCOMPARE(m_hand.calls("hkeys"), 1);
}

void TestMonitorCost::oddKeysAreNoLocks() {
    m_server.cli({"SET", "a string", alice.display()});
    m_server.cli({"RPUSH", "a list", alice.display()});
    m_server.cli({"HSET", "a field too many", alice.display(), "1", "x", "y"});
    m_server.cli({"HSET", "no number", alice.display(), "one"});
    m_server.cli({"HSET", "a zero", alice.display(), "0"});
    m_server.cli({"HSET", "redisson_lock_queue:{L}", alice.display(), "1"});
    m_hand.take("L", alice);
    MonitorProbe probe(m_server.options());
    QVERIFY(probe.waitForSweep());
    QCOMPARE(probe.rows.keys(), QByteArrayList{"L"});
    QCOMPARE(probe.row("L")->lock.kind, LockKind::Reentrant);
    QTRY_COMPARE(denialLines(probe.stats.denied), QStringList());
}

LOCKKEEPER_TEST(TestMonitorCost, Guiless)

}  // namespace tst_monitor_cost

#include "tst_monitor_cost.moc"
