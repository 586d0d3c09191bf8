// SPDX-License-Identifier: Apache-2.0
#include "async/deadline.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_deadline {

using namespace lockkeeper;
using namespace std::chrono_literals;

class TestDeadline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void passesWithItsClock() {
        test::ManualClock clock;
        const Deadline deadline = Deadline::in(clock, 10ms);
        QVERIFY(!deadline.hasPassed());
        clock.advance(9ms);
        QVERIFY(!deadline.hasPassed());
        clock.advance(1ms);
        QVERIFY(deadline.hasPassed());
        QCOMPARE(&deadline.clock(), &clock);
    }

    void neverNeverPasses() {
        test::ManualClock clock;
        const Deadline deadline = Deadline::never(clock);
        clock.advance(24h * 365);
        QVERIFY(deadline.isNever());
        QVERIFY(!deadline.hasPassed());
    }

    // A wait longer than the clock can count is a wait without a limit, not one that has passed.
    void aTimeTooLongForTheClockIsNever_data() {
        QTest::addColumn<qint64>("nanoseconds");
        QTest::newRow("the longest") << std::numeric_limits<qint64>::max();
        QTest::newRow("one too many") << qint64{(SteadyTime::max() - test::ManualClock().now()).count()};
    }
    void aTimeTooLongForTheClockIsNever() {
        QFETCH(qint64, nanoseconds);
        test::ManualClock clock;
        QVERIFY(Deadline::in(clock, std::chrono::nanoseconds(nanoseconds)).isNever());
    }

    void theEarlierOfTwo() {
        test::ManualClock clock;
        const Deadline soon = Deadline::in(clock, 1ms);
        const Deadline later = Deadline::in(clock, 2ms);
        QCOMPARE(soon.earlier(later).time(), soon.time());
        QCOMPARE(later.earlier(soon).time(), soon.time());
        QCOMPARE(Deadline::never(clock).earlier(later).time(), later.time());
    }
};

LOCKKEEPER_TEST(TestDeadline, Guiless)

}  // namespace tst_deadline

#include "tst_deadline.moc"
