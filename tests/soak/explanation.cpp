// SPDX-License-Identifier: Apache-2.0
#include "soak/explanation.h"

namespace lockkeeper::soak {

using namespace std::chrono_literals;
using monitor::EventType;
using Cause = LockPast::Cause;

bool Explanation::isOf(const Reading& reading, size_t state) const {
    const LockPast::State& seen = m_past.state(state);
    if (seen.hold != reading.hold)
        return false;
    if (!seen.hold || !reading.ttl)
        return !seen.hold;
    const WallTime end = reading.at + *reading.ttl;
    return end - m_age <= seen.leaseEnds.to && end + wholeMilliseconds >= seen.leaseEnds.from;
}

bool Explanation::mayShow(const Reading& reading, size_t to) const {
    return m_past.state(to).began.from <= reading.at + wholeMilliseconds && m_past.ended(to).to >= reading.at - m_age &&
           isOf(reading, to);
}

bool Explanation::holds(const Reading& reading, size_t from, size_t to) const {
    if (reading.gap > 0ms)
        return isAcrossGap(reading.events, from, to);
    const std::optional<Hold>& before = m_past.state(from).hold;
    const std::optional<Hold>& after = m_past.state(to).hold;
    if (!before && !after)
        return reading.events == Events{{EventType::Released}} && has(Cause::Released, from, to);
    if (!before)
        return reading.events == Events{{EventType::Acquired, after->holder}};
    if (!after)
        return isEnd(reading, from, to);
    return before->holder == after->holder ? isOfSameHolder(reading.events, from, to)
                                           : isHandOver(reading.events, from, to);
}

bool Explanation::isAcrossGap(const Events& events, size_t from, size_t to) const {
    const std::optional<Hold>& before = m_past.state(from).hold;
    const std::optional<Hold>& after = m_past.state(to).hold;
    const Reading::Event gap{EventType::NotWatched};
    if (before && !after)
        return events == Events{gap, {EventType::Gone, before->holder}};
    if (!before && after)
        return events == Events{gap, {EventType::Acquired, after->holder}};
    if (!before)
        return false;
    return before->holder == after->holder ? events == Events{gap}
                                           : events == Events{gap, {EventType::HandedOver, after->holder}};
}

bool Explanation::isEnd(const Reading& reading, size_t from, size_t to) const {
    const HolderId& holder = m_past.state(from).hold->holder;
    if (reading.events.size() != 1 || reading.events.front().holder != holder)
        return false;
    const Span leaseEnds = m_past.state(from).leaseEnds;
    const bool published = has(Cause::Released, from, to);
    switch (reading.events.front().type) {
        case EventType::Released:
            return reading.events.front().isAnnounced ? published : isRemoved(reading, from, to);
        case EventType::Expired:
            return !published && mayRunOutFirst(from, to);
        case EventType::Deleted:
            return isRemoved(reading, from, to);
        case EventType::Gone:  // it was changed before its lease ended, and read after that
            if (m_server == Server::StoodStill)
                return !published;
            return !published && !ranOutFirst(from, to) && reading.at + wholeMilliseconds >= leaseEnds.from - m_age;
        default:
            return false;
    }
}

// A deletion looks like the release of a spin lock until enough releases of the lock were announced.
bool Explanation::isRemoved(const Reading& reading, size_t from, size_t to) const {
    return !has(Cause::Released, from, to) && has(Cause::Removed, from, to) &&
           reading.at - m_age <= m_past.state(from).leaseEnds.to;
}

bool Explanation::isHandOver(const Events& events, size_t from, size_t to) const {
    const HolderId& holder = m_past.state(to).hold->holder;
    if (events == Events{{EventType::HandedOver, holder, false}})
        return has(Cause::Released, from, to) || has(Cause::Removed, from, to) || mayRunOutFirst(from, to);
    return events == Events{{EventType::HandedOver, holder, true}} && !has(Cause::Released, from, to) &&
           !ranOutFirst(from, to);
}

bool Explanation::isOfSameHolder(const Events& events, size_t from, size_t to) const {
    const Hold& before = *m_past.state(from).hold;
    const Hold& after = *m_past.state(to).hold;
    const bool isSameLease = mayEndTogether(from, to);
    const bool published = has(Cause::Released, from, to);
    if (published && events == Events{{EventType::Released, before.holder}, {EventType::Acquired, after.holder}})
        return true;
    if (published && !isSameLease)
        return false;
    if (before.count != after.count)
        return events ==
               Events{{before.count < after.count ? EventType::Reentered : EventType::ReleasedOnce, after.holder}};
    return events == Events{{EventType::Renewed, after.holder}} &&
           m_past.state(to).leaseEnds.to > m_past.state(from).leaseEnds.from;
}

// A release between two holds whose leases may end together proves nothing to the watch: the message may be about a
// lock of this name in another database. The ends of leases are compared with a tolerance, because reads take time and
// clocks drift.
std::vector<size_t> Explanation::silentlyAfter(size_t from, size_t to) const {
    std::vector<size_t> silent{from};
    const LockPast::State& seen = m_past.state(from);
    bool isReleased = false;
    for (size_t next = from + 1; next <= to; ++next) {
        isReleased = isReleased || m_past.state(next).cause == Cause::Released;
        const bool isLonger = seen.hold && m_past.state(next).leaseEnds.from > seen.leaseEnds.to + m_age;
        const bool isReported = isReleased && !(seen.hold && mayEndTogether(from, next));
        if (m_past.state(next).hold == seen.hold && !isLonger && !isReported)
            silent.push_back(next);
    }
    return silent;
}

bool Explanation::isReleaseHidden(size_t release, const Reading& before, WallTime until) const {
    // A lease that became shorter is no event, so that the watch may know it without a reading.
    const bool isKnownSilently = release > m_past.first() && m_past.state(release - 1).hold == before.hold;
    for (size_t next = release + 1; before.hold && next < m_past.end() && m_past.state(next).began.from <= until;
         ++next) {
        const LockPast::State& held = m_past.state(next);
        const WallTime end = before.at + before.ttl.value_or(0ms);
        if (held.hold != before.hold || !before.ttl)
            continue;
        if (mayMeet({end, end}, held.leaseEnds) || (isKnownSilently && mayEndTogether(release - 1, next)))
            return true;
    }
    return false;
}

bool Explanation::has(Cause cause, size_t from, size_t to) const {
    for (size_t number = from + 1; number <= to; ++number) {
        if (m_past.state(number).cause == cause)
            return true;
    }
    return false;
}

bool Explanation::ranOutFirst(size_t from, size_t to) const {
    return from < to && m_past.state(from + 1).cause == Cause::Expired;
}

// Whether the lock may also have been removed at about the time at which its lease ended.
bool Explanation::mayRunOutFirst(size_t from, size_t to) const {
    return ranOutFirst(from, to) || (from < to && m_past.state(from + 1).cause == Cause::Removed &&
                                     m_past.state(from + 1).began.to + m_age >= m_past.state(from).leaseEnds.from);
}

bool Explanation::mayEndTogether(size_t one, size_t other) const {
    return mayMeet(m_past.state(one).leaseEnds, m_past.state(other).leaseEnds);
}

bool Explanation::mayMeet(Span a, Span b) const {
    return a.from <= b.to + m_age && b.from <= a.to + m_age;
}

}  // namespace lockkeeper::soak
