// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/manualclock.h"
#include "ui/locks/overview/handovercounts.h"
#include "ui/locks/overview/overviewhistory.h"

#include <QTest>

namespace tst_overviewhistory {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// The figures of the overview over time, and which locks were taken most often.
class TestOverviewHistory : public QObject {
    Q_OBJECT

private:
    static constexpr Milliseconds step = OverviewHistory::step;
    static Figures figures(double held, double handOvers) {
        Figures all{};
        all[static_cast<size_t>(Figure::Held)] = held;
        all[static_cast<size_t>(Figure::HandOvers)] = handOvers;
        return all;
    }
    // "-": not known.
    QString series(Figure figure) const {
        QStringList texts;
        for (const std::optional<double>& value : m_history.series(figure, m_clock.now()))
            texts << (value ? QString::number(*value) : QStringLiteral("-"));
        return texts.join(u' ');
    }
    void note(double held, double handOvers = 0) { m_history.note(m_clock.now(), figures(held, handOvers)); }
    QStringList top(size_t count) const {
        QStringList texts;
        const HandOverCounts::Counts top = m_counts.top(m_clock.now(), count);
        for (const auto& [lock, handOvers] : top.entries())
            texts << QStringLiteral("%1 %2").arg(lock.display()).arg(handOvers);
        return texts;
    }

    ManualClock m_clock;
    OverviewHistory m_history;
    HandOverCounts m_counts;

private Q_SLOTS:
    void init() {
        m_history = {};
        m_counts = {};
    }

    void theLatestFiguresOfAStepCount() {
        QCOMPARE(series(Figure::Held), QString());
        note(3);
        note(5);
        m_clock.advance(step);
        note(4);
        QCOMPARE(series(Figure::Held), QStringLiteral("5 4"));
    }

    // Locks that were held are still held; nothing was handed over.
    void withoutANoteNothingHasChanged() {
        note(3, 7);
        m_clock.advance(2 * step);
        QCOMPARE(series(Figure::Held), QStringLiteral("3 3 3"));
        QCOMPARE(series(Figure::HandOvers), QStringLiteral("7 0 0"));
        note(1, 2);
        QCOMPARE(series(Figure::HandOvers), QStringLiteral("7 0 2"));
    }

    void anInterruptionIsAGap() {
        note(3);
        m_history.interrupt();
        m_clock.advance(3 * step);
        QCOMPARE(series(Figure::Held), QStringLiteral("3"));
        note(2);
        QCOMPARE(series(Figure::Held), QStringLiteral("3 - - 2"));
    }

    void isBounded_data() {
        QTest::addColumn<int>("stepsBetween");
        QTest::newRow("a note for each step") << 1;
        QTest::newRow("a long time without one") << 1000;
    }
    void isBounded() {
        QFETCH(const int, stepsBetween);
        for (size_t i = 0; i < 2 * OverviewHistory::steps; ++i) {
            note(static_cast<double>(i));
            m_clock.advance(step * stepsBetween);
        }
        QCOMPARE(m_history.series(Figure::Held, m_clock.now()).size(), OverviewHistory::steps);
        QCOMPARE(m_history.series(Figure::Held, m_clock.now()).back(), std::optional(2.0 * OverviewHistory::steps - 1));
    }

    // ---- hand-overs ----

    void theMostHandOversComeFirst() {
        m_counts.add(m_clock.now(), LockName("b"), 2);
        m_counts.add(m_clock.now(), LockName("a"), 2);
        m_counts.add(m_clock.now(), LockName("c"), 5);
        m_counts.add(m_clock.now(), LockName("rare"), 0.5);
        QCOMPARE(top(10), (QStringList{"c 5", "a 2", "b 2"}));
        QCOMPARE(top(2), (QStringList{"c 5", "a 2"}));
    }

    // One lock is in one half, one in both, and one in the other.
    void bothHalvesCount() {
        m_counts.add(m_clock.now(), LockName("before"), 4);
        m_counts.add(m_clock.now(), LockName("both"), 3);
        m_clock.advance(HandOverCounts::half);
        m_counts.add(m_clock.now(), LockName("both"), 3);
        m_counts.add(m_clock.now(), LockName("now"), 5);
        QCOMPARE(top(10), (QStringList{"both 6", "now 5", "before 4"}));
        QCOMPARE(top(10), (QStringList{"both 6", "now 5", "before 4"}));
    }

    void oldHandOversAreForgotten() {
        m_counts.add(m_clock.now(), LockName("old"), 9);
        m_clock.advance(HandOverCounts::half);
        m_counts.add(m_clock.now(), LockName("old"), 1);
        m_counts.add(m_clock.now(), LockName("new"), 2);
        QCOMPARE(top(10), (QStringList{"old 10", "new 2"}));
        m_clock.advance(HandOverCounts::half);
        QCOMPARE(top(10), (QStringList{"new 2", "old 1"}));
        m_clock.advance(HandOverCounts::half);
        QCOMPARE(top(10), QStringList());
    }

    void ofVeryManyLocksTheFirstAreCounted() {
        for (qsizetype i = 0; i < HandOverCounts::mostLocks; ++i)
            m_counts.add(m_clock.now(), LockName(QByteArray::number(i)), 1);
        m_counts.add(m_clock.now(), LockName("late"), 9);
        m_counts.add(m_clock.now(), LockName("7"), 1);
        QCOMPARE(top(2), (QStringList{"7 2", "0 1"}));
        m_clock.advance(HandOverCounts::half);
        m_counts.add(m_clock.now(), LockName("late"), 9);
        QCOMPARE(top(2), (QStringList{"late 9", "7 2"}));
    }
};

LOCKKEEPER_TEST(TestOverviewHistory, Gui)

}  // namespace tst_overviewhistory

#include "tst_overviewhistory.moc"
