// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QtGlobal>

#include <chrono>
#include <functional>

namespace lockkeeper {

using SteadyTime = std::chrono::steady_clock::time_point;
using WallTime = std::chrono::system_clock::time_point;
using Milliseconds = std::chrono::milliseconds;

// The only source of now() and of timers in core. It is injected, so that tests can advance time themselves.
// Leases and deadlines use steady time; wall time is only for display.
// Thread: the one that created it. Handlers run there, from the event loop, never inside schedule() or cancel().
class LOCKKEEPER_EXPORT Clock {
public:
    enum class TimerId : quint64 { None = 0 };

    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;

    [[nodiscard]] virtual SteadyTime now() const = 0;
    [[nodiscard]] virtual WallTime wallNow() const = 0;

    // Calls handler once, at or soon after `when`. Handlers with equal times run in the order in which they were
    // scheduled.
    [[nodiscard]] virtual TimerId schedule(SteadyTime when, std::function<void()> handler) = 0;
    // Accepts None and the id of a timer that has already run or was already cancelled.
    virtual void cancel(TimerId timer) = 0;
};

}  // namespace lockkeeper
