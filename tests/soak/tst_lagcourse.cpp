// SPDX-License-Identifier: Apache-2.0
#include "soak/lagcourse.h"
#include "soak/soaktime.h"
#include "support/testprogram.h"

namespace tst_lagcourse {

using namespace lockkeeper;
using namespace lockkeeper::soak;
using namespace std::chrono_literals;

namespace {

// A hundred events in each second; lateOfEach: how many of them are late.
LagCourse courseOf(const QList<int>& lateOfEach) {
    LagCourse course(500ms);
    for (int second = 0; second < lateOfEach.size(); ++second) {
        for (int i = 0; i < 100 && lateOfEach[second] >= 0; ++i)
            course.add(at(second * 1s + i * 10ms), i < lateOfEach[second] ? 501ms : 500ms);
    }
    return course;
}

}  // namespace

class TestLagCourse : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isNormalAgain_data() {
        QTest::addColumn<QList<int>>("late");
        QTest::addColumn<int>("second");  // -1: never
        QTest::newRow("never late") << QList<int>{0, 0, 0, 0} << 0;
        QTest::newRow("five of a hundred are normal") << QList<int>{5, 5, 5, 5} << 0;
        QTest::newRow("six are not") << QList<int>{0, 6, 0, 0} << 2;
        QTest::newRow("the last late second counts") << QList<int>{50, 0, 50, 0} << 3;
        QTest::newRow("a second without events is not normal") << QList<int>{0, -1, -1, 0} << 3;
        QTest::newRow("late to the end") << QList<int>{0, 0, 0, 50} << -1;
    }
    void isNormalAgain() {
        QFETCH(const QList<int>, late);
        QFETCH(const int, second);
        const std::optional<WallTime> again = courseOf(late).normalAgain(at(0ms), at(4s));
        QCOMPARE(again.has_value(), second >= 0);
        if (again)
            QCOMPARE(*again - at(0ms), WallTime::duration(second * 1s));
    }

    void percentiles() {
        const LagCourse course = courseOf({40});
        QCOMPARE(course.percentile(0.5), 500ms);
        QCOMPARE(course.percentile(0.7), 501ms);
        QCOMPARE(course.percentile(1), 501ms);
        QCOMPARE(LagCourse(1ms).percentile(0.5), 0ms);
    }
};

LOCKKEEPER_TEST(TestLagCourse, Appless)

}  // namespace tst_lagcourse

#include "tst_lagcourse.moc"
