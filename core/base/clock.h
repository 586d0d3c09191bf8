#pragma once

#include "lockkeeper_export.h"

#include <QtGlobal>

#include <chrono>
#include <functional>

namespace lockkeeper {

using SteadyTime = std::chrono::steady_clock::time_point;
using WallTime = std::chrono::system_clock::time_point;
using Milliseconds = std::chrono::milliseconds;

// Time, injected: the one source of now() and of timers in core, so that tests move it by hand.
// Leases and deadlines live on the steady clock; the wall clock is only for what a reader sees.
// Thread: the one that made it. Handlers run there, from the event loop, never from within schedule() or cancel().
class LOCKKEEPER_EXPORT Clock {
public:
    enum class TimerId : quint64 { None = 0 };

    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;

    [[nodiscard]] virtual SteadyTime now() const = 0;
    [[nodiscard]] virtual WallTime wallNow() const = 0;

    // Calls handler once, at or soon after `when`. Equal times run in the order of their scheduling.
    [[nodiscard]] virtual TimerId schedule(SteadyTime when, std::function<void()> handler) = 0;
    // An id that has run, was cancelled before, or is None is fine.
    virtual void cancel(TimerId timer) = 0;
};

}  // namespace lockkeeper
