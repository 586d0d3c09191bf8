// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <algorithm>

namespace lockkeeper::monitor {

// Limits reads that lead to nothing, where a report of a change may mean nothing: a server whose table of tracked keys
// is full removes some keys from it, and reports them as if they had changed. Reads in vain have an allowance, which
// grows slowly. Each lock or change that is found adds to it, so real changes are read however many there are.
class LOCKKEEPER_MONITOR_EXPORT VainReads {
public:
    static constexpr int most = 100;               // the allowance at the beginning, and the largest one
    static constexpr int perLock = 10;             // what a found lock adds
    static constexpr Milliseconds interval{1000};  // it grows by one after this

    // Whether a read may be requested that may stand in a queue for long, behind many others: only its end, in vain or
    // not, changes the allowance.
    [[nodiscard]] bool isAllowed(SteadyTime now);
    void noteVain() { m_left = std::max(m_left - 1, 0); }
    // Whether a read may be made at once. If so, note its end by one of the functions below, unless it was in vain.
    [[nodiscard]] bool take(SteadyTime now);
    void noteLock() { add(1 + perLock); }
    // Whether the read was in vain is not known, for example because it has failed.
    void noteUnknown() { add(1); }

private:
    void add(int reads);

    int m_left = most;
    SteadyTime m_grewAt{};  // only valid below `most`
};

}  // namespace lockkeeper::monitor
