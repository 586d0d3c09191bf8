// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/lockhistory.h"

#include <algorithm>
#include <vector>

namespace lockkeeper::monitor {

namespace {

constexpr std::chrono::seconds wallClockStep{1};

// WAIT 1 1000 ends after 1.0 to 1.1 s, and the client tries again after 1.2 s (recording sentinel_crash).
constexpr Milliseconds shortestTakenBack{900};
constexpr Milliseconds longestTakenBack{1400};
constexpr Milliseconds longestRetry{5000};
constexpr Milliseconds deadTime{10000};
// An older count proves nothing about the waiters at the time of the move.
constexpr Milliseconds countIsFresh{10000};
constexpr qsizetype mostReadEnds = 8;
// A lock whose releases were announced so often is no spin lock and no fair lock.
constexpr quint64 fewestAnnounced = 3;

std::optional<HolderId> queueHead(const LockSnapshot& lock) {
    return lock.fairQueue.isEmpty() ? std::nullopt : std::optional(lock.fairQueue.first().id);
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

// Empty unless one atomic read covered all of the lock's keys.
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

bool isOnAnotherNode(const LockSnapshot& before, const LockSnapshot& after) {
    return before.node && after.node && before.node->shard != after.node->shard;
}

// Whether `after` has a new holder, or may have one because not all holders were read.
bool hasNewHolder(const LockSnapshot& before, const LockSnapshot& after) {
    if (before.isCut() || after.isCut())
        return after.isHeld();
    return std::any_of(after.holders.begin(), after.holders.end(),
                       [&before](const Holder& holder) { return !before.isHeldBy(holder.id); });
}

SteadyTime::duration wallOffset(const LockSnapshot& read) {
    return read.seenAtWall.time_since_epoch() - read.seenAt.time_since_epoch();
}

// Whether the lock may have been held for a short time between two reads that both found it free.
bool mayHaveBeenTaken(const BetweenReads& between) {
    return between.touch != KeyTouch::Untouched &&
           (between.touch == KeyTouch::Touched || between.messages > 0 || between.reception == Reception::Incomplete);
}

}  // namespace

void HoldTimes::add(Milliseconds hold) {
    m_holds[static_cast<size_t>(m_next)] = hold;
    m_next = (m_next + 1) % capacity;
    m_count = std::min(m_count + 1, capacity);
}

Milliseconds HoldTimes::median() const {
    std::vector<Milliseconds> holds(m_holds.begin(), m_holds.begin() + m_count);
    if (holds.empty())
        return Milliseconds(0);
    const auto middle = holds.begin() + m_count / 2;
    std::ranges::nth_element(holds, middle);
    return *middle;
}

Milliseconds HoldTimes::longest() const {
    return *std::max_element(m_holds.begin(), m_holds.end());
}

LockHistory::LockHistory(const LockSnapshot& first)
    : everHeld(first.isHeld()), freeSince(first.seenAt), endsKnownSince(first.seenAt), m_wallOffset(wallOffset(first)) {
    if (first.isHeld())
        hold = PresentHold(first, HoldBegin::NotSeen);
    if (queueHead(first))
        m_waiting.edit().headSince = first.seenAt;
    followDeadline(first);
    setOddReaders(oddReadersOf(first));
}

void LockHistory::follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                         const BetweenReads& between) {
    followWallClock(after);
    if (between.gap > Milliseconds(0)) {
        followGap(before, after, comparison, between);
        return;
    }
    const bool ended = comparison.hold == HoldChange::Ended || comparison.hold == HoldChange::New;
    followLeaseEnd(before, after);
    if (before.isHeld() && ended)
        endHold(before, after, comparison);
    if (!before.isHeld() && after.isHeld())
        followTakenBack(after);
    if (hasNewHolder(before, after))
        noteAcquired();
    hold.follow(before, after, comparison, between);
    everHeld = everHeld || after.isHeld();
    if (!after.isHeld())
        followFree(before, after, between);
    followQueue(before, after);
    followReaders(before, after);
}

void LockHistory::followGap(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                            const BetweenReads& between) {
    const bool wasHeld = everHeld;
    const LockHistory whole = *this;
    PresentHold present = std::move(hold);
    present.follow(before, after, comparison, between);
    *this = LockHistory(after);
    hold = std::move(present);
    everHeld = everHeld || wasHeld;
    if (isOnAnotherNode(before, after))
        followMove(before, after, whole);
    if (hasNewHolder(before, after))
        noteAcquired();
    const bool mustStillHold = before.expiry && before.expiry->earliest > after.seenAt;
    if (!between.newServerRole || before.holders.size() != 1 || !mustStillHold)
        return;
    const Holder& earlier = before.holders.first();
    if (earlier.mode != HoldMode::Read)
        m_past.edit().failover =
            Failover{earlier.id, before.expiry->earliest, between.gap, *between.newServerRole, between.newMaster};
}

// Nothing is known about clients that waited before the move, unless they subscribe at the new node: see count().
void LockHistory::followMove(const LockSnapshot& before, const LockSnapshot& after, const LockHistory& earlier) {
    if (earlier.past().unheard) {
        m_past.edit().unheard = earlier.past().unheard;
        return;
    }
    const std::optional<ShardedWait>& wait = earlier.past().shardedWait;
    if (!wait || after.seenAt - wait->countedAt > countIsFresh)
        return;
    const bool isUnclear = earlier.waiting().listeners.sharded != wait->clients;
    m_past.edit().unheard = Unheard{wait->clients, before.node->address.toUtf8(), after.seenAt, isUnclear};
}

// One of the waiters may have the lock now.
void LockHistory::noteAcquired() {
    if (past().shardedWait && --m_past.edit().shardedWait->clients <= 0)
        m_past.edit().shardedWait.reset();
    if (!past().unheard)
        return;
    std::optional<Unheard>& unheard = m_past.edit().unheard;
    unheard->isUnclear = true;
    if (--unheard->clients <= 0)
        unheard.reset();
}

// The same caller takes the lock with the same lease each time. So if the begin of its earlier hold was not seen, the
// TTL at its first read shows how long before it was taken.
SteadyTime LockHistory::beginOf(const Hold& earlier, const LockSnapshot& after) {
    const Milliseconds passed = after.ttl.value_or(Milliseconds(0)) - earlier.peakTtl;
    return earlier.isBeginSeen() ? earlier.since : earlier.since - std::max(passed, Milliseconds(0));
}

// after: the first read of a hold that began while the lock was free.
void LockHistory::followTakenBack(const LockSnapshot& after) {
    const std::optional<EndedHold> last = past().lastHold;
    if (!last || last->how != EventType::Released || last->hold.renewals > 0 || !last->holder ||
        after.holders.size() != 1 || after.holders.first().id != last->holder->id ||
        after.seenAt - last->endedAt > longestRetry)
        return;
    const auto heldFor = last->endedAt - beginOf(last->hold, after);
    if (heldFor < shortestTakenBack || heldFor > longestTakenBack)
        return;
    std::optional<TakenBack>& taken = m_past.edit().takenBack;
    if (!taken || taken->holder != last->holder->id)
        taken = TakenBack{last->holder->id, 0, last->endedAt, {}};
    ++taken->times;
    taken->last = last->endedAt;
}

void LockHistory::endHold(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison) {
    const std::optional<Holder> holder =
        before.holders.size() == 1 ? std::optional(before.holders.first()) : std::nullopt;
    Past& past = m_past.edit();
    past.lastHold =
        EndedHold{hold.unbroken,          holder,       comparison.ended.value_or(EventType::Gone), after.seenAt,
                  comparison.releaseSign, hold.hadNoEnd};
    const bool isReleased = past.lastHold->how == EventType::Released;
    const bool isAnnounced = isReleased && comparison.releaseSign == ReleaseSign::Message;
    const bool isSilent = isReleased && comparison.releaseSign == ReleaseSign::NoMessage;
    past.released += quint64{isReleased};
    past.announced += quint64{isAnnounced};
    past.silentEnds += quint64{past.lastHold->how == EventType::Deleted || (isSilent && before.kind != LockKind::Fair)};
    past.renewedHolds += quint64{hold.watchdogLike > 0};
    if (hold.unbroken.isBeginSeen())
        past.holdTimes.add(std::chrono::duration_cast<Milliseconds>(after.seenAt - hold.unbroken.since));
    const bool earlierWasLost = past.failover && holder && holder->id == past.failover->earlier && !isAnnounced;
    if (!earlierWasLost)
        past.failover.reset();
}

void LockHistory::followFree(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between) {
    if (before.isHeld() || mayHaveBeenTaken(between))
        freeSince = after.seenAt;
    if (!before.isHeld() && mayHaveBeenTaken(between))
        noteUnseenHold(after);
}

// ---- the ends of leases that waiters may have read ----

void LockHistory::followLeaseEnd(const LockSnapshot& before, const LockSnapshot& after) {
    const bool goesOn = after.isHeld() && mayEndTogether(before, after);
    if (!before.isHeld() || goesOn)
        return;
    const auto endOf = [](const LockSnapshot& lock) { return lock.expiry ? lock.expiry->latest : SteadyTime::max(); };
    addReadEnd({endOf(before), after.seenAt}, after.isHeld() ? endOf(after) : SteadyTime::min());
}

// A waiter that may have read an earlier end may also have come later and read this one, so only a later end counts.
void LockHistory::addReadEnd(const ReadLeaseEnd& read, SteadyTime present) {
    if (read.ends <= present && past().readEnds.isEmpty())
        return;
    QList<ReadLeaseEnd>& ends = m_past.edit().readEnds;
    const SteadyTime covered = std::max(read.ends, present);
    ends.removeIf([covered](const ReadLeaseEnd& earlier) { return earlier.ends <= covered; });
    if (read.ends > present)
        ends += read;
    if (ends.size() <= mostReadEnds)
        return;
    ends[1].ends = ends[0].ends;
    ends.removeFirst();
}

// Its lease is taken for one like those that were seen.
void LockHistory::noteUnseenHold(const LockSnapshot& after) {
    const std::optional<EndedHold>& last = past().lastHold;
    if (last && last->hold.peakTtl > Milliseconds(0))
        addReadEnd({after.seenAt + last->hold.peakTtl, after.seenAt}, SteadyTime::min());
    else
        endsKnownSince = after.seenAt;
}

std::optional<SteadyTime> LockHistory::sleepUntil() const {
    if (waiting().cameAfter < endsKnownSince)
        return std::nullopt;
    SteadyTime until = freeSince;
    for (const ReadLeaseEnd& read : past().readEnds) {
        if (read.inForceUntil >= waiting().cameAfter)
            until = std::max(until, read.ends);
    }
    return until;
}

ReleaseHabit LockHistory::releaseHabit() const {
    const bool isAnnounced = past().announced >= fewestAnnounced * (past().silentEnds + 1);
    return isAnnounced ? ReleaseHabit::Announced : ReleaseHabit::NotKnown;
}

void LockHistory::followQueue(const LockSnapshot& before, const LockSnapshot& after) {
    if (queueHead(before) != queueHead(after)) {
        Waiting& waiting = m_waiting.edit();
        waiting.headSince = after.seenAt;
        waiting.isHeadListening = false;
        waiting.headUnheardSince.reset();
        waiting.headWithoutDeadlineSince.reset();
    }
    followDeadline(after);
    forgetSilent(after);
    const std::optional<StrayWaiter>& stray = past().stray;
    if (stray && (after.isQueued(stray->id) || after.isHeldBy(stray->id) || !after.isQueueWhole()))
        m_past.edit().stray.reset();
}

void LockHistory::followDeadline(const LockSnapshot& read) {
    const bool hasNone = queueHead(read) && read.fairQueue.first().hasNoDeadline;
    if (hasNone == waiting().headWithoutDeadlineSince.has_value())
        return;
    m_waiting.edit().headWithoutDeadlineSince = hasNone ? std::optional(read.seenAt) : std::nullopt;
}

// A waiter that joins the queue again is observed from the beginning.
void LockHistory::forgetSilent(const LockSnapshot& after) {
    const auto hasLeft = [&after](const SilentWaiter& waiter) { return !after.isQueued(waiter.id); };
    if (std::ranges::any_of(waiting().silent, hasLeft))
        m_waiting.edit().silent.removeIf(hasLeft);
}

void LockHistory::followReaders(const LockSnapshot& before, const LockSnapshot& after) {
    const QList<OddReader>& oddReaders = past().oddReaders;
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
    setOddReaders(odd);
}

void LockHistory::setOddReaders(const QList<OddReader>& odd) {
    if (m_past || !odd.isEmpty())
        m_past.edit().oddReaders = odd;
}

WallTime LockHistory::wallTime(SteadyTime when) const {
    return WallTime(std::chrono::duration_cast<WallTime::duration>(when.time_since_epoch() + m_wallOffset));
}

// Handles a change of the wall clock.
void LockHistory::followWallClock(const LockSnapshot& read) {
    if (std::chrono::abs(read.seenAtWall - wallTime(read.seenAt)) < wallClockStep)
        return;
    m_wallOffset = wallOffset(read);
}

void LockHistory::count(const Listeners& counted, SteadyTime countBegan, const LockSnapshot& lock,
                        const QueueListening& listening, SteadyTime noneAt) {
    countedAt = countBegan;
    countListeners(counted, countBegan, noneAt);
    countHead(listening.isHeadListening, countBegan, lock);
    countSilent(listening, countBegan, lock.seenAt);
    countSharded(counted, countBegan);
    const auto found = std::find_if(counted.fairWaiters.begin(), counted.fairWaiters.end(), [&](const HolderId& id) {
        return lock.isQueueWhole() && !lock.isQueued(id) && !lock.isHeldBy(id);
    });
    const std::optional<StrayWaiter>& stray = past().stray;
    if (found != counted.fairWaiters.end()) {
        if (!stray || !counted.fairWaiters.contains(stray->id))
            m_past.edit().stray = StrayWaiter{*found, countBegan};
    } else if (stray) {
        m_past.edit().stray.reset();
    }
}

void LockHistory::countListeners(const Listeners& counted, SteadyTime countBegan, SteadyTime noneAt) {
    if (counted == waiting().listeners)
        return;
    Waiting& waiting = m_waiting.edit();
    if (waiting.listeners.clients == 0) {
        waiting.listenersSince = countBegan;
        waiting.cameAfter = noneAt;
    }
    waiting.listeners = counted;
}

// A count that began before the head was seen may be older than its subscription.
void LockHistory::countHead(bool isListening, SteadyTime countBegan, const LockSnapshot& lock) {
    const std::optional<HolderId> head = queueHead(lock);
    if (!head && isListening == waiting().isHeadListening)
        return;  // followQueue() has forgotten the head
    Waiting& waiting = m_waiting.edit();
    waiting.isHeadListening = isListening;
    const bool isHeard = isListening || (head && waiting.listeners.fairWaiters.contains(*head));
    if (!head || isHeard)
        waiting.headUnheardSince.reset();
    else if (!waiting.headUnheardSince && countBegan > waiting.headSince)
        waiting.headUnheardSince = countBegan;
}

// As in countHead(): a count that began before a waiter was seen in the queue may be older than its subscription.
void LockHistory::countSilent(const QueueListening& listening, SteadyTime countBegan, SteadyTime lastRead) {
    if (listening.unheard.isEmpty() && waiting().silent.isEmpty())
        return;
    QList<SilentWaiter> all;
    for (const HolderId& id : listening.unheard) {
        const auto known = std::ranges::find(waiting().silent, id, &SilentWaiter::id);
        SilentWaiter waiter = known != waiting().silent.end() ? *known : SilentWaiter{id, lastRead, std::nullopt};
        if (listening.coverage != Coverage::AllServers)
            waiter.since.reset();
        else if (!waiter.since && countBegan > waiter.queuedAt)
            waiter.since = countBegan;
        all += waiter;
    }
    m_waiting.edit().silent = all;
}

QList<HolderId> LockHistory::unheardWaiters() const {
    QList<HolderId> unheard;
    for (const SilentWaiter& waiter : waiting().silent) {
        if (countedAt > waiter.queuedAt)
            unheard += waiter.id;
    }
    return unheard;
}

bool LockHistory::isDead(const HolderId& queued) const {
    const auto silent = std::ranges::find(waiting().silent, queued, &SilentWaiter::id);
    return silent != waiting().silent.end() && silent->since && countedAt - *silent->since >= deadTime;
}

bool LockHistory::isHeadUnheard() const {
    const std::optional<SteadyTime>& unheardSince = waiting().headUnheardSince;
    return unheardSince && countedAt - *unheardSince >= deadTime;
}

void LockHistory::countSharded(const Listeners& counted, SteadyTime countBegan) {
    if (counted.sharded == 0)
        return;
    if (counted.sharded)
        m_past.edit().shardedWait = ShardedWait{*counted.sharded, countBegan};
    else if (past().shardedWait)
        m_past.edit().shardedWait.reset();
    if (past().unheard && counted.sharded && countBegan >= past().unheard->since)
        m_past.edit().unheard.reset();
}

}  // namespace lockkeeper::monitor
