// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/manualclock.h"

#include <QTest>
#include <QTimer>

namespace lockkeeper::test {

// Moves a manual clock on in steps while the event loop runs, for code on that clock that talks to real servers. By
// this clock "twice a second" is exact: on a slow machine it has fewer steps, and never a longer one.
class ClockSteps {
public:
    explicit ClockSteps(ManualClock& clock) : m_clock(clock) {
        using namespace std::chrono_literals;
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [&clock] { clock.advance(5ms); });
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.start(5ms);
    }
    // Runs the event loop for so long by the clock; false if that takes a minute.
    [[nodiscard]] bool runFor(Milliseconds time) const {
        return QTest::qWaitFor([this, end = m_clock.now() + time] { return m_clock.now() >= end; }, 60000);
    }

private:
    const Clock& m_clock;
    QTimer m_timer;
};

}  // namespace lockkeeper::test
