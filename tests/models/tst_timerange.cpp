// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"
#include "ui/timeline/timerange.h"

#include <QTest>

namespace tst_timerange {

using namespace lockkeeper;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

const WallTime noon(24h * 20'833 + 12h);

}  // namespace

class TestTimeRange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("TZ", "UTC"); }

    void turnsTimesIntoSharesAndBack() {
        const TimeRange range{noon, noon + 10s};
        QCOMPARE(range.fraction(noon + 5s), 0.5);
        QCOMPARE(range.fraction(noon - 10s), -1.0);
        QCOMPARE(range.at(0.25), noon + 2500ms);
        QVERIFY(range.contains(noon) && range.contains(noon + 10s) && !range.contains(noon + 11s));
    }

    void zoomsAroundAFixedTime() {
        const TimeRange range{noon, noon + 10s};
        QCOMPARE(range.zoomed(0.5, noon + 2s), (TimeRange{noon + 1s, noon + 6s}));
        QCOMPARE(range.zoomed(2, noon + 10s), (TimeRange{noon - 10s, noon + 10s}));
    }

    void zoomsNoFurtherThanItsBounds_data() {
        QTest::addColumn<double>("factor");
        QTest::addColumn<Milliseconds>("length");
        QTest::newRow("in") << 1e-9 << TimeRange::shortest;
        QTest::newRow("out") << 1e9 << TimeRange::longest;
    }
    void zoomsNoFurtherThanItsBounds() {
        QFETCH(const double, factor);
        QFETCH(const Milliseconds, length);
        const Milliseconds zoomed =
            std::chrono::round<Milliseconds>(TimeRange({noon, noon + 10s}).zoomed(factor, noon).length());
        QCOMPARE(zoomed, length);
    }

    void ticksAreRoundAndFew_data() {
        QTest::addColumn<Milliseconds>("length");
        QTest::addColumn<Milliseconds>("step");
        QTest::addColumn<QString>("first");
        QTest::newRow("50 ms") << Milliseconds(50) << Milliseconds(10) << QStringLiteral("12:00:00.010");
        QTest::newRow("10 s") << Milliseconds(10s) << Milliseconds(2s) << QStringLiteral("12:00:02");
        QTest::newRow("a minute") << Milliseconds(60s) << Milliseconds(10s) << QStringLiteral("12:00:10");
        QTest::newRow("an hour") << Milliseconds(1h) << Milliseconds(10min) << QStringLiteral("12:10");
        QTest::newRow("a day") << Milliseconds(24h) << Milliseconds(6h) << QStringLiteral("18:00");
        QTest::newRow("90 days") << TimeRange::longest << Milliseconds(28 * 24h) << QStringLiteral("2027-02-11");
    }
    void ticksAreRoundAndFew() {
        QFETCH(const Milliseconds, length);
        QFETCH(const Milliseconds, step);
        constexpr int most = 6;
        const TimeTicks ticks = ticksIn({noon + 1ms, noon + length}, most);
        QCOMPARE(ticks.step, step);
        QVERIFY(ticks.times.size() <= size_t(most));
        QTEST(ticks.text(ticks.times.front()), "first");
    }
};

LOCKKEEPER_TEST(TestTimeRange, Guiless)

}  // namespace tst_timerange

#include "tst_timerange.moc"
