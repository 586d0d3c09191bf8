// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/throughputmeter.h"
#include "support/locksnapshots.h"
#include "support/snapshottime.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_throughputmeter {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// A lock that is taken at the beginning of each period and released after a while, without end, as a monitor on a
// tracking server observes it: reads at certain times, and between them the first push and each message.
class Beat {
public:
    Beat(Milliseconds period, Milliseconds hold, LockKind kind = LockKind::Reentrant)
        : m_period(period), m_hold(hold), m_kind(kind) {}

    Beat& readEach(Milliseconds pause, Milliseconds until) {
        for (Milliseconds now = m_last + pause; now <= until; now += pause)
            readAt(now);
        return *this;
    }
    Beat& readAt(Milliseconds now) {
        const LockSnapshot before = snapshotAt(m_last);
        const LockSnapshot after = snapshotAt(now);
        BetweenReads between;
        between.messages = m_mute ? 0 : releasesUpTo(now) - releasesUpTo(m_last);
        const Milliseconds release = nextRelease(m_last);
        between.firstMessageAt = at(release);
        const Milliseconds change = isHeld(m_last) ? release : nextAcquire(m_last);
        between.touch = change <= now ? KeyTouch::Touched : KeyTouch::Untouched;
        between.touchedAt = at(change);
        between.reception = m_hearing;
        meter.add(before, after, compareSnapshots(before, after, between), between);
        m_last = now;
        return *this;
    }
    // The holder publishes no messages, as with a spin lock.
    Beat& mute() {
        m_mute = true;
        return *this;
    }
    Beat& deaf() {
        m_hearing = Reception::Incomplete;
        return *this;
    }

    ThroughputMeter meter;

private:
    bool isHeld(Milliseconds time) const { return time % m_period < m_hold; }
    int releasesUpTo(Milliseconds time) const {
        return static_cast<int>(time / m_period) + (time % m_period >= m_hold ? 1 : 0);
    }
    Milliseconds nextAcquire(Milliseconds time) const { return (time / m_period + 1) * m_period; }
    Milliseconds nextRelease(Milliseconds time) const {
        return (time / m_period) * m_period + m_hold + (isHeld(time) ? 0ms : m_period);
    }
    LockSnapshot snapshotAt(Milliseconds time) const {
        if (!isHeld(time))
            return free(time, m_kind);
        const Milliseconds left = 30s - time % m_period;
        return snapshot(time, m_kind, {exclusive(alice)}, left);
    }

    Milliseconds m_period;
    Milliseconds m_hold;
    LockKind m_kind;
    Milliseconds m_last{0};
    bool m_mute = false;
    Reception m_hearing = Reception::Complete;
};

}  // namespace

class TestThroughputMeter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsAHotLockExactly() {
        // 100 holds of 4 ms a second, read 15 times a second.
        const std::optional<Throughput> reading = Beat(10ms, 4ms).readEach(67ms, 9983ms).meter.reading();
        QVERIFY(reading);
        QCOMPARE(reading->window, 9983ms);
        QCOMPARE(reading->reads, 149);
        QCOMPARE(reading->releases, quint64{998});
        QCOMPARE(reading->counting, Throughput::Releases::Counted);
        QVERIFY(reading->acquisitions >= 998 && reading->acquisitions <= 999);
        QVERIFY(reading->heldShare && reading->heldShare->atLeast < 0.4 && reading->heldShare->atMost > 0.4);
        QCOMPARE(reading->until, WallTime(9983ms));
        QCOMPARE(qRound(reading->perSecond(reading->releases)), 100);
    }

    void aHoldIsMeasuredFromItsFirstMoment() {
        const std::optional<Throughput> reading = Beat(10ms, 4ms).readEach(67ms, 9983ms).meter.reading();
        QVERIFY(reading->holds < reading->reads);  // counting only reads that found it free
        QVERIFY(reading->holds > 80);
        QCOMPARE(reading->median, std::optional(4ms));
        QVERIFY(reading->holds >= ThroughputMeter::fewestForNinetyNinth || !reading->ninetyNinth);
        const std::optional<Throughput> longer = Beat(10ms, 4ms).readEach(67ms, 20033ms).meter.reading();
        QCOMPARE(longer->holds, 128);
        QCOMPARE(longer->ninetyNinth, std::optional(4ms));
    }

    void aLockThatIsReadAtEachChangeIsMeasuredExactly() {
        Beat beat(1s, 250ms);
        for (Milliseconds second = 0s; second < 9s; second += 1s)
            beat.readAt(second + 250ms).readAt(second + 1s);
        const std::optional<Throughput> reading = beat.meter.reading();
        QCOMPARE(reading->releases, quint64{9});
        QVERIFY(reading->heldShare && std::abs(reading->heldShare->atLeast - 0.25) < 0.001);
        QCOMPARE(reading->heldShare->atMost, reading->heldShare->atLeast);
        QCOMPARE(reading->median, std::nullopt);  // fewer than ten
    }

    void theWindowMovesOn() {
        Beat beat(10ms, 4ms);
        beat.readEach(67ms, 60000ms);
        const std::optional<Throughput> reading = beat.meter.reading();
        QVERIFY(reading->window >= ThroughputMeter::window && reading->window < 11s);
        QVERIFY(reading->reads < 170);
    }

    // The server may be slow, or there are more changes than reads.
    void releasesAreThoseOfTheWindow_data() {
        QTest::addColumn<Milliseconds>("pause");
        QTest::newRow("read often") << 67ms;
        QTest::newRow("read late") << 4000ms;
        QTest::newRow("read later than the window is long") << 13000ms;
    }
    void releasesAreThoseOfTheWindow() {
        QFETCH(const Milliseconds, pause);
        const std::optional<Throughput> reading = Beat(10ms, 4ms).readEach(pause, 60000ms).meter.reading();
        QVERIFY(reading);
        const auto exact = static_cast<double>(reading->window.count()) / 10;
        QVERIFY2(std::abs(static_cast<double>(reading->releases) - exact) <= 1,
                 qPrintable(QStringLiteral("%1 in %2 ms").arg(reading->releases).arg(reading->window.count())));
    }

    void whatWasLongAgoIsNotInTheRate() {
        Beat beat(10ms, 4ms);
        beat.readEach(67ms, 5000ms);
        const SteadyTime active = beat.meter.lastActive();
        QVERIFY(active > at(4900ms) && active <= at(5000ms));
        // No change for a minute.
        const LockSnapshot before = free(5s);
        const LockSnapshot after = free(65s);
        BetweenReads between;
        between.touch = KeyTouch::Untouched;
        beat.meter.add(before, after, compareSnapshots(before, after, between), between);
        QCOMPARE(beat.meter.lastActive(), active);
        QVERIFY(!beat.meter.reading());
    }

    void saysWhereReleasesMayBeSilent_data() {
        QTest::addColumn<Beat*>("beat");
        QTest::newRow("no messages") << &(new Beat(10ms, 4ms))->deaf();
        QTest::newRow("a fair lock without a queue") << new Beat(10ms, 4ms, LockKind::Fair);
        QTest::newRow("readers leave in silence") << new Beat(10ms, 4ms, LockKind::ReadWrite);
    }
    void saysWhereReleasesMayBeSilent() {
        QFETCH(Beat*, beat);
        const std::unique_ptr<Beat> owner(beat);
        const std::optional<Throughput> reading = beat->readEach(67ms, 5000ms).meter.reading();
        QVERIFY(reading);
        QCOMPARE(reading->counting, Throughput::Releases::AtLeast);
    }

    void aSpinLocksAcquisitionsAreThoseThatWereSeen() {
        Beat beat(1s, 250ms);
        beat.mute();
        for (Milliseconds second = 0s; second < 9s; second += 1s)
            beat.readAt(second + 250ms).readAt(second + 1s);
        const std::optional<Throughput> reading = beat.meter.reading();
        QCOMPARE(reading->releases, quint64{0});
        QCOMPARE(reading->acquisitions, quint64{9});
        QCOMPARE(reading->counting, Throughput::Releases::AtLeast);
        QCOMPARE(reading->holds, 0);
    }

    void noHoldOfAReadWriteLockIsMeasured() {
        const std::optional<Throughput> reading =
            Beat(10ms, 4ms, LockKind::ReadWrite).readEach(67ms, 5000ms).meter.reading();
        QCOMPARE(reading->holds, 0);
    }

    void aHoldWhoseBeginWasNotReportedIsNotMeasured() {
        // The lock is handed over again and again: every read finds it held, each time by the next holder.
        ThroughputMeter meter;
        for (int i = 0; i < 100; ++i) {
            const LockSnapshot before = held(i * 67ms, i % 2 == 0 ? alice : bob);
            const LockSnapshot after = held((i + 1) * 67ms, i % 2 == 0 ? bob : alice);
            BetweenReads between;
            between.touch = KeyTouch::Touched;
            between.touchedAt = at(i * 67ms + 1ms);
            between.messages = 7;
            between.firstMessageAt = between.touchedAt;
            meter.add(before, after, compareSnapshots(before, after, between), between);
        }
        const std::optional<Throughput> reading = meter.reading();
        QCOMPARE(reading->releases, quint64{700});
        QCOMPARE(reading->acquisitions, quint64{700});
        QVERIFY(reading->heldShare->atLeast > 0.9 && reading->heldShare->atLeast < 1);
        QCOMPARE(reading->heldShare->atMost, 1.0);
        QCOMPARE(reading->holds, 0);
        QCOMPARE(reading->median, std::nullopt);
    }

    // "100 % held, by 10 reads" would say more than ten reads can show.
    void aShareIsARangeOrNothing_data() {
        QTest::addColumn<double>("found");
        QTest::addColumn<int>("reads");
        QTest::addColumn<int>("atLeast");  // percent; both -1: nothing
        QTest::addColumn<int>("atMost");
        QTest::newRow("held at each of ten reads") << 1.0 << 10 << 72 << 100;
        QTest::newRow("free at each of ten reads") << 0.0 << 10 << 0 << 28;
        QTest::newRow("half of many") << 0.5 << 150 << 42 << 58;
        QTest::newRow("half of ten: too wide to say") << 0.5 << 10 << -1 << -1;
        QTest::newRow("two reads") << 1.0 << 2 << -1 << -1;
        QTest::newRow("no reads") << 1.0 << 0 << -1 << -1;
    }
    void aShareIsARangeOrNothing() {
        QFETCH(const double, found);
        QFETCH(const int, reads);
        const std::optional<Throughput::Share> share = ifTelling(shareBySample(found, reads));
        QTEST(share ? qRound(share->atLeast * 100) : -1, "atLeast");
        QTEST(share ? qRound(share->atMost * 100) : -1, "atMost");
    }

    // The lock changes between all reads, so they are all that is known of it.
    void fewReadsOfAHotLockSayARange() {
        ThroughputMeter meter;
        for (int i = 0; i < 10; ++i) {
            const LockSnapshot before = held(i * 150ms, i % 2 == 0 ? alice : bob);
            const LockSnapshot after = held((i + 1) * 150ms, i % 2 == 0 ? bob : alice);
            BetweenReads between;
            between.touch = KeyTouch::Touched;
            between.touchedAt = at(i * 150ms);
            between.messages = 7;
            between.firstMessageAt = between.touchedAt;
            meter.add(before, after, compareSnapshots(before, after, between), between);
        }
        const std::optional<Throughput> reading = meter.reading();
        QVERIFY(reading && reading->heldShare);
        QCOMPARE(reading->reads, 10);
        QCOMPARE(qRound(reading->heldShare->atLeast * 100), 72);
        QCOMPARE(reading->heldShare->atMost, 1.0);
    }

    void isNotBusy_data() {
        QTest::addColumn<Milliseconds>("period");
        QTest::addColumn<Milliseconds>("until");
        QTest::newRow("too short a time") << 10ms << 900ms;
        QTest::newRow("four times in ten seconds") << 2500ms << 10000ms;
    }
    void isNotBusy() {
        QFETCH(Milliseconds, period);
        QFETCH(Milliseconds, until);
        QVERIFY(!Beat(period, 4ms).readEach(67ms, until).meter.reading());
    }

    // Two spans in a row are longer than half a second.
    void isSmall() { QVERIFY(sizeof(ThroughputMeter) + 42 * 48 < 3 * 1024); }
};

LOCKKEEPER_TEST(TestThroughputMeter, Appless)

}  // namespace tst_throughputmeter

#include "tst_throughputmeter.moc"
