// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "soak/clientlog.h"

#include <deque>

namespace lockkeeper::soak {

// All states that one lock had, as the log of the load proves them. Leases that ended are states, too: nobody did
// anything then. States are numbered from 0; the oldest may have been dropped.
class LockPast {
public:
    enum class Cause {
        Changed,   // acquired, reentered, renewed, or released once
        Released,  // with a message
        Removed,   // without a message
        Expired,
        Read  // found by a read: the change that caused it is not known
    };

    struct State {
        Span began;
        std::optional<Hold> hold;
        Span leaseEnds;  // if it is held
        Cause cause = Cause::Changed;
        bool isCertain = true;  // false: the answer was lost, so the state may never have been
    };

    void add(const LogLine& line);
    // To be called for a flush, or a server that has lost its data.
    void remove(Span when);
    // Ends leases that were over before `now`: no change before this moment is missing in the log.
    void expireUntil(WallTime now);

    [[nodiscard]] size_t first() const { return m_dropped; }
    [[nodiscard]] size_t end() const { return m_dropped + m_states.size(); }
    [[nodiscard]] const State& state(size_t number) const { return m_states[number - m_dropped]; }
    // The earliest and the latest moment at which the state ended; the end of time for the last one.
    [[nodiscard]] Span ended(size_t number) const;
    // The number of lines that cannot be true after those before them.
    [[nodiscard]] int contradictions() const { return m_contradictions; }

    // Drops states that ended before this moment, but not the one with this number and those after it.
    void drop(WallTime endedBefore, size_t keep);

private:
    // Notes that the present hold ended with its lease before this line of the log.
    void expireBefore(const LogLine& line);

    std::deque<State> m_states;
    size_t m_dropped = 0;
    int m_contradictions = 0;
};

}  // namespace lockkeeper::soak
