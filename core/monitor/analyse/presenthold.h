// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/hold.h"
#include "monitor/model/snapshotcompare.h"

namespace lockkeeper::monitor {

// The present hold of a lock. Only this class follows the hold from read to read. The row on screen shows whole().
// Diagnoses use `unbroken` and the fields after it, which prove more but may begin later. A value.
struct LOCKKEEPER_MONITOR_EXPORT PresentHold {
    PresentHold() = default;
    // lock: must be held.
    PresentHold(const LockSnapshot& lock, HoldBegin begin);

    // Adds the next read, compared with the one before. A read that finds the lock free changes nothing.
    void follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                const BetweenReads& between);

    // What an earlier session has seen of this hold, if its begin was not seen and it is as it was at the first read.
    void addSeenBefore(SeenBefore before);
    // The hold, continued when one of several readers joins or leaves. It also continues across a gap if the lease ends
    // at the same time as before.
    [[nodiscard]] Hold whole() const;

    // The part of the hold with the present holders and without a gap in watching; their counts may differ. Earlier
    // leases may have been another holder's, and a gap in observation proves nothing.
    Hold unbroken;
    SteadyTime ends = SteadyTime::max();  // the end of the lease, as last set
    SteadyTime endsSince{};               // the first read that shows this end
    Milliseconds renewedTo{0};            // the TTL after the last renewal
    // The TTL was set to a shorter one while nothing had renewed it, and no hold of a reentry was released.
    struct Cut {
        Milliseconds lease{0};  // before
        Milliseconds to{0};
        SteadyTime at{};
    };
    Rare<Cut> cut;
    // Renewals that came after as much of the lease as a watchdog lets pass. Other renewals may be quick reentries that
    // were released before the next read, which also raise the TTL.
    quint32 watchdogLike = 0;
    int stepsUp = 0;  // increases of the reentry count
    bool steppedDown = false;
    bool hadNoEnd = false;  // it had no TTL once, so its lease is not what its holder asked for
    // The TTL went up while release messages may have been missed. This was a renewal, or the same holder has released
    // and acquired the lock again.
    bool unclearRenewals = false;

private:
    void breakAt(const LockSnapshot& before, const LockSnapshot& after);
    void beginAfterGap(const LockSnapshot& after, Milliseconds gap);
    void followUnbroken(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                        const BetweenReads& between);
    void followCut(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                   const BetweenReads& between);
    void noteRenewal(SteadyTime at);
    void addRenewal(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between);

    Rare<Hold> m_earlier;  // the part before `unbroken`
};

}  // namespace lockkeeper::monitor
