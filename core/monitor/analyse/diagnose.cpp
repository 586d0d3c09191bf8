// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/diagnose.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

using OddReader = LockHistory::OddReader;

// One diagnosis: its arguments and the findings so far.
class Diagnoser {
public:
    Diagnoser(const LockSnapshot& lock, const LockHistory& history, const NodeFigures& node,
              const WatchdogLeases& watchdogs, const QSet<ClientId>& own, const ClientTimeouts& timeouts)
        : m_lock(lock), m_history(history), m_node(node), m_watchdogs(watchdogs), m_own(own), m_timeouts(timeouts) {}

    Findings run() {
        findLeaseRanOut();
        findDeadWaiters();
        if (m_lock.isHeld())
            diagnoseHold();
        else
            diagnoseFree();
        findDeafWaiters();
        findHeadWithoutDeadline();
        findTakenBack();
        findFairWaiterDropped();
        findReaderCutShort();
        findZombieReader();
        std::sort(m_findings.diagnoses.begin(), m_findings.diagnoses.end(),
                  [](const Diagnosis& a, const Diagnosis& b) { return a.kind() < b.kind(); });
        return std::move(m_findings);
    }

private:
    void diagnoseHold() {
        findDoubleHolder();
        // A faster multi lock has a lease for each of its values, and it is not known who must renew which.
        if (m_lock.kind == LockKind::Unknown || m_lock.kind == LockKind::FasterMulti)
            return;
        const Holder& holder = m_lock.holders.first();
        // A client that is not atomic sets the TTL some time after it has taken the lock.
        if (m_lock.neverExpires() && isDue(m_history.hold.endsSince + expiryFollows))
            add(Certainty::Certain, NeverExpires{holder.id, wall(m_history.hold.whole().since)});
        // With several holders it is not known whose lease the lock's TTL is.
        if (m_lock.holders.size() != 1)
            return;
        findUnrenewedLease(holder.id);
        findLeaseCut(holder.id);
        findOrphan(holder.id);
        findReentryLeak(holder);
    }

    // A dead waiter is not subscribed, so counts do not name its lock. The same holds for a waiter that is subscribed
    // again, but at a replica.
    void findDeadWaiters() {
        const auto isDead = [this](const FairWaiter& waiter) { return m_history.isDead(waiter.id); };
        std::ranges::copy_if(m_lock.fairQueue, std::back_inserter(m_findings.deadWaiters), isDead);
        m_findings.awaitsCount = !m_lock.fairQueue.isEmpty();
    }

    // ---- held ----

    // This program's own console knows whether it renews, and what it takes has no worker.
    bool isOwn(const HolderId& holder) const { return m_own.contains(holder.client()); }

    bool hasEnd() const { return m_lock.expiry && m_lock.expiry->latest != SteadyTime::max(); }

    void findUnrenewedLease(const HolderId& holder) {
        const PresentHold& present = m_history.hold;
        const Hold& hold = present.unbroken;
        const bool renewed = hold.renewals > 0;
        const LeaseMatch match = renewed ? LeaseMatch::NotKnown : m_watchdogs.match(holder.client(), hold.peakTtl);
        const bool isLeft = match != LeaseMatch::Other && isLeftByAFailedAcquire();
        const bool isLeaseKnown = hold.isBeginSeen() || match == LeaseMatch::Watchdog || isLeft;
        if (!hasEnd() || (!renewed && present.hadNoEnd) || !(renewed ? m_history.areRenewalsProven() : isLeaseKnown) ||
            match == LeaseMatch::MayBe)
            return;
        // The TTL went up, but perhaps by a quick reentry: that proves neither a watchdog nor a fixed lease.
        if (renewed ? present.watchdogLike == 0 : isOwn(holder))
            return;
        const Milliseconds lease = renewed ? present.renewedTo : hold.peakTtl;
        // Counts from the last moment at which the TTL was set, because a reentry sets it too.
        const SteadyTime due = std::max((renewed ? hold.lastRenewal : hold.since) + overdueAfter(lease),
                                        m_lock.expiry->latest - lease + overdueAfter(lease));
        if (!isDue(due))
            return;
        const WallTime endsAt = wall(present.ends);
        if (renewed)
            add(present.watchdogLike > 1 ? Certainty::Likely : Certainty::Suspected,
                WatchdogStopped{holder, hold.renewals, wall(hold.lastRenewal), lease, endsAt});
        else if (match == LeaseMatch::Watchdog || isLeft)
            add(m_history.past().renewedHolds > 0 ? Certainty::Likely : Certainty::Suspected,
                NeverRenewed{holder, lease, wall(hold.since), endsAt, hold.isBeginSeen(),
                             isLeft ? std::optional(true) : std::nullopt});
        else
            add(Certainty::Likely, FixedLease{holder, lease, wall(hold.since), endsAt});
    }

    // A hold that its watchdog renews may be set to a shorter TTL, too: by set-ttl, or by a reentry with a lease. Then
    // the next renewal is to the watchdog's own lease, and nothing else has changed.
    void findLeaseCut(const HolderId& holder) {
        const PresentHold& present = m_history.hold;
        if (!present.cut || present.watchdogLike == 0 || !m_history.areRenewalsProven() ||
            std::chrono::abs(present.renewedTo - present.cut->to) > cutTolerance)
            return;
        add(present.watchdogLike > 1 ? Certainty::Likely : Certainty::Suspected,
            LeaseCut{holder, present.cut->lease, present.cut->to, wall(present.cut->at), present.unbroken.renewals,
                     wall(present.unbroken.lastRenewal)});
    }

    // Redisson's lockAndGetToken() fails if no replica answers, and leaves the lock held without a watchdog.
    bool isLeftByAFailedAcquire() const { return m_lock.kind == LockKind::Fenced && m_node.replicas.mayNotAnswer(); }

    void findOrphan(const HolderId& holder) {
        const Hold& hold = m_history.hold.unbroken;
        const HoldTimes& usual = m_history.past().holdTimes;
        if (m_history.hold.watchdogLike == 0 || !m_history.areRenewalsProven() || usual.count() < fewestHolds)
            return;
        const Milliseconds farBeyond = std::max({10 * usual.median(), 3 * usual.longest(), shortestOrphan});
        if (isDue(hold.since + farBeyond))
            add(Certainty::Suspected, SuspectedOrphan{holder, wall(m_history.hold.whole().since), hold.renewals,
                                                      usual.median(), usual.count()});
    }

    void findReentryLeak(const Holder& holder) {
        const PresentHold& hold = m_history.hold;
        constexpr int fewestSteps = 3;
        if (holder.count < deepReentry || hold.stepsUp < fewestSteps || hold.steppedDown)
            return;
        add(holder.count < boundlessReentry ? Certainty::Suspected : Certainty::Likely,
            ReentryLeak{holder.id, holder.count, hold.stepsUp, wall(hold.unbroken.since)});
    }

    void findDoubleHolder() {
        const std::optional<LockHistory::Failover>& failover = m_history.past().failover;
        const SteadyTime since = m_history.hold.unbroken.since;
        // With too many readers not all holders are known.
        const bool isGone = failover && !m_lock.isCut() && !m_lock.isHeldBy(failover->earlier);
        if (isGone && since < failover->earlierEnds && lasts(since))
            add(Certainty::Suspected, PossibleDoubleHolder{failover->earlier, wall(failover->earlierEnds),
                                                           failover->gap, failover->serverRole, failover->newMaster});
    }

    // ---- ended ----

    // Not reported after renewals: the holder has then crashed, and does not continue without the lock. If no hold of
    // this lock was ever released, its leases may be meant to expire.
    void findLeaseRanOut() {
        const std::optional<LockHistory::EndedHold>& last = m_history.past().lastHold;
        if (!last || last->how != EventType::Expired || !last->holder || !last->hold.isBeginSeen() ||
            last->hold.renewals > 0 || last->hadNoEnd || isOwn(last->holder->id) || !lasts(last->endedAt))
            return;
        // With the lease of a watchdog, its client had died or hung before the first renewal.
        const LeaseMatch match = m_watchdogs.match(last->holder->id.client(), last->hold.peakTtl);
        if (match == LeaseMatch::Watchdog || match == LeaseMatch::MayBe)
            return;
        add(m_history.past().released > 0 ? Certainty::Likely : Certainty::Suspected,
            LeaseRanOut{last->holder->id, last->hold.peakTtl, wall(last->hold.since), wall(last->endedAt)});
    }

    // ---- free ----

    void diagnoseFree() {
        if (!m_lock.fairQueue.isEmpty() && !headListens())
            findBlockedQueue();
        else
            findListeners();
    }

    bool headListens() const {
        const HolderId& head = m_lock.fairQueue.first().id;
        return m_history.waiting().isHeadListening || m_history.waiting().listeners.fairWaiters.contains(head);
    }

    void findBlockedQueue() {
        const FairWaiter& head = m_lock.fairQueue.first();
        const SteadyTime since = std::max(m_history.freeSince, m_history.waiting().headSince);
        const bool counted = m_history.countedAt > since;
        const bool dead = m_history.isDead(head.id);
        if (!isDue(since + wakeTime))
            return;
        const Certainty withoutProof = counted ? Certainty::Likely : Certainty::Suspected;
        add(dead ? Certainty::Certain : withoutProof,
            FairQueueBlocked{head.id, head.deadline, wall(m_history.freeSince),
                             m_lock.waiters.value_or(static_cast<int>(m_lock.fairQueue.size()))});
        if (dead || m_history.isHeadUnheard())
            findQueueStorm(head, dead);
    }

    void findHeadWithoutDeadline() {
        const std::optional<SteadyTime>& since = m_history.waiting().headWithoutDeadlineSince;
        if (since && isDue(*since + wakeTime))
            add(Certainty::Certain,
                HeadWithoutDeadline{m_lock.fairQueue.first().id, wall(*since),
                                    m_lock.waiters.value_or(static_cast<int>(m_lock.fairQueue.size()))});
    }

    // A client of Redisson that is subscribed and waits behind a dead head asks again and again. If the head may be
    // subscribed at a replica, only the commands that the server executes show the storm.
    void findQueueStorm(const FairWaiter& head, bool dead) {
        const QList<HolderId>& listening = m_history.waiting().listeners.fairWaiters;
        const auto awake = std::count_if(m_lock.fairQueue.begin() + 1, m_lock.fairQueue.end(),
                                         [&](const FairWaiter& waiter) { return listening.contains(waiter.id); });
        const std::optional<qint64>& rate = m_node.commandsPerSecond;
        const bool mayBeStorm = rate ? *rate >= stormRate : dead;
        if (awake == 0 || !mayBeStorm)
            return;
        add(rate ? Certainty::Likely : Certainty::Suspected,
            FairQueueStorm{head.id, head.deadline, wall(m_history.freeSince), static_cast<int>(awake), rate});
    }

    void findListeners() {
        const int clients = m_history.waiting().listeners.clients;
        if (clients == 0 || m_history.waiting().listeners.monitors > 0 || !isDue(m_history.freeSince + wakeTime) ||
            m_history.countedAt < m_history.freeSince + wakeTime)
            return;
        // A client that subscribed after the last read may be waiting for a holder that has taken the lock since.
        if (m_lock.seenAt < m_history.waiting().listenersSince)
            return readAt(m_history.waiting().listenersSince);
        const WallTime freeSince = wall(m_history.freeSince);
        const std::optional<SteadyTime> until = sleepUntil();
        const bool hasNoEnd = until == SteadyTime::max();
        const bool isKnown = m_history.everHeld && until && !hasNoEnd;
        if (isKnown && isDue(*until + wakeTime) && m_history.countedAt >= *until)
            return add(Certainty::Likely, ChannelLeftOver{clients, freeSince, longestSleep(*until)});
        add(endedInSilence() ? Certainty::Likely : Certainty::Suspected,
            WaitersAsleep{clients, freeSince, m_history.everHeld, isKnown ? std::optional(wall(*until)) : std::nullopt,
                          hasNoEnd ? std::optional(true) : std::nullopt});
    }

    // A waiter tries again when the TTL in its last answer is over or, in a fair queue, when its turn must have come.
    std::optional<SteadyTime> sleepUntil() const {
        const std::optional<SteadyTime> until = m_history.sleepUntil();
        if (!until || m_lock.kind != LockKind::Fair)
            return until;
        return std::max<SteadyTime>(*until, m_history.freeSince + m_timeouts.fairWait);
    }

    Milliseconds longestSleep(SteadyTime until) const {
        return std::chrono::ceil<Milliseconds>(until - m_history.freeSince);
    }

    bool endedInSilence() const {
        const std::optional<LockHistory::EndedHold>& last = m_history.past().lastHold;
        if (!last)
            return false;
        const bool isSilent = last->how == EventType::Released && last->releaseSign != ReleaseSign::Message;
        return last->how == EventType::Expired || last->how == EventType::Deleted || isSilent;
    }

    // Waiters that have given up meanwhile cannot be distinguished, nor can waiters that have acquired a released lock.
    void findDeafWaiters() {
        const std::optional<LockHistory::Unheard>& unheard = m_history.past().unheard;
        if (!unheard || !m_lock.node || !m_history.waiting().listeners.sharded)
            return;
        const bool isCounted = m_history.countedAt >= unheard->since + deafTime;
        m_findings.awaitsCount = m_findings.awaitsCount || !isCounted;
        if (!isDue(unheard->since + deafTime) || !isCounted || !lasts(unheard->since))
            return;
        const bool isSameHold = m_lock.isHeld() && !unheard->isUnclear;
        add(isSameHold ? Certainty::Likely : Certainty::Suspected,
            DeafWaiters{unheard->clients, unheard->earlierNode, m_lock.node->address.toUtf8(), wall(unheard->since)});
    }

    // If no replica is missing, this is a worker that finishes after a second and takes the lock again.
    void findTakenBack() {
        const std::optional<LockHistory::TakenBack>& taken = m_history.past().takenBack;
        if (taken && m_node.replicas.mayNotAnswer() && lasts(taken->last))
            add(taken->times > 1 ? Certainty::Likely : Certainty::Suspected,
                AcquireTakenBack{taken->holder, taken->times, wall(taken->first), wall(taken->last),
                                 m_node.replicas.connected, m_node.replicas.mostSeen, silentReplicas()});
    }

    std::optional<int> silentReplicas() const {
        return m_node.replicas.silent > 0 ? std::optional(m_node.replicas.silent) : std::nullopt;
    }

    void findFairWaiterDropped() {
        const std::optional<LockHistory::StrayWaiter>& stray = m_history.past().stray;
        if (stray && isDue(stray->since + strayTime) && m_history.countedAt >= stray->since + strayTime)
            add(Certainty::Likely, FairWaiterDropped{stray->id, wall(stray->since)});
    }

    // ---- readers ----

    // While the lock is held for writing, the reader is the writer itself, and its own renewals end together with it.
    void findReaderCutShort() {
        const auto writes = [](const Holder& holder) { return holder.mode == HoldMode::Write; };
        if (m_lock.kind != LockKind::ReadWrite || !hasEnd() || std::ranges::any_of(m_lock.holders, writes))
            return;
        const std::optional<ReadLease> longest = longestReadLease();
        if (!longest || longest->expiry->earliest - m_lock.expiry->earliest < shortestCut)
            return;
        add(Certainty::Certain, ReaderCutShort{longest->reader, wall(longest->expiry->earliest),
                                               wall(m_lock.expiry->earliest), readerThatEndsWithTheLock()});
    }

    // The longest lease of a reader that is in the hash; leases without an end are left out.
    std::optional<ReadLease> longestReadLease() const {
        std::optional<ReadLease> longest;
        for (const ReadLease& lease : m_lock.readLeases()) {
            const bool ends = lease.expiry && lease.expiry->latest != SteadyTime::max();
            if (ends && holdsOf(lease.reader) > 0 && (!longest || lease.expiry->earliest > longest->expiry->earliest))
                longest = lease;
        }
        return longest;
    }

    std::optional<HolderId> readerThatEndsWithTheLock() const {
        for (const ReadLease& lease : m_lock.readLeases()) {
            if (lease.expiry && holdsOf(lease.reader) > 0 &&
                std::chrono::abs(lease.expiry->earliest - m_lock.expiry->earliest) < shortestCut)
                return lease.reader;
        }
        return std::nullopt;
    }

    void findZombieReader() {
        for (const OddReader& odd : m_history.past().oddReaders) {
            if (!isProven(odd) || !isDue(odd.since + zombieTime))
                continue;
            const bool withoutKeys = odd.odd == OddReader::Odd::WithoutKeys;
            const Certainty withField = odd.seenWhole ? Certainty::Likely : Certainty::Suspected;
            add(withoutKeys ? withField : Certainty::Certain,
                ZombieReader{odd.id, holdsOf(odd.id), keysOf(odd.id), wall(odd.since)});
            return;
        }
    }

    // A key of another reader proves that clients of this lock write timeout keys, and it keeps the lock alive. A
    // single reader without a key expires with the lock's TTL. Such a reader may have taken the lock for writing first,
    // because its read hold is then not renewed.
    bool isProven(const OddReader& odd) const {
        if (odd.odd == OddReader::Odd::WithoutField)
            return true;
        const QList<ReadLease> leases = m_lock.readLeases();
        return std::any_of(leases.begin(), leases.end(),
                           [this](const ReadLease& lease) { return holdsOf(lease.reader) > 0; });
    }

    qint64 holdsOf(const HolderId& reader) const {
        const auto found = std::find_if(m_lock.holders.begin(), m_lock.holders.end(), [&](const Holder& holder) {
            return holder.mode == HoldMode::Read && holder.id == reader;
        });
        return found == m_lock.holders.end() ? 0 : found->count;
    }

    int keysOf(const HolderId& reader) const {
        const QList<ReadLease> leases = m_lock.readLeases();
        return static_cast<int>(std::count_if(leases.begin(), leases.end(),
                                              [&](const ReadLease& lease) { return lease.reader == reader; }));
    }

    // ---- time ----

    // Whether the last read was made at `when` or later. If not, requests a read at that time.
    bool isDue(SteadyTime when) {
        if (m_lock.seenAt >= when)
            return true;
        readAt(when);
        return false;
    }

    bool lasts(SteadyTime since) {
        const SteadyTime end = since + aftermath;
        if (m_lock.seenAt >= end)
            return false;
        readAt(end);
        return true;
    }

    void readAt(SteadyTime when) { m_findings.nextRead = std::min(when, m_findings.nextRead.value_or(when)); }

    WallTime wall(SteadyTime when) const { return m_history.wallTime(when); }

    void add(Certainty certainty, Evidence evidence) {
        m_findings.diagnoses.append(Diagnosis{certainty, std::move(evidence)});
    }

    const LockSnapshot& m_lock;
    const LockHistory& m_history;
    const NodeFigures& m_node;
    const WatchdogLeases& m_watchdogs;
    const QSet<ClientId>& m_own;
    const ClientTimeouts& m_timeouts;
    Findings m_findings;
};

QList<Diagnosis> withoutKindsOf(const QList<Diagnosis>& diagnoses, const QList<Diagnosis>& others) {
    QList<Diagnosis> rest;
    std::copy_if(diagnoses.begin(), diagnoses.end(), std::back_inserter(rest), [&](const Diagnosis& one) {
        return std::none_of(others.begin(), others.end(),
                            [&](const Diagnosis& other) { return other.kind() == one.kind(); });
    });
    return rest;
}

bool hasBecomeCertain(const Diagnosis& earlier, const QList<Diagnosis>& now) {
    return earlier.certainty != Certainty::Certain && std::any_of(now.begin(), now.end(), [&](const Diagnosis& one) {
               return one.kind() == earlier.kind() && one.certainty == Certainty::Certain;
           });
}

}  // namespace

Findings diagnose(const LockSnapshot& lock, const LockHistory& history, const NodeFigures& node,
                  const WatchdogLeases& watchdogs, const QSet<ClientId>& own, const ClientTimeouts& timeouts) {
    return Diagnoser(lock, history, node, watchdogs, own, timeouts).run();
}

DiagnosisChanges changesBetween(const QList<Diagnosis>& before, const QList<Diagnosis>& now) {
    QList<Diagnosis> unchanged;
    std::copy_if(before.begin(), before.end(), std::back_inserter(unchanged),
                 [&now](const Diagnosis& earlier) { return !hasBecomeCertain(earlier, now); });
    return {withoutKindsOf(before, now), withoutKindsOf(now, unchanged)};
}

void addByGravity(QList<Diagnosis>& diagnoses, const Diagnosis& added) {
    const auto place = std::ranges::upper_bound(diagnoses, added.kind(), {}, &Diagnosis::kind);
    diagnoses.insert(place, added);
}

}  // namespace lockkeeper::monitor
