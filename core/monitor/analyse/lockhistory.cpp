// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/lockhistory.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

constexpr std::chrono::seconds wallClockStep{1};

bool sameHolders(const LockSnapshot& a, const LockSnapshot& b) {
    return std::equal(
        a.holders.begin(), a.holders.end(), b.holders.begin(), b.holders.end(),
        [](const Holder& one, const Holder& other) { return one.id == other.id && one.mode == other.mode; });
}

std::optional<HolderId> queueHead(const LockSnapshot& lock) {
    return lock.fairQueue.isEmpty() ? std::nullopt : std::optional(lock.fairQueue.first().id);
}

bool has(const Comparison& comparison, EventType type) {
    return std::any_of(comparison.events.begin(), comparison.events.end(),
                       [type](const LockEvent& event) { return event.type == type; });
}

bool isQueued(const LockSnapshot& lock, const HolderId& id) {
    return std::any_of(lock.fairQueue.begin(), lock.fairQueue.end(),
                       [&](const FairWaiter& waiter) { return waiter.id == id; });
}

// Only the first part of a long queue is read; then it is not known who is missing in it.
bool isQueueWhole(const LockSnapshot& lock) {
    return lock.fairQueue.isEmpty() || lock.waiters.value_or(0) <= lock.fairQueue.size();
}

SteadyTime leaseEnd(const LockSnapshot& lock) {
    return lock.expiry ? lock.expiry->earliest : SteadyTime::max();
}

// A watchdog renews after a third of the lease, or slightly earlier.
bool wasLiftedByAWatchdog(const LockSnapshot& before, const LockSnapshot& after) {
    if (!before.expiry || !after.ttl)
        return false;
    return after.seenAt + *after.ttl - before.expiry->latest >= *after.ttl / 4;
}

using OddReader = LockHistory::OddReader;

bool hasLease(const LockSnapshot& lock, const HolderId& reader) {
    const QList<ReadLease> leases = lock.readLeases();
    return std::any_of(leases.begin(), leases.end(), [&](const ReadLease& lease) { return lease.reader == reader; });
}

bool reads(const LockSnapshot& lock, const HolderId& id) {
    return std::any_of(lock.holders.begin(), lock.holders.end(),
                       [&](const Holder& holder) { return holder.mode == HoldMode::Read && holder.id == id; });
}

// Only if one atomic read covered all of the lock's keys.
QList<OddReader> oddReadersOf(const LockSnapshot& lock) {
    QList<OddReader> odd;
    if (!lock.parts || !lock.parts->areLeasesWhole)
        return odd;
    for (const Holder& holder : lock.holders) {
        if (lock.kind == LockKind::ReadWrite && holder.mode == HoldMode::Read && !hasLease(lock, holder.id))
            odd += OddReader{holder.id, OddReader::Odd::WithoutKeys, lock.seenAt, false};
    }
    for (const ReadLease& lease : lock.parts->readLeases) {
        const bool first = odd.isEmpty() || odd.last().id != lease.reader;  // they are sorted by reader
        if (first && !reads(lock, lease.reader))
            odd += OddReader{lease.reader, OddReader::Odd::WithoutField, lock.seenAt, false};
    }
    return odd;
}

// True if it may have been held for a short time between two reads that both found it free.
bool mayHaveBeenTaken(const BetweenReads& between) {
    return between.touch != KeyTouch::Untouched &&
           (between.touch == KeyTouch::Touched || between.messages > 0 || between.hearing == Hearing::Deaf);
}

}  // namespace

LockHistory::LockHistory(const LockSnapshot& first)
    : freeSince(first.seenAt), headSince(first.seenAt), m_base(first.seenAt), m_baseWall(first.seenAtWall) {
    if (first.isHeld())
        beginHold(first, Start::NotSeen);
    oddReaders = oddReadersOf(first);
}

void LockHistory::follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                         const BetweenReads& between) {
    followWallClock(after);
    if (between.gap > Milliseconds(0)) {
        followGap(before, after, between);
        return;
    }
    const bool ended = comparison.hold == HoldChange::Ended || comparison.hold == HoldChange::New;
    if (before.isHeld() && ended)
        endHold(before, after, comparison);
    if (after.isHeld())
        followHold(before, after, comparison, between);
    else
        followFree(before, after, between);
    followQueue(before, after);
    followReaders(before, after);
}

void LockHistory::followGap(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between) {
    const bool wasHeld = everHeld;
    *this = LockHistory(after);
    everHeld = everHeld || wasHeld;
    const bool mustStillHold = before.expiry && before.expiry->earliest > after.seenAt;
    if (!between.newServerRole || before.holders.size() != 1 || !mustStillHold)
        return;
    const Holder& earlier = before.holders.first();
    if (earlier.mode != HoldMode::Read)
        failover = Failover{earlier.id, before.expiry->earliest, between.gap, *between.newServerRole};
}

void LockHistory::endHold(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison) {
    const std::optional<Holder> holder =
        before.holders.size() == 1 ? std::optional(before.holders.first()) : std::nullopt;
    lastHold = EndedHold{hold, holder, comparison.ended.value_or(EventType::Gone), after.seenAt};
    released += quint64{lastHold->how == EventType::Released};
    silentEnds += quint64{lastHold->how == EventType::Deleted};
    if (hold.start == Start::Seen)
        holdTimes.add(std::chrono::duration_cast<Milliseconds>(after.seenAt - hold.since));
    const bool earlierWasLost =
        failover && holder && holder->id == failover->earlier && lastHold->how != EventType::Released;
    if (!earlierWasLost)
        failover.reset();
}

void LockHistory::beginHold(const LockSnapshot& lock, Start start) {
    hold = Hold();
    everHeld = true;
    hold.ends = leaseEnd(lock);
    hold.since = lock.seenAt;
    hold.start = start;
    hold.peakTtl = lock.ttl.value_or(Milliseconds(0));
}

void LockHistory::followHold(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                             const BetweenReads& between) {
    if (comparison.hold == HoldChange::New)
        return beginHold(after, comparison.isBeginKnown ? Start::Seen : Start::NotSeen);
    // The lease may belong to another holder now: what was learned about the earlier holders does not apply.
    if (!sameHolders(before, after))
        return beginHold(after, Start::NotSeen);
    hold.peakTtl = std::max(hold.peakTtl, after.ttl.value_or(Milliseconds(0)));
    followCount(comparison);
    if (!mayEndTogether(before, after))
        hold.ends = leaseEnd(after);
    if (!has(comparison, EventType::Renewed))
        return;
    if (between.hearing == Hearing::Deaf)
        hold.unclearRenewals = true;
    ++hold.renewals;
    hold.watchdogLike += quint64{wasLiftedByAWatchdog(before, after)};
    hold.lastRenewal = after.seenAt;
    hold.renewedTo = after.ttl.value_or(Milliseconds(0));
}

void LockHistory::followCount(const Comparison& comparison) {
    hold.stepsUp += int{has(comparison, EventType::Reentered)};
    hold.steppedDown = hold.steppedDown || has(comparison, EventType::ReleasedOnce);
}

void LockHistory::followFree(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between) {
    if (before.isHeld() || mayHaveBeenTaken(between))
        freeSince = after.seenAt;
}

void LockHistory::followQueue(const LockSnapshot& before, const LockSnapshot& after) {
    if (queueHead(before) != queueHead(after))
        headSince = after.seenAt;
    if (stray && (isQueued(after, stray->id) || after.isHeldBy(stray->id) || !isQueueWhole(after)))
        stray.reset();
}

void LockHistory::followReaders(const LockSnapshot& before, const LockSnapshot& after) {
    QList<OddReader> odd = oddReadersOf(after);
    for (OddReader& reader : odd) {
        const auto known = std::find_if(oddReaders.begin(), oddReaders.end(), [&](const OddReader& earlier) {
            return earlier.id == reader.id && earlier.odd == reader.odd;
        });
        if (known != oddReaders.end())
            reader = *known;
        else
            reader.seenWhole = reads(before, reader.id) && hasLease(before, reader.id);
    }
    oddReaders = std::move(odd);
}

WallTime LockHistory::wallTime(SteadyTime when) const {
    return m_baseWall + std::chrono::duration_cast<Milliseconds>(when - m_base);
}

// Handles a change of the wall clock.
void LockHistory::followWallClock(const LockSnapshot& look) {
    if (std::chrono::abs(look.seenAtWall - wallTime(look.seenAt)) < wallClockStep)
        return;
    m_base = look.seenAt;
    m_baseWall = look.seenAtWall;
}

void LockHistory::count(const Listeners& counted, SteadyTime countBegan, const LockSnapshot& lock) {
    if (listeners.clients == 0)
        listenersSince = countBegan;
    listeners = counted;
    countedAt = countBegan;
    const auto found = std::find_if(counted.fairWaiters.begin(), counted.fairWaiters.end(), [&](const HolderId& id) {
        return isQueueWhole(lock) && !isQueued(lock, id) && !lock.isHeldBy(id);
    });
    if (found == counted.fairWaiters.end())
        stray.reset();
    else if (!stray || !counted.fairWaiters.contains(stray->id))
        stray = StrayWaiter{*found, countBegan};
}

}  // namespace lockkeeper::monitor
