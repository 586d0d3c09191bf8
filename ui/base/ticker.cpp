// SPDX-License-Identifier: Apache-2.0
#include "ui/base/ticker.h"

#include <utility>

namespace lockkeeper::ui {

Ticker::Ticker(Clock& clock, Milliseconds interval, QObject* parent)
    : QObject(parent), m_clock(clock), m_interval(interval) {}

Ticker::~Ticker() {
    m_clock.cancel(m_timer);
}

void Ticker::set(State wanted) {
    if (wanted == state())
        return;
    if (wanted == State::Running)
        schedule();
    else
        m_clock.cancel(std::exchange(m_timer, Clock::TimerId::None));
}

void Ticker::schedule() {
    m_timer = m_clock.schedule(m_clock.now() + m_interval, [this] {
        schedule();
        Q_EMIT ticked();
    });
}

}  // namespace lockkeeper::ui

#include "moc_ticker.cpp"
