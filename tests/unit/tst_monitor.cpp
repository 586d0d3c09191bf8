// SPDX-License-Identifier: Apache-2.0
#include "monitor/monitor.h"
#include "support/lockreplies.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_monitor {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// The Monitor between a fake server and the receiver of its batches.
class TestMonitor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void connectsOnceBeforeItSweeps();
    void aBatchComesAtOnceAfterAQuietTime();
    void thenNoSoonerThanTheInterval();
    void withoutAnIntervalEachTurnMakesABatch();
    void nothingComesWhenNothingChanges();
    void figuresComeTwiceASecondAtMost();
    void theFigureOfReadsFallsBackToZero();
    void readsOnceMoreWhenARenewalIsOverdue();
    void aRenewalPutsThatReadOff();
    void theFirstFailureEndsIt();
    void aLossIsReconnecting();
    void startingOverIsReconnectingUntilAllIsReadAgain();
    void theNextAttemptNeedNotWait();
    void mayBeStoppedFromItsOwnSignals();
    void aForgottenLockThatIsTouchedIsReadWithoutTracking();
    void withoutTheOtherConnectionItIsReadWhereItIsTracked();
    void aLockWithoutRoomIsReadAgainAfterItsNextMessage();

private:
    QByteArrayList readsOn(size_t link);
    void renewTwice();
    QByteArrayList diagnoses() const;
    void make(const MonitorOptions& options = {});
    // Answers all commands until no more come.
    void play();
    void playLink(FakeLink& link);
    FakeLink& observer() { return m_server->link(0); }

    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<FakeServer> m_server;
    std::unique_ptr<Monitor> m_monitor;
    std::vector<MonitorBatch> m_batches;
    std::vector<MonitorPhase> m_phases;
    QMap<QByteArray, QByteArray> m_locks;  // by name: the server's answer
};

void TestMonitor::init() {
    m_clock = std::make_unique<ManualClock>();
    m_server = std::make_unique<FakeServer>();
    m_batches.clear();
    m_phases.clear();
    m_locks = {{"L", heldReply(alice, 1, -1)}};
}

void TestMonitor::cleanup() {
    m_monitor.reset();
    turnEventLoop();
    QVERIFY(!m_clock->hasTimers());
}

void TestMonitor::make(const MonitorOptions& options) {
    m_monitor = std::make_unique<Monitor>(redis::ConnectionOptions(), m_server->factory(), *m_clock, options);
    connect(m_monitor.get(), &Monitor::batchReady, this,
            [this](const SharedBatch& batch) { m_batches.push_back(*batch); });
    connect(m_monitor.get(), &Monitor::statusChanged, this,
            [this](const MonitorStatus& status) { m_phases.push_back(status.phase); });
    m_monitor->start();
}

void TestMonitor::playLink(FakeLink& link) {
    for (QList<QByteArrayList> commands = link.takeCommands(); !commands.isEmpty(); commands = link.takeCommands()) {
        for (const QByteArrayList& command : commands) {
            const QByteArray name = command.value(0);
            if (name == "PSUBSCRIBE")
                link.reply(subscribedReply(command.value(1)));
            else if (name == "DBSIZE")
                link.reply(number(m_locks.size()));
            else if (name == "PUBSUB")
                link.reply("*0\r\n");
            else if (name == "SCAN")
                link.reply("*2\r\n" + bulk("0") + list(m_locks.keys()));
            else if (name == "EVALSHA_RO")
                link.reply(m_locks.value(command.value(3), freeReply()));
            else
                link.reply("+OK\r\n");
        }
    }
}

void TestMonitor::play() {
    m_server->acceptAll();
    for (int rounds = 0; rounds < 3; ++rounds) {
        for (size_t i = 0; i < m_server->linkCount(); ++i) {
            if (m_server->link(i).isOpen())
                playLink(m_server->link(i));
            m_server->acceptAll();
        }
    }
    m_clock->advance(0ms);
}

void TestMonitor::connectsOnceBeforeItSweeps() {
    make();
    QCOMPARE(m_phases, std::vector<MonitorPhase>{MonitorPhase::Connecting});
    QCOMPARE(m_server->linkCount(), size_t{1});
    m_server->acceptAll();
    QCOMPARE(m_phases.back(), MonitorPhase::Watching);
    QCOMPARE(m_server->linkCount(), size_t{1});  // only after messages are received
    play();
    QCOMPARE(m_server->linkCount(), size_t{2});
    QVERIFY(m_monitor->row(LockName("L")));
    QCOMPARE(m_monitor->status().server.version, QByteArray("7.0.15"));
}

void TestMonitor::aBatchComesAtOnceAfterAQuietTime() {
    make();
    play();
    m_clock->advance(60ms);
    m_batches.clear();
    m_locks["L"] = heldReply(alice, 2, -1);
    observer().reply(invalidation("L"));
    playLink(observer());
    m_clock->advance(0ms);
    QCOMPARE(m_batches.size(), size_t{1});
    QCOMPARE(described(m_batches.front().events), QByteArrayList{"reentered alice"});
    QCOMPARE(m_batches.front().changed.size(), size_t{1});
}

void TestMonitor::thenNoSoonerThanTheInterval() {
    aBatchComesAtOnceAfterAQuietTime();
    for (int count = 3; count < 6; ++count) {
        m_locks["L"] = heldReply(alice, count, -1);
        observer().reply(invalidation("L"));
        m_clock->advance(5ms);
        playLink(observer());
    }
    m_clock->advance(34ms);
    QCOMPARE(m_batches.size(), size_t{1});
    m_clock->advance(1ms);
    QCOMPARE(m_batches.size(), size_t{2});
    QCOMPARE(m_batches.back().changed.size(), size_t{1});
    QVERIFY(m_batches.back().events.size() >= 2);
}

void TestMonitor::withoutAnIntervalEachTurnMakesABatch() {
    MonitorOptions options;
    options.batchInterval = 0ms;
    make(options);
    play();
    m_clock->advance(600ms);
    m_batches.clear();
    for (int count = 2; count < 4; ++count) {
        m_locks["L"] = heldReply(alice, count, -1);
        observer().reply(invalidation("L"));
        playLink(observer());
        m_clock->advance(0ms);
    }
    size_t withEvents = 0;
    for (const MonitorBatch& batch : m_batches)
        withEvents += batch.events.empty() ? 0 : 1;
    QCOMPARE(withEvents, size_t{2});
}

void TestMonitor::nothingComesWhenNothingChanges() {
    make();
    play();
    m_clock->advance(1400ms);  // the rate of reads falls to zero, and then nothing happens until the next sweep
    m_batches.clear();
    m_clock->advance(90ms);
    QCOMPARE(m_batches.size(), size_t{0});
}

void TestMonitor::figuresComeTwiceASecondAtMost() {
    make();
    play();
    std::deque<SteadyTime> times;
    for (int i = 0; i < 3000; i += 10) {
        const size_t before = m_batches.size();
        m_clock->advance(10ms);
        play();
        for (size_t j = before; j < m_batches.size(); ++j) {
            if (!m_batches[j].stats)
                continue;
            if (!times.empty())
                QVERIFY(m_clock->now() - times.back() >= 490ms);
            times.push_back(m_clock->now());
        }
    }
    QVERIFY(times.size() >= 3);
}

void TestMonitor::theFigureOfReadsFallsBackToZero() {
    make();
    play();
    m_clock->advance(0ms);
    QCOMPARE(m_batches.back().stats->readsPerSecond, 2.0);  // one read when it was found, one when it was watched
    QCOMPARE(m_batches.back().stats->readBudgetPerSecond, 2000);
    m_clock->advance(1s);  // read again, because it has no TTL
    play();
    m_clock->advance(1400ms);
    QCOMPARE(m_batches.back().stats->readsPerSecond, 0.0);
}

// The lock is found with 20 s left, renewed to 30 s at once and again 10 s later.
void TestMonitor::renewTwice() {
    m_locks["L"] = heldReply(alice, 1, 20000);
    make();
    play();
    for (const Milliseconds later : {1s, 10s}) {
        m_clock->advance(later);
        m_locks["L"] = heldReply(alice, 1, 30000);
        observer().reply(invalidation("L"));
        play();
    }
}

QByteArrayList TestMonitor::diagnoses() const {
    QByteArrayList words;
    for (const MonitorBatch& batch : m_batches) {
        for (const LockEvent& event : batch.events) {
            if (event.diagnosis)
                words << (wordFor(event.phase) + ' ' + wordFor(event.diagnosis->kind())).toLatin1();
        }
    }
    return words;
}

void TestMonitor::readsOnceMoreWhenARenewalIsOverdue() {
    renewTwice();
    m_clock->advance(13s);
    m_locks["L"] = heldReply(alice, 1, 17000 - 1);
    play();
    QCOMPARE(diagnoses(), QByteArrayList());
    m_clock->advance(1ms);
    play();
    m_clock->advance(50ms);
    QCOMPARE(diagnoses(), QByteArrayList{"begin watchdog_stopped"});
    m_clock->advance(500ms);
    QCOMPARE(m_batches.back().stats->faultyLocks, 1);

    m_locks["L"] = heldReply(alice, 1, 30000);
    observer().reply(invalidation("L"));
    play();
    m_clock->advance(50ms);
    QCOMPARE(diagnoses(), QByteArrayList({"begin watchdog_stopped", "end watchdog_stopped"}));
}

void TestMonitor::aRenewalPutsThatReadOff() {
    renewTwice();
    m_clock->advance(12s);
    observer().reply(invalidation("L"));
    play();
    m_clock->advance(12s);
    for (const QByteArrayList& command : observer().takeCommands())
        QVERIFY2(command.value(0) != "EVALSHA_RO", "it was read before its time");
}

void TestMonitor::theFirstFailureEndsIt() {
    make();
    observer().transport()->fail(ErrorCode::ConnectionRefused, "refused");
    turnEventLoop();
    QCOMPARE(m_phases, (std::vector<MonitorPhase>{MonitorPhase::Connecting, MonitorPhase::Failed}));
    QCOMPARE(m_monitor->status().error->code, ErrorCode::ConnectionRefused);
    m_clock->advance(60s);
    QCOMPARE(m_server->linkCount(), size_t{1});
}

void TestMonitor::aLossIsReconnecting() {
    make();
    play();
    const WallTime heard = m_clock->wallNow();
    m_clock->advance(700ms);
    observer().lose();
    QCOMPARE(m_monitor->status().phase, MonitorPhase::Reconnecting);
    QCOMPARE(m_monitor->status().lastHeard, heard);
    const std::optional<SteadyTime> next = m_monitor->status().nextAttempt;
    QVERIFY(next && *next > m_clock->now());
    m_clock->advance(*next - m_clock->now());
    QVERIFY(!m_monitor->status().nextAttempt);
    m_clock->advance(500ms);
    play();
    QCOMPARE(m_monitor->status().phase, MonitorPhase::Watching);
    QVERIFY(!m_monitor->status().error);
    m_clock->advance(100ms);
    QByteArrayList events;
    for (const MonitorBatch& batch : m_batches)
        events += described(batch.events);
    QCOMPARE(events.count("not_watched"), 1);
}

void TestMonitor::startingOverIsReconnectingUntilAllIsReadAgain() {
    make();
    play();
    const WallTime heard = m_clock->wallNow();
    m_clock->passUnnoticed(1h);
    m_locks["L"] = heldReply(bob, 1, -1);
    m_monitor->startOver(Error(ErrorCode::ConnectionLost, Cause::ServerSilent, {QStringLiteral("3600")}));
    QCOMPARE(m_monitor->status().phase, MonitorPhase::Reconnecting);
    QCOMPARE(m_monitor->status().lastHeard, heard);
    QCOMPARE(m_monitor->status().error->cause, Cause::ServerSilent);
    play();
    QCOMPARE(m_monitor->status().phase, MonitorPhase::Watching);
    m_clock->advance(100ms);
    QByteArrayList events;
    for (const MonitorBatch& batch : m_batches)
        events += described(batch.events);
    QCOMPARE(events.count("not_watched"), 1);
    QVERIFY(m_monitor->row(LockName("L"))->lock.holders.first().id == bob);
}

void TestMonitor::theNextAttemptNeedNotWait() {
    make();
    play();
    observer().lose();
    play();
    QCOMPARE(m_monitor->status().phase, MonitorPhase::Reconnecting);
    m_monitor->retryNow();
    m_clock->advance(0ms);
    play();
    QCOMPARE(m_monitor->status().phase, MonitorPhase::Watching);
}

void TestMonitor::mayBeStoppedFromItsOwnSignals() {
    make();
    connect(m_monitor.get(), &Monitor::batchReady, m_monitor.get(), &Monitor::stop);
    play();
    m_clock->advance(1s);
    QVERIFY(!observer().isOpen());
    const size_t batches = m_batches.size();
    m_clock->advance(60s);
    QCOMPARE(m_batches.size(), batches);
}

// The names that are read on this link now; answers these and all other commands.
QByteArrayList TestMonitor::readsOn(size_t link) {
    QByteArrayList names;
    for (const QByteArrayList& command : m_server->link(link).takeCommands()) {
        const bool isRead = command.value(0) == "EVALSHA_RO";
        if (isRead)
            names << command.value(3);
        m_server->link(link).reply(isRead ? m_locks.value(command.value(3), freeReply())
                                          : QByteArrayLiteral("+OK\r\n"));
    }
    return names;
}

// Each tracked read puts three keys into the server's table. If it is full, as many others leave it, and the server
// reports these: reads that track would go on for ever.
void TestMonitor::aForgottenLockThatIsTouchedIsReadWithoutTracking() {
    constexpr size_t tracking = 0;
    constexpr size_t discovery = 1;
    MonitorOptions options;
    options.limits.keepFree = 1s;
    make(options);
    play();
    m_locks.clear();
    observer().reply(invalidation("L"));
    play();
    m_clock->advance(1s);
    QVERIFY(!m_monitor->row(LockName("L")));
    play();
    observer().reply(invalidation("L") + invalidation("redisson_lock_queue:{L}") +
                     invalidation("redisson_lock_token:{L}"));
    QCOMPARE(readsOn(tracking), QByteArrayList());
    QCOMPARE(readsOn(discovery), QByteArrayList{"L"});
    QVERIFY(!m_monitor->row(LockName("L")));
    m_clock->advance(1s);
    play();
    // If it is a lock again, it is watched as any other.
    m_locks["L"] = heldReply(bob, 1, -1);
    observer().reply(invalidation("L"));
    QCOMPARE(readsOn(tracking), QByteArrayList());
    QCOMPARE(readsOn(discovery), QByteArrayList{"L"});
    QCOMPARE(readsOn(tracking), QByteArrayList{"L"});
    QVERIFY(m_monitor->row(LockName("L"))->lock.isHeldBy(bob));
}

// As while the second connection is still being opened.
void TestMonitor::withoutTheOtherConnectionItIsReadWhereItIsTracked() {
    constexpr size_t tracking = 0;
    MonitorOptions options;
    options.knownNames = {LockName("K")};
    make(options);
    m_server->acceptAll();
    playLink(observer());
    QCOMPARE(m_server->linkCount(), size_t{2});
    QVERIFY(!m_monitor->row(LockName("K")));
    m_locks["K"] = heldReply(bob, 1, -1);
    observer().reply(invalidation("K"));
    QCOMPARE(readsOn(tracking), QByteArrayList{"K"});
    QVERIFY(m_monitor->row(LockName("K")));
    // A table that is full does not lead to reads without end here, either.
    for (int i = 0; i < 1000; ++i)
        observer().reply(invalidation("gone:" + QByteArray::number(i)));
    qsizetype reads = 0;
    for (qsizetype more = 1; more > 0; reads += more) {
        more = readsOn(tracking).size();
        m_clock->advance(10ms);
    }
    QVERIFY2(reads > 1 && reads <= VainReads::most + 2, qPrintable(QString::number(reads)));
}

// It is not forgotten for ever that a lock did not fit: later there may be room.
void TestMonitor::aLockWithoutRoomIsReadAgainAfterItsNextMessage() {
    constexpr size_t discovery = 1;
    MonitorOptions options;
    options.limits.rows = 1;
    make(options);
    play();
    m_locks["S"] = heldReply(bob, 1, -1);
    const QByteArray message = messageOn("redisson_lock__channel:{S}");
    observer().reply(message);
    QCOMPARE(readsOn(discovery), QByteArrayList{"S"});
    QVERIFY(!m_monitor->row(LockName("S")));
    m_locks["L"] = freeReply();
    observer().reply(invalidation("L"));
    play();
    m_clock->advance(1s);
    play();
    observer().reply(message);
    QCOMPARE(readsOn(discovery), QByteArrayList{"S"});
    QVERIFY(m_monitor->row(LockName("S")));
}

LOCKKEEPER_TEST(TestMonitor, Guiless)

}  // namespace tst_monitor

#include "tst_monitor.moc"
