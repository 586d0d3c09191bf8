// SPDX-License-Identifier: Apache-2.0
#include "support/manualclock.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"
#include "ui/events/gapfold.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestGapFold : public QObject {
    Q_OBJECT

private:
    // What passes of a reconnect now, after so long a gap, with so many held locks.
    std::vector<monitor::LockEvent> reconnect(Milliseconds gap, int locks) {
        std::vector<monitor::LockEvent> passed;
        for (int i = 0; i < locks; ++i) {
            monitor::LockEvent event =
                eventOf(m_clock, monitor::EventType::NotWatched, heldRow(m_clock, LockName(QByteArray::number(i)), 30s));
            event.gap = gap;
            if (const std::optional<monitor::LockEvent> shown = m_fold.pass(event))
                passed.push_back(*shown);
            m_clock.advance(1ms);
            gap += 1ms;
        }
        return passed;
    }

    ManualClock m_clock;
    GapFold m_fold;

private Q_SLOTS:
    void init() { m_fold = {}; }

    void fewLocksHaveARowEach() {
        const std::vector<monitor::LockEvent> passed = reconnect(5s, GapFold::mostOfOneGap);
        QCOMPARE(passed.size(), size_t{GapFold::mostOfOneGap});
        QCOMPARE(passed.back().lock.name, LockName(QByteArray::number(GapFold::mostOfOneGap - 1)));
    }

    void oneRowStandsForTheRestOfMany() {
        const std::vector<monitor::LockEvent> passed = reconnect(5s, 10'000);
        QCOMPARE(passed.size(), size_t{GapFold::mostOfOneGap} + 1);
        QVERIFY(passed.back().lock.name.isEmpty());
        QCOMPARE(passed.back().type, monitor::EventType::NotWatched);
        QCOMPARE(passed.back().gap, 5s + Milliseconds(GapFold::mostOfOneGap));
    }

    void theNextLossBeginsAgain() {
        reconnect(5s, 10'000);
        m_clock.advance(1min);
        QCOMPARE(reconnect(2s, 10'000).size(), size_t{GapFold::mostOfOneGap} + 1);
    }

    void anyOtherEventPasses() {
        reconnect(5s, 10'000);
        const auto passes = [this](const monitor::LockEvent& event) { return m_fold.pass(event).has_value(); };
        QVERIFY(passes(eventOf(m_clock, monitor::EventType::Acquired, heldRow(m_clock, lockName("L"), 30s))));
        QVERIFY(passes(monitor::notWatchedSince(m_clock.wallNow() - 5min, m_clock.wallNow())));
    }
};

LOCKKEEPER_TEST(TestGapFold, Guiless)
#include "tst_gapfold.moc"
