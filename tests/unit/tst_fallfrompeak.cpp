// SPDX-License-Identifier: Apache-2.0
#include "monitor/monitor.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_fallfrompeak {

using namespace lockkeeper::monitor;

class TestFallFromPeak : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itHasFallenAtHalfOfItsPeakAndOnce() {
        FallFromPeak number(10);
        for (const int value : {0, 40, 100, 80, 51})
            QVERIFY(!number.note(value));
        QVERIFY(number.note(50));
        QVERIFY(!number.note(50));
        QVERIFY(!number.note(26));
        QVERIFY(number.note(25));
    }

    void smallNumbersDoNotCount() {
        FallFromPeak number(10);
        QVERIFY(!number.note(9));
        QVERIFY(!number.note(0));
        QVERIFY(!number.note(10));
        QVERIFY(number.note(0));
    }
};

LOCKKEEPER_TEST(TestFallFromPeak, Appless)

}  // namespace tst_fallfrompeak

#include "tst_fallfrompeak.moc"
