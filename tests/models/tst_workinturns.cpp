// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/manualclock.h"
#include "ui/base/workinturns.h"

#include <QStringList>
#include <QTest>

#include <memory>

namespace tst_workinturns {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestWorkInTurns : public QObject {
    Q_OBJECT

private:
    // Counts the steps, with the items that each was allowed.
    struct Counting {
        QStringList* log;
        QString name;
        size_t left;

        void step(size_t items) {
            log->append(QStringLiteral("%1 %2").arg(name).arg(items));
            left -= std::min(left, items);
        }
        bool isDone() const { return left == 0; }
    };

    Counting items(size_t count, const char* name = "step") { return {&m_log, QString::fromLatin1(name), count}; }
    void begin(size_t count, const char* name = "step") { m_work->begin(items(count, name)); }
    // Runs so many turns of the loop; each has a mark before its steps.
    QStringList turns(int count) {
        m_log.clear();
        mark(count);
        m_clock.advance(0s);
        return m_log;
    }
    void mark(int left) {
        if (left == 0)
            return;
        m_log << QStringLiteral("|");
        const Clock::TimerId next = m_clock.schedule(m_clock.now(), [this, left] { mark(left - 1); });
        Q_UNUSED(next)
    }
    QStringList all() {
        m_log.clear();
        m_clock.advance(0s);
        return m_log;
    }

    ManualClock m_clock;
    QStringList m_log;
    std::unique_ptr<WorkInTurns<Counting>> m_work;
    const QString m_step = QStringLiteral("step %1").arg(itemsInATurn);

private Q_SLOTS:
    void init() {
        m_log.clear();
        m_work = std::make_unique<WorkInTurns<Counting>>(
            m_clock, [this](const Counting& work) { m_log << work.name + " done"; });
    }
    void cleanup() {
        m_work.reset();
        QVERIFY(!m_clock.hasTimers());
    }

    // The result of the work has a turn of its own.
    void aTurnHasOneStep() {
        begin(2 * itemsInATurn + 1);
        QCOMPARE(m_log, QStringList());
        QVERIFY(m_work->isUnderWay());
        QCOMPARE(turns(6), (QStringList{"|", m_step, "|", m_step, "|", m_step, "|", "step done", "|", "|"}));
    }

    void theLastStepMayBeFull() {
        begin(2 * itemsInATurn);
        QCOMPARE(all(), (QStringList{m_step, m_step, "step done"}));
        QVERIFY(!m_work->isUnderWay());
    }

    void whatIsDoneAlreadyHasNoStep() {
        begin(0);
        QCOMPARE(m_log, QStringList());
        QCOMPARE(all(), QStringList{"step done"});
    }

    void itCanBeginAgainAfterwards() {
        begin(1);
        QCOMPARE(all(), (QStringList{m_step, "step done"}));
        begin(itemsInATurn + 1);
        QCOMPARE(all(), (QStringList{m_step, m_step, "step done"}));
    }

    // The former work gets no further step, and has no result.
    void otherWorkTakesItsPlace() {
        begin(3 * itemsInATurn, "first");
        const Clock::TimerId between = m_clock.schedule(m_clock.now(), [this] { begin(1, "second"); });
        Q_UNUSED(between)
        const QString size = QString::number(itemsInATurn);
        QCOMPARE(all(), (QStringList{"first " + size, "second " + size, "second done"}));
    }

    void stoppedWorkHasNoTurn() {
        begin(3 * itemsInATurn);
        const Clock::TimerId between = m_clock.schedule(m_clock.now(), [this] { m_work->stop(); });
        Q_UNUSED(between)
        QCOMPARE(all(), QStringList{m_step});
        QVERIFY(!m_work->isUnderWay());
        QVERIFY(!m_clock.hasTimers());
    }

    void theOwnerMayEndBetweenTurns() {
        begin(3 * itemsInATurn);
        const Clock::TimerId between = m_clock.schedule(m_clock.now(), [this] { m_work.reset(); });
        Q_UNUSED(between)
        QCOMPARE(all(), QStringList{m_step});
        QVERIFY(!m_clock.hasTimers());
    }

    // The receiver of the work can still use it.
    void theOwnerMayEndWithTheWork() {
        m_work = std::make_unique<WorkInTurns<Counting>>(m_clock, [this](const Counting& work) {
            m_work.reset();
            m_log << work.name + " done";
        });
        begin(1);
        QCOMPARE(all(), (QStringList{m_step, "step done"}));
    }

    void theNextWorkMayBeginWithTheEndOfTheLast() {
        m_work = std::make_unique<WorkInTurns<Counting>>(m_clock, [this](const Counting& work) {
            m_log << work.name + " done";
            if (work.name == "first") {
                QVERIFY(!m_work->isUnderWay());
                begin(1, "second");
            }
        });
        begin(0, "first");
        QCOMPARE(all(), (QStringList{"first done", "second " + QString::number(itemsInATurn), "second done"}));
    }
};

LOCKKEEPER_TEST(TestWorkInTurns, Gui)

}  // namespace tst_workinturns

#include "tst_workinturns.moc"
