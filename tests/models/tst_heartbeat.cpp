// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/manualclock.h"
#include "support/samplelocks.h"
#include "ui/locks/model/heartbeat.h"

#include <QTest>

#include <algorithm>
#include <array>

namespace tst_heartbeat {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestHeartbeat : public QObject {
    Q_OBJECT

private:
    // Held for 60 s with a lease of 30 s; the last renewal was `ago` ago, and the ones before it so long before that.
    monitor::LockRow renewed(Milliseconds ago, quint32 renewals, std::array<std::chrono::seconds, 3> before) const {
        monitor::LockRow row = heldRow(m_clock, lockName("L"), 30s - ago);
        row.hold.since = m_clock.now() - 60s;
        row.hold.peakTtl = 30s;
        row.hold.renewals = renewals;
        row.hold.lastRenewal = m_clock.now() - ago;
        for (size_t i = 0; i < before.size(); ++i)
            row.hold.earlierRenewals.at(i) = before.at(i);
        return row;
    }
    Heartbeat of(const monitor::LockRow& row) const { return heartbeat(row, m_time); }
    // Where something stands that happens so many seconds after now, of a lease of 30 s.
    static double place(double seconds) { return Heartbeat::now * (1 + seconds / 30); }
    static bool areEqual(double a, double b) { return qAbs(a - b) < 0.001; }

    ManualClock m_clock;
    ViewTime m_time{m_clock};

private Q_SLOTS:
    void init() { m_time.follow(connected()); }

    void aFreeLockHasNone() { QCOMPARE(of(freeRow(m_clock, lockName("L"))), Heartbeat()); }

    void aLockWithoutATtlHasNoSaw() { QVERIFY(of(neverExpiringRow(m_clock, lockName("L"))).saw.isEmpty()); }

    // Nothing shows whether it will be renewed.
    void aLeaseThatWasNotRenewedFallsAlone() {
        monitor::LockRow row = heldRow(m_clock, lockName("L"), 20s);
        row.hold.peakTtl = 30s;
        row.hold.since = m_clock.now() - 10s;
        const Heartbeat picture = of(row);
        QCOMPARE(picture.saw.size(), 2);
        QVERIFY(areEqual(picture.saw.first().x(), place(-10)));
        QVERIFY(areEqual(picture.saw.first().y(), 1));
        QVERIFY(areEqual(picture.saw.last().x(), Heartbeat::now));
        QVERIFY(areEqual(picture.saw.last().y(), 2.0 / 3));
        QVERIFY(picture.beats.isEmpty());
        QVERIFY(!picture.due);
        QVERIFY(picture.count.isEmpty());
    }

    void eachRenewalIsATooth() {
        const Heartbeat picture = of(renewed(4s, 5, {10s, 20s, 30s}));
        QCOMPARE(picture.count, QStringLiteral("5"));
        QCOMPARE(picture.beats.size(), 3);  // the fourth is longer ago than a lease
        for (const auto& [beat, seconds] : {std::pair(0, -24.0), std::pair(1, -14.0), std::pair(2, -4.0)})
            QVERIFY(areEqual(picture.beats.at(beat), place(seconds)));
        QVERIFY(areEqual(picture.saw.first().x(), 0));
        QVERIFY(areEqual(picture.saw.last().y(), 26.0 / 30));
        QVERIFY(std::ranges::is_sorted(picture.saw, {}, &QPointF::x));
        for (const QPointF point : picture.saw)
            QVERIFY(point.x() >= 0 && point.x() <= Heartbeat::now && point.y() >= 0 && point.y() <= 1);
    }

    void theNextRenewalIsDueAfterTheIntervalOfTheLastTwo() {
        const Heartbeat picture = of(renewed(4s, 5, {9s, 19s, 29s}));
        QVERIFY(picture.due);
        QVERIFY(areEqual(*picture.due, place(5)));
        QVERIFY(!picture.isLate);
    }

    // The first one shows it as well, if the begin was seen.
    void theNextRenewalIsDueAfterTheFirstInterval() {
        monitor::LockRow row = renewed(4s, 1, {});
        row.hold.since = m_clock.now() - 14s;
        QVERIFY(areEqual(of(row).due.value_or(0), place(6)));
        row.hold.begin = monitor::HoldBegin::NotSeen;
        QVERIFY(!of(row).due);
    }

    // A reader that joins raises the TTL, too.
    void noRenewalIsDueAfterOneThatNoWatchdogMakes_data() {
        QTest::addColumn<int>("interval");
        QTest::newRow("much too early") << 2;
        QTest::newRow("too late") << 20;
    }
    void noRenewalIsDueAfterOneThatNoWatchdogMakes() {
        QFETCH(const int, interval);
        const Heartbeat picture = of(renewed(4s, 5, {std::chrono::seconds(interval), 22s, 23s}));
        QVERIFY(!picture.due);
        QVERIFY(!picture.isLate);
    }

    void aRenewalThatDidNotComeIsLate_data() {
        QTest::addColumn<Milliseconds>("ago");
        QTest::addColumn<bool>("late");
        QTest::newRow("before it is due") << Milliseconds(9s) << false;
        QTest::newRow("somewhat later") << Milliseconds(14s) << false;
        QTest::newRow("half an interval later") << Milliseconds(16s) << true;
    }
    void aRenewalThatDidNotComeIsLate() {
        QFETCH(const Milliseconds, ago);
        QTEST(of(renewed(ago, 5, {10s, 20s, 30s})).isLate, "late");
    }

    void whatIsNotKnownIsNotDrawn() {
        const Heartbeat picture = of(renewed(4s, 5, {}));
        QCOMPARE(picture.beats.size(), 1);
        QVERIFY(areEqual(picture.saw.first().x(), place(-4)));
        QVERIFY(!picture.due);
    }

    void standsStillWithoutAConnection() {
        const monitor::LockRow row = renewed(4s, 5, {10s, 20s, 30s});
        m_time.follow(reconnecting(m_clock.wallNow()));
        const Heartbeat picture = of(row);
        QVERIFY(!picture.isLive);
        m_clock.advance(20s);
        QCOMPARE(of(row), picture);
    }

    void aLeaseThatIsOverIsEmpty() {
        const Heartbeat picture = of(renewed(45s, 5, {10s, 20s, 30s}));
        QVERIFY(areEqual(picture.saw.last().y(), 0));
        QVERIFY(picture.beats.isEmpty());
        QVERIFY(picture.isLate);
    }
};

LOCKKEEPER_TEST(TestHeartbeat, Gui)

}  // namespace tst_heartbeat

#include "tst_heartbeat.moc"
