// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/hold.h"
#include "monitor/model/snapshotcompare.h"

namespace lockkeeper::monitor {

// The present hold of a lock: the one place that follows it from read to read. The row on screen shows whole();
// diagnoses use `unbroken` and the fields after it, which prove more but may begin later. A value.
struct LOCKKEEPER_MONITOR_EXPORT PresentHold {
    PresentHold() = default;
    // `lock` is held.
    PresentHold(const LockSnapshot& lock, HoldBegin begin);

    // Adds the next read, compared with the one before. A read that finds the lock free changes nothing.
    void follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                const BetweenReads& between);

    // Continues when one of several readers joins or leaves, and across a gap if the lease still ends when it would
    // have ended before.
    [[nodiscard]] Hold whole() const;

    // The part with the present holders, watched without a gap; their counts may differ. A lease that was seen before
    // may have been another holder's, and a gap in observation proves nothing.
    Hold unbroken;
    SteadyTime ends = SteadyTime::max();  // the end of the lease, as last set
    Milliseconds renewedTo{0};            // the TTL after the last renewal
    // Renewals that came after as much of the lease as a watchdog lets pass. Other renewals may be quick reentries,
    // released before the next read: they raise the TTL too.
    quint32 watchdogLike = 0;
    int stepsUp = 0;  // increases of the reentry count
    bool steppedDown = false;
    // The TTL went up while release messages may have been missed: a renewal, or the same holder has released and
    // acquired again.
    bool unclearRenewals = false;

private:
    void breakAt(const LockSnapshot& lock);
    void followUnbroken(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                        const BetweenReads& between);
    void addRenewal(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between);

    Rare<Hold> m_earlier;  // the part before `unbroken`
};

}  // namespace lockkeeper::monitor
