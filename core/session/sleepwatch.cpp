// SPDX-License-Identifier: Apache-2.0
#include "session/sleepwatch.h"

namespace lockkeeper {

SleepWatch::SleepWatch(Clock& clock, QObject* parent) : QObject(parent), m_clock(clock) {
    schedule();
}

SleepWatch::~SleepWatch() {
    m_clock.cancel(m_timer);
}

void SleepWatch::schedule() {
    const SteadyTime due = m_clock.now() + interval;
    m_timer = m_clock.schedule(due, [this, due] {
        const auto late = std::chrono::duration_cast<Milliseconds>(m_clock.now() - due);
        schedule();
        if (late > tolerance)
            Q_EMIT slept(late);
    });
}

}  // namespace lockkeeper

#include "moc_sleepwatch.cpp"
