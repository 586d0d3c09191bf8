// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/rememberedholds.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

using namespace std::chrono_literals;

// Ends of leases that were computed in different sessions differ by the time of an answer, and by what the wall clock
// was corrected meanwhile.
constexpr Milliseconds rememberedTolerance = 2s;

bool isHeldTheSame(const LockSnapshot& before, const LockSnapshot& now) {
    const bool isReadable = !before.isCut() && !now.isCut() && !before.isOfOtherProgram() && !now.isOfOtherProgram() &&
                            before.kind != LockKind::FasterMulti &&
                            now.kind != LockKind::FasterMulti;  // its leases are in its fields
    return isReadable && before.token == now.token && std::ranges::is_permutation(before.holders, now.holders);
}

bool hasHoldersOf(const LockSnapshot& before, const LockSnapshot& now) {
    return std::ranges::is_permutation(before.holders, now.holders,
                                       [](const Holder& a, const Holder& b) { return a.isSameAs(b); });
}

// Whether a hold that was watched continues after this event, if the lock has the same holders.
bool mayBeInAHold(EventType type) {
    return type == EventType::Renewed || type == EventType::Reentered || type == EventType::ReleasedOnce ||
           type == EventType::Waiters || type == EventType::Diagnosed || type == EventType::ThreadSeen;
}

WallTime endOnTheWall(const LockSnapshot& lock) {
    return lock.seenAtWall + lock.ttl.value_or(0ms);
}

}  // namespace

RememberedHolds::RememberedHolds(const std::vector<LockEvent>& events) {
    for (const LockEvent& event : events)
        follow(event);
    if (!events.empty())
        endWatching(events.back().at);
}

void RememberedHolds::follow(const LockEvent& event) {
    if (event.type == EventType::Emptied)
        return m_holds.clear();
    if (event.type == EventType::NotWatched && event.lock.name.isEmpty())
        return endWatching(event.at - event.gap);
    if (!hasLockState(event))
        return;
    const auto known = m_holds.find(event.lock.name);
    if (!event.lock.isHeld()) {
        if (known != m_holds.end())
            m_holds.erase(known);
        return;
    }
    bool continues = false;
    if (known != m_holds.end()) {
        if (event.type == EventType::NotWatched)
            endWatching(*known, event.at - event.gap);
        continues = known->isWatched ? mayBeInAHold(event.type) && hasHoldersOf(known->last, event.lock)
                                     : mayLast(*known, event.lock);
    }
    Remembered& hold = continues ? *known : m_holds[event.lock.name];
    if (!continues) {
        hold = Remembered();
        hold.since = event.at;
    }
    hold.last = event.lock;
    hold.isWatched = true;
    hold.isRenewed = hold.isRenewed || event.type == EventType::Renewed;
    hold.lease = std::max(hold.lease, event.lock.ttl.value_or(0ms));
}

void RememberedHolds::endWatching(Remembered& hold, WallTime at) {
    if (!std::exchange(hold.isWatched, false))
        return;
    if (hold.gaps == 0)
        hold.unwatchedFrom = std::max(at, hold.since);
    ++hold.gaps;
}

void RememberedHolds::endWatching(WallTime at) {
    for (Remembered& hold : m_holds)
        endWatching(hold, at);
}

// A watchdog sets the whole lease again and again. Without renewals, the lease still ends when it did, and the hold
// with it.
bool RememberedHolds::mayLast(const Remembered& hold, const LockSnapshot& now) {
    if (!isHeldTheSame(hold.last, now) || hold.last.ttl.has_value() != now.ttl.has_value())
        return false;
    if (!now.ttl)
        return true;
    if (hold.isRenewed)
        return *now.ttl <= hold.lease + rememberedTolerance &&
               endOnTheWall(now) + rememberedTolerance >= endOnTheWall(hold.last);
    return std::chrono::abs(endOnTheWall(now) - endOnTheWall(hold.last)) <= rememberedTolerance;
}

std::optional<SeenBefore> RememberedHolds::take(const LockSnapshot& first) {
    const auto known = m_holds.constFind(first.name);
    if (known == m_holds.cend())
        return std::nullopt;
    const Remembered hold = *known;
    m_holds.erase(known);
    if (!mayLast(hold, first) || hold.unwatchedFrom >= first.seenAtWall)  // or the wall clock was set back
        return std::nullopt;
    return SeenBefore{hold.since, hold.unwatchedFrom, first.seenAtWall, hold.gaps};
}

}  // namespace lockkeeper::monitor
