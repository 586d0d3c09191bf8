// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/snapshotcompare.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds shortTime = 2s;

const Holder* find(const QList<Holder>& holders, const Holder& wanted) {
    const auto found =
        std::find_if(holders.begin(), holders.end(), [&](const Holder& holder) { return holder.isSameAs(wanted); });
    return found == holders.end() ? nullptr : &*found;
}

QList<Holder> without(const QList<Holder>& holders, const QList<Holder>& others) {
    QList<Holder> rest;
    std::copy_if(holders.begin(), holders.end(), std::back_inserter(rest),
                 [&](const Holder& holder) { return !find(others, holder); });
    return rest;
}

bool sharesNothing(const Holder& holder) {
    return holder.mode != HoldMode::Read;
}

SteadyTime::duration drift(const LockSnapshot& before, const LockSnapshot& after) {
    return driftBetween(before.seenAt, after.seenAt);
}

bool endsLater(const LockSnapshot& before, const LockSnapshot& after) {
    return before.expiry && (!after.expiry || after.expiry->earliest > before.expiry->latest + drift(before, after));
}

// One comparison: its arguments and the events found so far.
class Comparer {
public:
    Comparer(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between, ReleaseHabit habit)
        : m_before(before),
          m_after(after),
          m_between(between),
          m_habit(habit),
          m_left(without(before.holders, after.holders)),
          m_joined(without(after.holders, before.holders)) {}

    Comparison run() {
        compareHolders();
        compareWaiters();
        m_result.isBeginKnown = m_result.hold == HoldChange::New && isBeginKnown();
        return std::move(m_result);
    }

private:
    // If the reads are far apart, the hold may have begun at any moment between them.
    bool isBeginKnown() const {
        const bool reported = m_between.touch == KeyTouch::Touched;
        const SteadyTime earliest = reported ? m_between.touchedAt : m_before.seenAt;
        return m_between.gap == Milliseconds(0) && m_after.seenAt - earliest <= shortTime;
    }

    void compareHolders() {
        const bool held = m_before.isHeld() || m_after.isHeld();
        if (m_between.gap > Milliseconds(0) && held)
            acrossGap();
        else if (!held)
            freeAtBothEnds();
        else if (!m_before.isHeld())
            taken();
        else if (!m_after.isHeld())
            vanished();
        else if (isForeign(m_before) || isForeign(m_after))
            withoutTakingApart();
        else
            heldAtBothEnds();
    }

    // The holders before and after the gap are facts; how one became the other is not known.
    void acrossGap() {
        LockEvent& event = add(EventType::NotWatched);
        event.gap = m_between.gap;
        if (m_between.gapReason)
            event.reason = *m_between.gapReason;
        m_result.hold = mayEndTogether(m_before, m_after) ? HoldChange::Same : HoldChange::NotProven;
        if (!m_after.isHeld())
            m_result.hold = HoldChange::Ended;
        else if (isAnyCut())
            return;
        else if (m_left.size() == m_before.holders.size())
            m_result.hold = HoldChange::New;
        if (isHandOver()) {
            add(EventType::HandedOver, m_after.holders.first());
            return;
        }
        if (m_before.isCut())
            add(EventType::Gone);
        else
            addAll(EventType::Gone, m_left);
        addAll(EventType::Acquired, m_joined);
    }

    // The key was written and a release message came, so the lock was held for a short time between the reads.
    void freeAtBothEnds() {
        if (m_between.touch == KeyTouch::Touched && m_between.messages > 0)
            add(EventType::Released);
        m_result.hold = HoldChange::Ended;
    }

    void taken() {
        addForEachHolder(EventType::Acquired, m_after);
        m_result.hold = HoldChange::New;
    }

    void vanished() {
        noteEnd();
        addEnd();
        m_result.hold = HoldChange::Ended;
    }

    void noteEnd() {
        m_result.ended = howItEnded();
        if (m_result.ended == EventType::Released && m_between.messages == 0)
            m_result.releaseSign = releasesSilently() ? ReleaseSign::NoMessage : ReleaseSign::Inferred;
    }

    void addEnd() {
        addForEachHolder(*m_result.ended, m_before);
        for (LockEvent& event : m_result.events)
            event.releaseSign = m_result.releaseSign;
    }

    EventType howItEnded() const {
        if (m_between.messages > 0)
            return EventType::Released;
        if (isEndDoubtful())
            return EventType::Gone;
        if (m_between.reception == Reception::Incomplete)
            return isFair() && !mayHaveRunOut() && !m_between.isFlushed ? EventType::Released : EventType::Gone;
        if (leaseRanOut())
            return EventType::Expired;
        if (mayHaveRunOut() || m_before.isOfOtherProgram())
            return EventType::Gone;
        return releasesSilently() && !m_between.isFlushed ? EventType::Released : EventType::Deleted;
    }

    static bool isForeign(const LockSnapshot& lock) {
        return lock.kind == LockKind::Unknown || lock.kind == LockKind::FasterMulti;
    }

    // A faster multi lock expires each of its values separately, and leaves some expired ones in the hash.
    void withoutTakingApart() {
        addAll(EventType::Gone, m_left);
        addAll(EventType::Acquired, m_joined);
        if (m_left.size() == m_before.holders.size())
            m_result.hold = HoldChange::New;
    }

    void heldAtBothEnds() {
        if (isHandOver())
            handedOver();
        else if (wasFreeInBetween())
            releasedAndTaken();
        else if (!isAnyCut())
            holderByHolder();
    }

    // With a cut list of holders it is not known who has joined or left, because each read may name other readers.
    bool isAnyCut() const { return m_before.isCut() || m_after.isCut(); }

    bool isHandOver() const {
        return m_before.holders.size() == 1 && m_after.holders.size() == 1 && !m_left.isEmpty() &&
               m_before.holders.first().mode == HoldMode::Exclusive &&
               m_after.holders.first().mode == HoldMode::Exclusive;
    }

    void handedOver() {
        add(EventType::HandedOver, m_after.holders.first()).suspect = !endIsExplained();
        m_result.hold = HoldChange::New;
        noteEnd();
    }

    // Whether the lock was free between the reads. A message of the last release confirms this, or a present holder
    // that cannot share the lock with the earlier one.
    bool wasFreeInBetween() const {
        if (m_between.messages > 0 && wasSet() && !hasOnlyGotAnEnd())
            return true;
        return std::any_of(m_joined.begin(), m_joined.end(), sharesNothing);
    }

    // Whether the lock was certainly set between the reads. An invalidation alone does not prove this: invalidations
    // and messages do not name the database, so they may be about a lock of this name in another database.
    bool wasSet() const { return m_between.touch != KeyTouch::Untouched && !mayEndTogether(m_before, m_after); }

    // Who sets the TTL of a lock that never expires wakes its waiters, who have read that it has none
    // (control/lua/set_expiry.lua): the message is then no release.
    bool hasOnlyGotAnEnd() const {
        return !m_before.expiry && m_after.expiry && m_before.holders == m_after.holders &&
               m_before.token == m_after.token;
    }

    void releasedAndTaken() {
        m_result.hold = HoldChange::New;
        noteEnd();
        if (!endIsExplained()) {
            LockEvent& event =
                add(EventType::HandedOver, *std::find_if(m_joined.begin(), m_joined.end(), sharesNothing));
            event.suspect = true;
            return;
        }
        addEnd();
        addForEachHolder(EventType::Acquired, m_after);
    }

    void holderByHolder() {
        addAll(EventType::Released, m_left);
        for (const Holder& now : m_after.holders) {
            const Holder* earlier = find(m_before.holders, now);
            if (earlier && now.count < earlier->count)
                add(EventType::ReleasedOnce, now);
            else if (earlier && now.count > earlier->count)
                add(EventType::Reentered, now);
        }
        addAll(EventType::Acquired, m_joined);
        if (m_left.size() == m_before.holders.size())
            m_result.hold = HoldChange::New;
        // Without a write, the TTL has only grown because the server's clock was set back or has stood still.
        if (m_result.events.empty() && m_between.touch != KeyTouch::Untouched && endsLater(m_before, m_after))
            addRenewed();
    }

    void addRenewed() {
        if (m_after.holders.size() == 1)
            add(EventType::Renewed, m_after.holders.first());
        else
            add(EventType::Renewed);
    }

    SteadyTime leaseEnd() const { return m_before.expiry->earliest - drift(m_before, m_after); }

    // Only a lease ends by a clock.
    bool isEndDoubtful() const { return m_before.expiry && m_between.countdown == Countdown::Doubtful; }

    // Whether nothing changed the key before its lease was over. With tracking the invalidation proves this: a change
    // before this read is reported before the read's answer; an expiry that only this read triggers is reported after
    // it. Without tracking this is known only if the earlier read was close to the end of the lease.
    bool leaseRanOut() const {
        if (!m_before.expiry)
            return false;
        if (m_between.touch == KeyTouch::Touched)
            return m_between.touchedAt >= leaseEnd();
        const bool isWatched = m_between.touch == KeyTouch::Untouched || m_before.seenAt + shortTime >= leaseEnd();
        return isWatched && m_after.seenAt >= leaseEnd();
    }

    // Whether the lease may have expired: the earlier read or an invalidation was well before the end of the lease, and
    // this read was after it.
    bool mayHaveRunOut() const { return m_before.expiry && m_after.seenAt >= leaseEnd(); }

    bool isFair() const { return m_before.kind == LockKind::Fair || m_after.kind == LockKind::Fair; }

    // Whether the lock may have been released without a message. A fair lock publishes its release only to the head of
    // its queue, and a spin lock never. Both have the key of a plain lock, whose release is always published; but
    // the waiters of a plain lock are subscribed.
    bool releasesSilently() const {
        if (isFair())
            return m_before.fairQueue.isEmpty() || (m_after.fairQueue.isEmpty() && !m_after.isHeld());
        const bool isPlain = m_before.kind == LockKind::Reentrant;
        return isPlain && m_before.certainWaiters() == 0 && m_habit == ReleaseHabit::NotKnown;
    }

    bool endIsExplained() const {
        return m_between.messages > 0 || m_between.reception == Reception::Incomplete || isEndDoubtful() ||
               leaseRanOut() || releasesSilently();
    }

    void compareWaiters() {
        if (m_after.waiters && *m_after.waiters != m_before.waiters.value_or(0))
            add(EventType::Waiters);
    }

    LockEvent& add(EventType type) {
        LockEvent& event = m_result.events.emplace_back();
        event.at = m_after.seenAtWall;
        event.type = type;
        event.lock = m_after;
        return event;
    }

    LockEvent& add(EventType type, const Holder& holder) {
        LockEvent& event = add(type);
        event.holder = holder;
        return event;
    }

    void addAll(EventType type, const QList<Holder>& holders) {
        for (const Holder& holder : holders)
            add(type, holder);
    }

    // Adds a single event if only some of the holders are known.
    void addForEachHolder(EventType type, const LockSnapshot& lock) {
        if (lock.isCut())
            add(type);
        else
            addAll(type, lock.holders);
    }

    const LockSnapshot& m_before;
    const LockSnapshot& m_after;
    const BetweenReads& m_between;
    const ReleaseHabit m_habit;
    const QList<Holder> m_left;
    const QList<Holder> m_joined;
    Comparison m_result;
};

bool partsDiffer(const LockSnapshot& a, const LockSnapshot& b) {
    const QList<ReadLease> before = a.readLeases();
    const QList<ReadLease> after = b.readLeases();
    const auto isSame = [](const ReadLease& one, const ReadLease& other) {
        return one.reader == other.reader && one.hold == other.hold && mayEndTogether(one.expiry, other.expiry);
    };
    return a.values() != b.values() || a.holderCount() != b.holderCount() ||
           !std::equal(before.begin(), before.end(), after.begin(), after.end(), isSame);
}

}  // namespace

SteadyTime::duration driftBetween(SteadyTime earlier, SteadyTime later) {
    return (later - earlier) / 2000;
}

SteadyTime unchangedUntil(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between) {
    if (between.touch == KeyTouch::Untouched)
        return after.seenAt;
    return between.touch == KeyTouch::Touched ? std::clamp(between.touchedAt, before.seenAt, after.seenAt)
                                              : before.seenAt;
}

bool mayEndTogether(const LockSnapshot& before, const LockSnapshot& after) {
    return mayEndTogether(before.expiry, after.expiry, drift(before, after));
}

bool mayEndTogether(const std::optional<Expiry>& before, const std::optional<Expiry>& after,
                    SteadyTime::duration apart) {
    if (!before || !after)
        return before.has_value() == after.has_value();
    return before->earliest <= after->latest + apart && after->earliest <= before->latest + apart;
}

LockKind learnedKind(LockKind known, const LockSnapshot& read) {
    if (!read.isHeld()) {
        const bool open = known == LockKind::Unknown || known == LockKind::Reentrant;
        return open && read.kind != LockKind::Unknown ? read.kind : known;
    }
    const bool keepsFair =
        known == LockKind::Fair && (read.kind == LockKind::Reentrant || read.kind == LockKind::Fenced);
    const bool keepsFenced = known == LockKind::Fenced && read.kind == LockKind::Reentrant;
    return keepsFair || keepsFenced ? known : read.kind;
}

bool isShownDifferently(const LockSnapshot& a, const LockSnapshot& b) {
    return a.kind != b.kind || a.holders != b.holders || a.waiters != b.waiters ||
           a.monitorsAmongWaiters != b.monitorsAmongWaiters || a.fairQueue != b.fairQueue || a.token != b.token ||
           a.node != b.node || !mayEndTogether(a, b) || partsDiffer(a, b);
}

Comparison compareSnapshots(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between,
                            ReleaseHabit habit) {
    return Comparer(before, after, between, habit).run();
}

}  // namespace lockkeeper::monitor
