// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/presenthold.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// Ignores the order, because a hash has none. False if only some of the holders are known.
bool haveSameHolders(const LockSnapshot& a, const LockSnapshot& b) {
    if (a.isCut() || b.isCut())
        return false;
    return std::is_permutation(a.holders.begin(), a.holders.end(), b.holders.begin(), b.holders.end(),
                               [](const Holder& one, const Holder& other) { return one.isSameAs(other); });
}

constexpr Milliseconds leastCut{1000};  // leases that are set by several commands end some time apart

// Each acquire of a fenced lock has another token.
bool isShownTheSame(const LockSnapshot& before, const LockSnapshot& after) {
    return !before.isCut() && !after.isCut() && before.token == after.token &&
           std::ranges::is_permutation(before.holders, after.holders);
}

bool has(const Comparison& comparison, EventType type) {
    return std::any_of(comparison.events.begin(), comparison.events.end(),
                       [type](const LockEvent& event) { return event.type == type; });
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

}  // namespace

PresentHold::PresentHold(const LockSnapshot& lock, HoldBegin begin) : ends(leaseEnd(lock)), endsSince(lock.seenAt) {
    unbroken.since = lock.seenAt;
    unbroken.sinceWall = lock.seenAtWall;
    unbroken.peakTtl = lock.ttl.value_or(Milliseconds(0));
    unbroken.begin = begin;
    hadNoEnd = !lock.expiry;
}

void PresentHold::follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                         const BetweenReads& between) {
    if (!after.isHeld())
        return;
    if (comparison.hold == HoldChange::NotProven && isShownTheSame(before, after))
        beginAfterGap(after, between.gap);
    else if (comparison.hold != HoldChange::Same)
        *this = PresentHold(after, comparison.isBeginKnown ? HoldBegin::Seen : HoldBegin::NotSeen);
    else if (between.gap > Milliseconds(0) || !haveSameHolders(before, after))
        breakAt(before, after);
    else
        followUnbroken(before, after, comparison, between);
}

void PresentHold::breakAt(const LockSnapshot& before, const LockSnapshot& after) {
    const Hold earlier = whole();
    const SteadyTime earlierEndsSince = endsSince;
    *this = PresentHold(after, HoldBegin::NotSeen);
    m_earlier = earlier;
    if (mayEndTogether(before, after))
        endsSince = earlierEndsSince;
}

void PresentHold::beginAfterGap(const LockSnapshot& after, Milliseconds gap) {
    const Hold earlier = whole();
    SeenBefore before{earlier.sinceWall, after.seenAtWall - gap, {}, 0};
    if (earlier.seenBefore)
        before = *earlier.seenBefore;
    before.unwatchedTo = after.seenAtWall;
    ++before.gaps;
    *this = PresentHold(after, HoldBegin::NotSeen);
    unbroken.seenBefore = before;
}

void PresentHold::followUnbroken(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                                 const BetweenReads& between) {
    followCut(before, after, comparison, between);
    unbroken.peakTtl = std::max(unbroken.peakTtl, after.ttl.value_or(Milliseconds(0)));
    stepsUp += int{has(comparison, EventType::Reentered)};
    steppedDown = steppedDown || has(comparison, EventType::ReleasedOnce);
    if (!mayEndTogether(before, after)) {
        ends = leaseEnd(after);
        endsSince = after.seenAt;
        hadNoEnd = hadNoEnd || !after.expiry;
    }
    if (has(comparison, EventType::Renewed))
        addRenewal(before, after, between);
}

// A clock of the server that is set forward shortens every TTL, but writes no key. The holds of a write lock add up
// their leases, so a shorter TTL is usual there.
void PresentHold::followCut(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                            const BetweenReads& between) {
    const bool isWritten = between.touch == KeyTouch::Touched && between.countdown == Countdown::Even;
    const bool isAlone = after.holders.size() == 1 && after.holders.first().mode != HoldMode::Write;
    if (!isWritten || !isAlone || unbroken.renewals > 0 || !before.expiry || !after.expiry || !after.ttl ||
        has(comparison, EventType::ReleasedOnce))
        return;
    if (after.expiry->latest + driftBetween(before.seenAt, after.seenAt) + leastCut < before.expiry->earliest)
        cut = Cut{unbroken.peakTtl, *after.ttl, after.seenAt};
}

void PresentHold::addRenewal(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between) {
    noteRenewal(after.seenAt);
    renewedTo = after.ttl.value_or(Milliseconds(0));
    watchdogLike += quint32{wasLiftedByAWatchdog(before, after)};
    unclearRenewals = unclearRenewals || between.reception == Reception::Incomplete;
}

void PresentHold::noteRenewal(SteadyTime at) {
    using Before = Hold::Before;
    constexpr Milliseconds longest = std::chrono::hours(24);  // an earlier renewal is of no interest
    const auto since = std::chrono::duration_cast<Milliseconds>(at - unbroken.lastRenewal);
    const bool isNext = unbroken.renewals > 0 && since > Milliseconds(0) && since <= longest;
    std::array<Before, 3> earlier{};
    if (isNext) {
        earlier[0] = Before(static_cast<quint32>(since.count()));
        for (size_t i = 1; i < earlier.size(); ++i) {
            const Before one = unbroken.earlierRenewals.at(i - 1);
            earlier.at(i) = one.count() > 0 && one <= longest ? one + earlier[0] : Before(0);
        }
    }
    unbroken.earlierRenewals = earlier;
    unbroken.lastRenewal = at;
    ++unbroken.renewals;
}

void PresentHold::addSeenBefore(SeenBefore before) {
    const Rare<SeenBefore>& known = unbroken.seenBefore;
    if (m_earlier || unbroken.isBeginSeen() || before.unwatchedFrom >= unbroken.sinceWall)
        return;
    if (known && (known->since <= before.since || known->gaps > before.gaps))
        return;
    before.unwatchedTo = unbroken.sinceWall;
    unbroken.seenBefore = before;
}

Hold PresentHold::whole() const {
    if (!m_earlier)
        return unbroken;
    Hold whole = *m_earlier;
    whole.peakTtl = std::max(whole.peakTtl, unbroken.peakTtl);
    whole.renewals += unbroken.renewals;
    if (unbroken.renewals > 0) {
        whole.lastRenewal = unbroken.lastRenewal;
        whole.earlierRenewals = unbroken.earlierRenewals;
    }
    return whole;
}

}  // namespace lockkeeper::monitor
