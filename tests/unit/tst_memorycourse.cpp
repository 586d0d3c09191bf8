// SPDX-License-Identifier: Apache-2.0
#include "support/memorycourse.h"
#include "support/testprogram.h"

namespace tst_memorycourse {

using namespace lockkeeper::test;

class TestMemoryCourse : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLineLeavesOutTheBegin() {
        MemoryCourse course;
        for (int second = 0; second < 60; ++second)
            course.add(second, 10 + second);  // the memory grows at first
        for (int second = 60; second < 120; ++second)
            course.add(
                second,
                70 + (second - 60) / 60.0 + (second % 2 == 0 ? 0.1 : -0.1));  // after that it grows a megabyte a minute
        QVERIFY(std::abs(course.slopeFrom(60) - 1) < 0.05);
        QVERIFY(course.slopeFrom(0) > 20);
        QCOMPARE(course.megabytesAt(30.5), 41.0);
        QVERIFY(course.most() > 71);
    }

    void withoutSamplesThereIsNoLine() {
        MemoryCourse course;
        QCOMPARE(course.slopeFrom(0), 0.0);
        course.add(1, 5);
        QCOMPARE(course.slopeFrom(0), 0.0);
    }

    void readsThisProcess() {
        QVERIFY(MemoryCourse::residentMegabytes(QCoreApplication::applicationPid()) > 1);
        QCOMPARE(MemoryCourse::residentMegabytes(0), 0.0);
    }
};

LOCKKEEPER_TEST(TestMemoryCourse, Appless)

}  // namespace tst_memorycourse

#include "tst_memorycourse.moc"
