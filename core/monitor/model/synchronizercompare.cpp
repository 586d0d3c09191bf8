// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/synchronizercompare.h"

#include <QHash>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// A permit that the read before has not shown was taken since, unless that read did not show all.
void addSince(Synchronizer& now, const Synchronizer& before, WallTime wall) {
    QHash<QByteArray, std::optional<WallTime>> known;
    for (const PermitLease& lease : before.leases)
        known.insert(lease.id, lease.since);
    const bool isWhole = before.leased && *before.leased == std::ssize(before.leases);
    for (PermitLease& lease : now.leases) {
        const auto earlier = known.constFind(lease.id);
        if (earlier != known.cend())
            lease.since = *earlier;
        else if (isWhole)
            lease.since = wall;
    }
}

bool hasUnclaimed(const Synchronizer& one) {
    return one.kind == SynchronizerKind::Semaphore && one.state == CounterState::Read && one.clients > 0 &&
           one.count.value_or(0) > 0;
}

WallTime unclaimedSince(const Synchronizer& before) {
    for (const Diagnosis& diagnosis : before.diagnoses) {
        if (const auto* found = std::get_if<PermitsUnclaimed>(&diagnosis.evidence))
            return found->since;
    }
    return before.seenAtWall;
}

// One read proves nothing: between a message and the next acquire permits are free, and their clients still wait. With
// another number somebody has taken or returned permits, so clients are awake.
std::optional<PermitsUnclaimed> findUnclaimed(const Synchronizer& now, const Synchronizer* before) {
    if (!before || !hasUnclaimed(*before) || !hasUnclaimed(now) || before->count != now.count)
        return std::nullopt;
    return PermitsUnclaimed{*now.count, now.clients, unclaimedSince(*before)};
}

// Leases are sorted by their end. Without a semaphore nobody gets the permit.
std::optional<PermitLeaseOver> findLeaseOver(const Synchronizer& now, WallTime wall) {
    const auto isOver = [wall](const PermitLease& lease) { return lease.ends && *lease.ends + leaseIsOver <= wall; };
    const auto over = std::ranges::count_if(now.leases, isOver);
    if (over == 0 || now.isLeftOver())
        return std::nullopt;
    const PermitLease& first = *std::ranges::find_if(now.leases, isOver);
    return PermitLeaseOver{first.id.toHex(), *first.ends, static_cast<int>(over), now.clients};
}

}  // namespace

void compareWithEarlier(Synchronizer& now, const Synchronizer* before, WallTime wall) {
    if (before)
        addSince(now, *before, wall);
    now.diagnoses.clear();
    if (const std::optional<PermitsUnclaimed> unclaimed = findUnclaimed(now, before))
        now.diagnoses += Diagnosis{Certainty::Suspected, *unclaimed};
    // The end is by the clock of the client that took it, and `wall` by this machine's.
    if (const std::optional<PermitLeaseOver> over = findLeaseOver(now, wall))
        now.diagnoses += Diagnosis{Certainty::Suspected, *over};
}

}  // namespace lockkeeper::monitor
