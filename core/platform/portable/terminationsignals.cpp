// SPDX-License-Identifier: Apache-2.0
#include "platform/terminationsignals.h"

#include <QTimer>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>

namespace lockkeeper::platform {

namespace {

constexpr int none = 0;
constexpr std::chrono::milliseconds interval{100};
constexpr std::array terminating{
    SIGINT,
    SIGTERM,
#ifdef SIGHUP  // not in the C++ standard
    SIGHUP,
#endif
};

// A signal handler may do little more than write a lock-free atomic.
std::atomic<int> lastSignal = none;
static_assert(std::atomic<int>::is_always_lock_free);

bool isReload([[maybe_unused]] int signal) {
#ifdef SIGHUP
    return signal == SIGHUP;
#else
    return false;
#endif
}

void onSignal(int signal) {
    lastSignal = signal;
}

}  // namespace

bool TerminationSignals::arePending() {
    return lastSignal != none;
}

TerminationSignals::TerminationSignals(Taken taken, QObject* parent) : QObject(parent) {
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [this, taken] {
        const int signal = lastSignal.exchange(none);
        if (isReload(signal) && taken == Taken::ForService)
            Q_EMIT reloadRequested();
        else if (signal != none)
            Q_EMIT received(signal, signal == SIGINT ? Sender::Terminal : Sender::Process);
    });
    timer->start(interval);
    for (const int signal : terminating)
        std::signal(signal, onSignal);
}

void TerminationSignals::stopProgram() {}

void TerminationSignals::restoreDefaults() {
    for (const int signal : terminating)
        std::signal(signal, SIG_DFL);
}

}  // namespace lockkeeper::platform

#include "platform/moc_terminationsignals.cpp"
