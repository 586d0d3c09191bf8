// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"

#include "base/loopturn.h"
#include "platform/steadytime.h"

#include <algorithm>

namespace lockkeeper {

using namespace std::chrono_literals;

SystemClock::SystemClock(QObject* parent) : QObject(parent), m_timer(this) {
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &SystemClock::runDue);
}

SteadyTime SystemClock::now() const {
    return platform::steadyTime();
}

WallTime SystemClock::wallNow() const {
    return std::chrono::system_clock::now();
}

Clock::TimerId SystemClock::schedule(SteadyTime when, std::function<void()> handler) {
    // A time in the past would let handlers schedule each other within one turn of the event loop and starve the
    // sockets.
    const SteadyTime present = now();
    const TimerId id = m_queue.add(std::max(when, present), std::move(handler));
    arm(present);
    return id;
}

void SystemClock::cancel(TimerId timer) {
    // The QTimer stays armed. A time-out is set and cancelled with every command, and one early tick costs less than
    // arming a system timer twice a round trip.
    m_queue.remove(timer);
}

void SystemClock::arm(SteadyTime now) {
    const std::optional<SteadyTime> earliest = m_queue.earliest();
    // A QTimer stands still while the machine is suspended, so an overdue timer must be armed again.
    if (!earliest || (*earliest >= m_armedFor && m_armedFor > now))
        return;
    m_armedFor = *earliest;
    // A distant deadline is reached in steps: QTimer counts its interval in an int of milliseconds.
    const auto wait = std::clamp(std::chrono::ceil<Milliseconds>(*earliest - now), 0ms, Milliseconds(24h));
    m_timer.start(wait);
}

void SystemClock::runDue() {
    const LoopTurn turnOfLoop;
    m_armedFor = SteadyTime::max();
    // What handlers schedule for "now" runs in the next turn of the event loop, so that timers cannot starve sockets.
    const SteadyTime turn = now();
    while (std::function<void()> handler = m_queue.takeDue(turn)) {
        arm(now());  // the handler may run an event loop; the other timers must not wait for its end
        handler();
    }
    arm(now());
}

}  // namespace lockkeeper

#include "moc_systemclock.cpp"
