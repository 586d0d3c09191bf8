// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/nameschedule.h"
#include "support/testprogram.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

const LockName a("a");
const LockName b("b");

SteadyTime at(Milliseconds time) {
    return SteadyTime(1h + time);
}

}  // namespace

class TestNameSchedule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isEmptyAtFirst() {
        NameSchedule agenda;
        QVERIFY(!agenda.earliest());
        QVERIFY(agenda.takeDue(SteadyTime::max()).isEmpty());
    }

    void handsOutWhatIsDueInItsOrderAndOnce() {
        NameSchedule agenda;
        agenda.set(a, at(20ms));
        agenda.set(b, at(10ms));
        QCOMPARE(agenda.earliest(), std::optional(at(10ms)));
        QVERIFY(agenda.takeDue(at(9ms)).isEmpty());
        QCOMPARE(agenda.takeDue(at(20ms)), (QList<LockName>{b, a}));
        QVERIFY(!agenda.earliest());
    }

    void aLockHasOneTime() {
        NameSchedule agenda;
        agenda.set(a, at(10ms));
        agenda.set(a, at(30ms));
        QVERIFY(agenda.takeDue(at(29ms)).isEmpty());
        QCOMPARE(agenda.takeDue(at(30ms)), QList<LockName>{a});
    }

    void aLockMayBeTakenOff() {
        NameSchedule agenda;
        agenda.set(a, at(10ms));
        agenda.set(a, std::nullopt);
        agenda.set(b, std::nullopt);
        QVERIFY(!agenda.earliest());
        agenda.set(a, at(10ms));
        QCOMPARE(agenda.takeDue(at(10ms)), QList<LockName>{a});
    }

    void locksOfOneTimeAreAllDue() {
        NameSchedule agenda;
        agenda.set(b, at(10ms));
        agenda.set(a, at(10ms));
        QCOMPARE(agenda.takeDue(at(10ms)).size(), 2);
    }
};

LOCKKEEPER_TEST(TestNameSchedule, Appless)
#include "tst_nameschedule.moc"
