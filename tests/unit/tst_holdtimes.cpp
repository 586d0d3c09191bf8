// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/lockhistory.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_holdtimes {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

class TestHoldTimes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void areNothingAtFirst() {
        const HoldTimes times;
        QCOMPARE(times.count(), 0);
        QCOMPARE(times.median(), 0ms);
        QCOMPARE(times.longest(), 0ms);
    }

    void theMedianDoesNotFollowOneOutlier() {
        HoldTimes times;
        for (const Milliseconds hold : {30ms, 10ms, 60000ms, 20ms, 40ms})
            times.add(hold);
        QCOMPARE(times.count(), 5);
        QCOMPARE(times.median(), 30ms);
        QCOMPARE(times.longest(), 60000ms);
    }

    void onlyTheLastFewCount() {
        HoldTimes times;
        for (int i = 0; i < HoldTimes::capacity; ++i)
            times.add(1h);
        for (int i = 0; i < HoldTimes::capacity; ++i)
            times.add(1ms);
        QCOMPARE(times.count(), HoldTimes::capacity);
        QCOMPARE(times.longest(), 1ms);
        QCOMPARE(times.median(), 1ms);
    }
};

LOCKKEEPER_TEST(TestHoldTimes, Appless)

}  // namespace tst_holdtimes

#include "tst_holdtimes.moc"
