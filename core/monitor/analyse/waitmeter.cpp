// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/waitmeter.h"

#include <algorithm>
#include <limits>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

// A client unsubscribes after it has acquired, so a count that comes sooner may still have it.
constexpr Milliseconds unsubscribeTime = 250ms;
constexpr qsizetype mostAcquired = 64;  // acquisitions between two counts that are remembered one by one

quint32 inMilliseconds(SteadyTime::duration time) {
    const auto whole = std::chrono::duration_cast<Milliseconds>(std::max(time, SteadyTime::duration(0))).count();
    return static_cast<quint32>(std::min<qint64>(whole, std::numeric_limits<quint32>::max()));
}

// How long the lock was certainly free between two reads.
SteadyTime::duration freeTime(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between) {
    if (before.isHeld())
        return {};
    const bool isQuiet = between.touch == KeyTouch::NotKnown && between.messages == 0 && !after.isHeld() &&
                         between.reception == Reception::Complete;
    return (isQuiet ? after.seenAt : unchangedUntil(before, after, between)) - before.seenAt;
}

bool hasNewHold(const Comparison& comparison) {
    const auto isAcquisition = [](const LockEvent& event) {
        return event.type == EventType::Acquired || event.type == EventType::HandedOver;
    };
    return std::ranges::any_of(comparison.events, isAcquisition);
}

}  // namespace

WaitMeter::WaitMeter(const LockSnapshot& first) {
    startOver(first);
}

// What waits now may have waited for long. What was measured before stays true.
void WaitMeter::startOver(const LockSnapshot& read) {
    const int clients = read.fairQueue.isEmpty() ? read.certainWaiters() : 0;
    if (!m_state && clients == 0 && read.fairQueue.isEmpty())
        return;
    State& state = m_state.edit();
    const Begin begin{std::nullopt, read.seenAt, state.free};
    state.groups.clear();
    state.queue.clear();
    state.acquired.clear();
    state.unclear = 0;
    if (clients > 0)
        state.groups += Group{clients, begin};
    for (const FairWaiter& waiter : read.fairQueue)
        state.queue += Queued{waiter.id, begin};
    forgetIfUnused();
}

void WaitMeter::forgetIfUnused() {
    const State& state = *m_state;
    if (state.groups.isEmpty() && state.queue.isEmpty() && state.waits.isEmpty())
        m_state.reset();
}

// ---- reads ----

WaitMeter::Change WaitMeter::follow(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                                    const BetweenReads& between) {
    if (!m_state && after.fairQueue.isEmpty())
        return Change::None;
    if (between.gap > Milliseconds(0)) {
        startOver(after);
        return Change::Some;
    }
    const quint64 measured = m_state->measured;
    State& state = m_state.edit();
    if (!state.groups.isEmpty() || !state.queue.isEmpty())
        state.free += freeTime(before, after, between);
    measureQueued(before, after, between);
    bool isOther = followQueue(before, after, between);
    if (!state.groups.isEmpty() && after.fairQueue.isEmpty())
        noteAcquired(before, after, comparison, between);
    else if (!after.fairQueue.isEmpty())
        isOther = !std::exchange(state.groups, {}).isEmpty() || isOther;
    isOther = isOther || state.measured != measured;
    forgetIfUnused();
    return isOther ? Change::Some : Change::None;
}

// A waiter of the queue that has the lock now has waited until then.
void WaitMeter::measureQueued(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between) {
    State& state = m_state.edit();
    const Acquired acquired{unchangedUntil(before, after, between), after.seenAt, state.free};
    for (const Queued& queued : std::as_const(state.queue)) {
        const bool hasIt = after.isHeldBy(queued.id) && !before.isHeldBy(queued.id) && !after.isQueued(queued.id);
        if (hasIt)
            add(queued.begin, acquired, queued.begin);
    }
}

bool WaitMeter::followQueue(const LockSnapshot& before, const LockSnapshot& after, const BetweenReads& between) {
    State& state = m_state.edit();
    if (after.fairQueue.isEmpty() && state.queue.isEmpty())
        return false;
    // The server reports a change of a queue at once, if it reports changes at all.
    const SteadyTime earliest = between.touch == KeyTouch::Untouched ? after.seenAt : before.seenAt;
    const std::optional<SteadyTime> joined = before.isQueueWhole() ? std::optional(earliest) : std::nullopt;
    QList<Queued> queue;
    bool isOther = after.fairQueue.size() != state.queue.size();
    for (const FairWaiter& waiter : after.fairQueue) {
        const auto known = std::ranges::find(state.queue, waiter.id, &Queued::id);
        isOther = isOther || known == state.queue.end() || known - state.queue.begin() != queue.size();
        queue += known != state.queue.end() ? *known : Queued{waiter.id, Begin{joined, after.seenAt, state.free}};
    }
    state.queue = std::move(queue);
    return isOther;
}

// Which of the waiting clients has acquired the lock, and whether it was one of them, shows the next count.
void WaitMeter::noteAcquired(const LockSnapshot& before, const LockSnapshot& after, const Comparison& comparison,
                             const BetweenReads& between) {
    const int seen = hasNewHold(comparison) ? 1 : 0;
    if (seen == 0 && between.messages == 0)
        return;
    State& state = m_state.edit();
    state.unclear += std::max(0, between.messages - seen);
    if (seen == 0)
        return;
    if (state.acquired.size() < mostAcquired)
        state.acquired += Acquired{unchangedUntil(before, after, between), after.seenAt, state.free};
    else
        ++state.unclear;
}

// ---- counts ----

WaitMeter::Change WaitMeter::count(int clients, SteadyTime countBegan, std::optional<SteadyTime> earlierCount,
                                   const LockSnapshot& lock) {
    const int counted = lock.fairQueue.isEmpty() ? clients : 0;
    if (!m_state && counted == 0)
        return Change::None;
    State& state = m_state.edit();
    const auto isOver = [&](const Acquired& one) { return one.latest + unsubscribeTime <= countBegan; };
    const auto over = static_cast<int>(std::ranges::count_if(state.acquired, isOver));
    int before = 0;
    for (const Group& group : std::as_const(state.groups))
        before += group.clients;
    const int left = std::max(0, before - counted);
    measureLeft(left, over);
    const int mayHaveLeft = std::min(before, std::max(left, over + std::exchange(state.unclear, 0)));
    state.acquired.remove(0, over);
    if (mayHaveLeft == 0 && before == counted) {
        forgetIfUnused();
        return Change::None;
    }
    // Until this count the lock may have been free since its last read: then that was not a part of the client's wait.
    const auto freeMeanwhile =
        lock.isHeld() ? SteadyTime::duration(0) : std::max(countBegan, lock.seenAt) - lock.seenAt;
    regroup(counted, mayHaveLeft, Begin{earlierCount, countBegan, state.free + freeMeanwhile});
    forgetIfUnused();
    return Change::Some;
}

// As many clients as have left, and not more than have acquired the lock, have got it. It is not known which.
void WaitMeter::measureLeft(int left, int acquired) {
    const State state = *m_state;
    for (int i = 0; i < std::min(left, acquired); ++i)
        add(state.groups.first().begin, state.acquired[i], state.groups.last().begin);
}

// It is not known which clients have left, so of those that remain each may have begun in between: the one that waits
// longest not before the longest of all, and not after the one that would be the longest if the first ones had left.
void WaitMeter::regroup(int clients, int mayHaveLeft, const Begin& joined) {
    State& state = m_state.edit();
    const auto partAt = [&](int rank) {
        for (const Group& group : std::as_const(state.groups)) {
            if (rank < group.clients)
                return Part{group.begin, group.clients - rank};
            rank -= group.clients;
        }
        return Part{joined, std::numeric_limits<int>::max()};
    };
    QList<Group> groups;
    for (int rank = 0; rank < clients;) {
        const Part longest = partAt(rank);
        const Part shortest = partAt(rank + mayHaveLeft);
        const int size = std::min({longest.clients, shortest.clients, clients - rank});
        const Begin begin{longest.begin.earliest, shortest.begin.latest, shortest.begin.freeThen};
        if (!groups.isEmpty() && groups.last().begin == begin)
            groups.last().clients += size;
        else
            groups += Group{size, begin};
        rank += size;
    }
    // The clients that came last are put together.
    while (groups.size() > mostGroups) {
        const Group last = groups.takeLast();
        groups.last().clients += last.clients;
        groups.last().begin.latest = last.begin.latest;
        groups.last().begin.freeThen = last.begin.freeThen;
    }
    state.groups = std::move(groups);
}

// first and last: the begins of the clients among which the one is that has waited.
void WaitMeter::add(const Begin& first, const Acquired& end, const Begin& last) {
    if (!first.earliest)
        return;  // how long it had waited before it was watched is not known
    State& state = m_state.edit();
    const Wait wait{inMilliseconds(end.earliest - last.latest), inMilliseconds(end.latest - *first.earliest),
                    inMilliseconds(end.free - last.freeThen)};
    ++state.measured;
    if (state.waits.size() < mostKept) {
        state.waits += wait;
        return;
    }
    state.waits[state.next] = wait;
    state.next = (state.next + 1) % mostKept;
}

std::vector<WaitTimes::Length> WaitMeter::lastMeasured(quint64 count) const {
    const State& state = *m_state;
    const auto kept = static_cast<int>(state.waits.size());
    const int wanted = static_cast<int>(std::min<quint64>(count, static_cast<quint64>(kept)));
    std::vector<WaitTimes::Length> lengths;
    for (int back = wanted; back > 0; --back) {
        const Wait& wait = state.waits[(state.next + kept - back) % kept];
        lengths.push_back({Milliseconds(wait.atLeast), Milliseconds(wait.atMost)});
    }
    return lengths;
}

// ---- what is shown ----

Waits WaitMeter::shown(const std::function<WallTime(SteadyTime)>& wall) const {
    Waits waits;
    const auto since = [&wall](const Begin& begin, int clients, std::optional<HolderId> waiter) {
        const auto earliest = begin.earliest ? std::optional(wall(*begin.earliest)) : std::nullopt;
        return WaitingSince{clients, earliest, wall(begin.latest), std::move(waiter)};
    };
    for (const Queued& queued : m_state->queue)
        waits.present += since(queued.begin, 1, queued.id);
    for (const Group& group : m_state->groups)
        waits.present += since(group.begin, group.clients, std::nullopt);
    if (!m_state->waits.isEmpty())
        waits.past = times();
    return waits;
}

WaitTimes WaitMeter::times() const {
    const QList<Wait>& waits = m_state->waits;
    std::vector<quint32> atLeast;
    std::vector<quint32> atMost;
    WaitTimes times;
    times.waits = static_cast<int>(waits.size());
    for (const Wait& wait : waits) {
        atLeast.push_back(wait.atLeast);
        atMost.push_back(wait.atMost);
        times.waited += Milliseconds(wait.atLeast);
        times.free += Milliseconds(std::min(wait.free, wait.atLeast));
    }
    std::ranges::sort(atLeast);
    std::ranges::sort(atMost);
    const auto shareTook = [&](size_t percent) {
        const size_t place = (atLeast.size() - 1) * percent / 100;
        return WaitTimes::Length{Milliseconds(atLeast[place]), Milliseconds(atMost[place])};
    };
    times.longest = shareTook(100);
    if (times.waits >= fewestForMedian)
        times.median = shareTook(50);
    if (times.waits >= fewestForNinetyNinth)
        times.ninetyNinth = shareTook(99);
    return times;
}

}  // namespace lockkeeper::monitor
