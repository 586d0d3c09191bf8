// SPDX-License-Identifier: Apache-2.0
#include "monitor/monitoroptions.h"
#include "monitor/observe/read/readpace.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_readpace {

using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

class TestReadPace : public QObject {
    Q_OBJECT

private:
    static void measure(ReadPace& pace, int times, std::chrono::nanoseconds roundTrip) {
        for (int i = 0; i < times; ++i)
            pace.addRoundTrip(roundTrip);
    }

private Q_SLOTS:
    void growsStepByStepWhileTheServerAnswersAsFastAsEver() {
        ReadPace pace({2000, 6000});
        measure(pace, 3, 100us);
        QCOMPARE(pace.perSecond(), 2000);
        pace.addRoundTrip(100us);
        QCOMPARE(pace.perSecond(), 2250);
        for (int i = 0; i < 100; ++i)
            pace.addRoundTrip(i % 4 == 0 ? 120us : 9ms);  // a disturbance of this machine does not come with each
        QCOMPARE(pace.perSecond(), 6000);
    }

    void aSlowerServerGetsOnlyWhatItAlwaysGets_data() {
        QTest::addColumn<std::chrono::nanoseconds>("shortest");
        QTest::addColumn<std::chrono::nanoseconds>("later");
        QTest::addColumn<int>("reads");
        using ns = std::chrono::nanoseconds;
        QTest::newRow("near, as fast") << ns(100us) << ns(1100us) << 6000;
        QTest::newRow("near, slower") << ns(100us) << ns(1200us) << 2000;
        QTest::newRow("far, as fast") << ns(40ms) << ns(50ms) << 6000;
        QTest::newRow("far, slower") << ns(40ms) << ns(52ms) << 2000;
    }
    void aSlowerServerGetsOnlyWhatItAlwaysGets() {
        QFETCH(std::chrono::nanoseconds, shortest);
        QFETCH(std::chrono::nanoseconds, later);
        QFETCH(int, reads);
        ReadPace pace({2000, 6000});
        measure(pace, 100, shortest);
        QCOMPARE(pace.perSecond(), 6000);
        measure(pace, 4, later);
        QCOMPARE(pace.perSecond(), reads);
    }

    void beginsSlowlyAfterARest() {
        ReadPace pace({2000, 6000});
        measure(pace, 100, 100us);
        pace.rest();
        QCOMPARE(pace.perSecond(), 2000);
        measure(pace, 4, 9ms);  // the shortest is still known
        QCOMPARE(pace.perSecond(), 2000);
    }

    void anotherConnectionHasOtherTimes() {
        ReadPace pace({2000, 6000});
        measure(pace, 100, 100us);
        pace.startOver();
        QCOMPARE(pace.perSecond(), 2000);
        measure(pace, 100, 9ms);
        QCOMPARE(pace.perSecond(), 6000);
    }

    void theShareOfSweepsIsTheMost_data() {
        QTest::addColumn<int>("share");
        QTest::addColumn<int>("followed");
        QTest::addColumn<int>("most");
        const int window = MonitorOptions::mostReadsForWindow;
        const int script = MonitorOptions::mostReadsForScript;
        QTest::newRow("less than is always allowed") << 1 << window << 2000;
        QTest::newRow("3 %") << 3 << window << 3750;
        QTest::newRow("the default") << 5 << window << 6250;
        QTest::newRow("the default, without a window") << 5 << script << 6250;
        QTest::newRow("10 %, without a window") << 10 << script << 12500;
        QTest::newRow("more than a window can show") << 100 << window << 6250;
        QTest::newRow("more than a script can follow") << 100 << script << 25000;
    }
    void theShareOfSweepsIsTheMost() {
        QFETCH(int, share);
        QFETCH(int, followed);
        MonitorOptions options;
        options.mostReadsPerSecond = followed;
        options.discovery.serverShare = share;
        QCOMPARE(options.readLimits().perSecond, 2000);
        QTEST(options.readLimits().mostPerSecond, "most");
    }
};

LOCKKEEPER_TEST(TestReadPace, Guiless)

}  // namespace tst_readpace

#include "tst_readpace.moc"
