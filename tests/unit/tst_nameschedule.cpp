// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/nameschedule.h"
#include "support/snapshottime.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_nameschedule {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;
using test::at;

namespace {

const LockName a("a");
const LockName b("b");

}  // namespace

class TestNameSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isEmptyAtFirst() {
        NameSchedule schedule;
        QVERIFY(!schedule.earliest());
        QVERIFY(schedule.takeDue(SteadyTime::max()).isEmpty());
    }

    void handsOutWhatIsDueInItsOrderAndOnce() {
        NameSchedule schedule;
        schedule.set(a, at(20ms));
        schedule.set(b, at(10ms));
        QCOMPARE(schedule.earliest(), std::optional(at(10ms)));
        QVERIFY(schedule.takeDue(at(9ms)).isEmpty());
        QCOMPARE(schedule.takeDue(at(20ms)), (QList<LockName>{b, a}));
        QVERIFY(!schedule.earliest());
    }

    void aLockHasOneTime() {
        NameSchedule schedule;
        schedule.set(a, at(10ms));
        schedule.set(a, at(30ms));
        QVERIFY(schedule.takeDue(at(29ms)).isEmpty());
        QCOMPARE(schedule.takeDue(at(30ms)), QList<LockName>{a});
    }

    void aLockMayBeBroughtForwardButNotPutOff() {
        NameSchedule schedule;
        schedule.bringForward(a, at(20ms));
        schedule.bringForward(a, at(30ms));
        QCOMPARE(schedule.earliest(), std::optional(at(20ms)));
        schedule.bringForward(a, at(10ms));
        QCOMPARE(schedule.takeDue(at(10ms)), QList<LockName>{a});
        QVERIFY(!schedule.earliest());
    }

    void aLockMayBeTakenOff() {
        NameSchedule schedule;
        schedule.set(a, at(10ms));
        schedule.set(a, std::nullopt);
        schedule.set(b, std::nullopt);
        QVERIFY(!schedule.earliest());
        schedule.set(a, at(10ms));
        QCOMPARE(schedule.takeDue(at(10ms)), QList<LockName>{a});
    }

    void locksOfOneTimeAreAllDue() {
        NameSchedule schedule;
        schedule.set(b, at(10ms));
        schedule.set(a, at(10ms));
        QCOMPARE(schedule.takeDue(at(10ms)).size(), 2);
    }
};

LOCKKEEPER_TEST(TestNameSchedule, Appless)

}  // namespace tst_nameschedule

#include "tst_nameschedule.moc"
