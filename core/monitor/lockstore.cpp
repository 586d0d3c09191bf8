// SPDX-License-Identifier: Apache-2.0
#include "monitor/lockstore.h"

#include "monitor/analyse/diagnose.h"
#include "monitor/analyse/diagnosischanges.h"
#include "monitor/model/nameweight.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// Whether the lock is free and without waiters, apart from other monitors: it may then be forgotten.
bool isUnused(const LockSnapshot& lock) {
    return !lock.isHeld() && lock.waiters.value_or(0) <= lock.monitorsAmongWaiters;
}

std::optional<Holder> onlyHolder(const LockSnapshot& lock) {
    return lock.holders.size() == 1 ? std::optional(lock.holders.first()) : std::nullopt;
}

// Sorted, because a hash has another order in each run of the program, and events and their replay need the same one.
QList<LockName> inOrder(QList<LockName> names) {
    std::ranges::sort(names);
    return names;
}

std::optional<SteadyTime> earlier(std::optional<SteadyTime> one, std::optional<SteadyTime> other) {
    if (!one || !other)
        return one ? one : other;
    return std::min(*one, *other);
}

}  // namespace

std::optional<LockRow> LockStore::row(const LockName& name) const {
    const KnownLock* known = m_known.find(name);
    if (!known)
        return std::nullopt;
    LockRow row = known->row();
    complete(*known, row);
    return row;
}

void LockStore::complete(const KnownLock& known, LockRow& row) const {
    const LockName& name = row.lock.name;
    row.hold = known.history.hold.whole();
    row.setQueueFacts({m_unmappedQueues.of(name), m_unmappedQueues.lockOf(name), row.deadWaiters()});
    row.isUnread = m_unread.contains(name);
}

void LockStore::noteUnread(const LockName& name) {
    if (m_unread.note(name) && m_known.contains(name))
        m_changed.insert(name);
}

// ---- reads ----

Stored LockStore::apply(LockSnapshot read, const BetweenReads& between) {
    KnownLock* known = m_known.find(read.name);
    if (!known)
        return applyFirst(std::move(read), between);
    if (m_unread.remove(read.name))
        m_changed.insert(read.name);
    applyNext(*known, std::move(read), between);
    return Stored::Yes;
}

Stored LockStore::applyFirst(LockSnapshot read, const BetweenReads& between) {
    if (!makeRoom(weightOf(read.name), read.seenAt))
        return Stored::NoRoom;
    m_counts.apply(read);
    m_weight += weightOf(read.name);
    KnownLock& known = m_known[read.name];
    known = KnownLock(std::move(read), between.releasesReceived);
    m_changed.insert(known.lock().name);
    m_removed.remove(known.lock().name);
    m_evicted.remove(known.lock().name);
    m_held += int{known.lock().isHeld()};
    addFirstEvents(known.lock(), between);
    m_unread.remove(known.lock().name);
    if (!known.lock().isHeld())
        noteFree(known, known.lock().seenAt);
    followQueue(known.lock());
    diagnoseRead(known, nullptr);
    return Stored::Yes;
}

// If the queue belongs to another lock, that lock is shown again, together with the queue.
void LockStore::followQueue(const LockSnapshot& read) {
    const std::optional<LockName> lock = m_unmappedQueues.follow(read);
    if (lock && m_known.contains(*lock))
        m_changed.insert(*lock);
}

void LockStore::addFirstEvents(const LockSnapshot& lock, const BetweenReads& between) {
    if (lock.isHeld()) {
        const bool isNew = m_swept.contains(shardOf(lock)) && !m_unread.mayBeOld(lock.name);
        LockEvent event = eventAbout(isNew ? EventType::Acquired : EventType::Found, lock, lock.seenAtWall);
        event.holder = onlyHolder(lock);
        return m_events.add(std::move(event));
    }
    if (between.messages > 0)
        m_events.add(eventAbout(EventType::Released, lock, lock.seenAtWall));
    if (lock.waiters.value_or(0) > 0)
        m_events.add(eventAbout(EventType::Waiters, lock, lock.seenAtWall));
}

void LockStore::applyNext(KnownLock& known, LockSnapshot read, const BetweenReads& between) {
    addEarlierKnowledge(read, known.lock());
    Comparison comparison = compareSnapshots(known.lock(), read, between);
    measure(known, read, comparison, between);
    known.history.follow(known.lock(), read, comparison, between);
    const bool wasHeld = known.lock().isHeld();
    const bool wasUnused = isUnused(known.lock());
    const bool areReleasesNew = between.releasesReceived > known.row().releasesReceived;
    if (!comparison.events.empty() || isShownDifferently(known.lock(), read) || areReleasesNew)
        m_changed.insert(read.name);
    LockRow& row = known.edit();
    row.releasesReceived = std::max(row.releasesReceived, between.releasesReceived);
    const LockSnapshot before = std::exchange(row.lock, std::move(read));
    m_held += int{known.lock().isHeld()} - int{wasHeld};
    const bool freed = wasHeld && !known.lock().isHeld();
    if (freed || (isUnused(known.lock()) && !wasUnused))
        noteFree(known, known.lock().seenAt);
    for (LockEvent& event : comparison.events)
        m_events.add(std::move(event));
    followQueue(known.lock());
    diagnoseRead(known, &before);
}

// Call it before LockHistory::follow(), because it needs the end of the previous hold.
void LockStore::measure(KnownLock& known, const LockSnapshot& read, Comparison& comparison,
                        const BetweenReads& between) {
    std::optional<SteadyTime> lastEnd = known.history.freeSince;
    if (known.lock().isHeld())
        lastEnd = known.history.past().lastHold ? std::optional(known.history.past().lastHold->endedAt) : std::nullopt;
    if (m_busy.follow(known.lock(), read, comparison, between, lastEnd) == BusyLocks::Reading::Same)
        return;
    const std::optional<Throughput> reading = m_busy.reading(read.name);
    if (!reading && !known.row().throughput)
        return;
    m_changed.insert(read.name);
    LockRow& row = known.edit();
    row.throughput = reading ? Rare(*reading) : Rare<Throughput>();
    if (reading && !comparison.events.empty())
        comparison.events.front().throughput = row.throughput;
}

void LockStore::coolDown(SteadyTime now) {
    for (const LockName& name : m_busy.takeIdle(now)) {
        KnownLock* known = m_known.find(name);
        if (!known || !known->row().throughput)
            continue;
        known->edit().throughput.reset();
        m_changed.insert(name);
    }
}

void LockStore::addEarlierKnowledge(LockSnapshot& read, const LockSnapshot& before) {
    read.kind = learnedKind(before.kind, read);
    m_counts.follow(before, read);
    m_counts.apply(read);
}

void LockStore::setWaiting(const WaitingCounts::Waiting& waiting, SteadyTime countBegan, WallTime wall,
                           topology::ShardId shard, Coverage coverage) {
    const std::optional<WaitingCounts::Waiting> before = m_counts.set(shard, waiting);
    const QSet<LockName> awaiting = std::exchange(m_awaitingCount, {});
    const auto refreshNamed = [&](const LockName& name) {
        KnownLock* known = m_known.find(name);
        if (known && shardOf(known->lock()) == shard)
            refreshWaiting(*known, waiting.value(name), countBegan, wall, coverage);
        else if (known && awaiting.contains(name))
            m_awaitingCount.insert(name);
    };
    std::ranges::for_each(inOrder(before ? before->keys() : m_known.names()), refreshNamed);
    std::ranges::for_each(inOrder(waiting.keys()), refreshNamed);
    for (const LockName& name : inOrder(awaiting.values())) {
        if (!waiting.contains(name))
            refreshNamed(name);
    }
}

void LockStore::refreshWaiting(KnownLock& known, const Listeners& counted, SteadyTime countBegan, WallTime wall,
                               Coverage coverage) {
    setWaiters(known, countBegan, wall);
    if (m_unmappedQueues.learn(known.lock(), counted))
        m_changed.insert({known.lock().name, m_unmappedQueues.of(known.lock().name)->name});
    const Listeners own = m_unmappedQueues.withoutThem(known.lock().name, counted);
    known.history.count(own, countBegan, known.lock(), queueListening(known.lock(), coverage));
    diagnose(known, wall);
}

void LockStore::setReplicas(topology::ShardId shard, const Replicas& replicas, WallTime wall) {
    m_figures[shard].replicas = replicas;
    for (const LockName& name : inOrder(m_known.names())) {
        KnownLock& known = *m_known.find(name);
        if (shardOf(known.lock()) == shard && known.history.past().takenBack)
            diagnose(known, wall);
    }
}

void LockStore::setWaiters(KnownLock& known, SteadyTime now, WallTime wall) {
    LockSnapshot counted = known.lock();
    m_counts.apply(counted);
    if (counted.waiters == known.lock().waiters && counted.monitorsAmongWaiters == known.lock().monitorsAmongWaiters)
        return;
    const LockSnapshot before = std::exchange(known.edit().lock, std::move(counted));
    m_changed.insert(before.name);
    if (known.lock().waiters.value_or(0) != before.waiters.value_or(0))
        m_events.add(eventAbout(EventType::Waiters, known.lock(), wall));
    // The last client that waited for a free lock has left: from now on it may be forgotten.
    if (isUnused(known.lock()) && !isUnused(before))
        noteFree(known, now);
}

void LockStore::diagnoseRead(KnownLock& known, const LockSnapshot* before) {
    m_deadlocks.follow(before, known.lock());
    if (m_deadlocks.isDue(known.lock().seenAt))
        searchDeadlocks(known.lock());
    diagnose(known, known.lock().seenAtWall);
}

void LockStore::searchDeadlocks(const LockSnapshot& read) {
    const auto lastRead = [this](const LockName& name) {
        const KnownLock* known = m_known.find(name);
        return known ? &known->lock() : nullptr;
    };
    const WallTime wall = read.seenAtWall;
    for (const LockName& name : inOrder(m_deadlocks.search(read.seenAt, lastRead).values())) {
        if (KnownLock* known = m_known.find(name))
            diagnose(*known, wall);
    }
}

void LockStore::diagnose(KnownLock& known, WallTime at) {
    Findings findings = monitor::diagnose(known.lock(), known.history, m_figures.value(shardOf(known.lock())));
    if (const std::optional<Deadlock> deadlock = m_deadlocks.of(known.lock().name))
        addByGravity(findings.diagnoses, {Certainty::Likely, *deadlock});
    m_dueReads.set(known.lock().name, earlier(findings.nextRead, m_deadlocks.nextRead(known.lock().name)));
    if (findings.awaitsCount)
        m_awaitingCount.insert(known.lock().name);
    noteUnheard(known);
    setDeadWaiters(known, std::move(findings.deadWaiters));
    setDiagnoses(known, std::move(findings.diagnoses), at);
}

void LockStore::setDiagnoses(KnownLock& known, QList<Diagnosis> found, WallTime at) {
    if (found == known.row().diagnoses)
        return;
    LockRow& row = known.edit();
    const QList<Diagnosis> before = std::exchange(row.diagnoses, std::move(found));
    m_faulty += int{hasFault(row.diagnoses)} - int{hasFault(before)};
    m_changed.insert(known.lock().name);
    const DiagnosisChanges changes = changesBetween(before, row.diagnoses);
    for (const Diagnosis& ended : changes.ended)
        m_events.add(eventAbout(ended, DiagnosisPhase::Ended, known.lock(), at));
    for (const Diagnosis& begun : changes.begun)
        m_events.add(eventAbout(begun, DiagnosisPhase::Begun, known.lock(), at));
}

void LockStore::endSweep(quint64 keys, WallTime at) {
    ++m_sweeps;
    m_unread.endSweep();
    LockEvent event = eventAbout(EventType::Swept, LockSnapshot(), at);
    event.sweptKeys = keys;
    event.sweptLocks = static_cast<quint64>(m_held);
    m_events.add(std::move(event));
}

void LockStore::noteFree(KnownLock& known, SteadyTime since) {
    known.unusedSince = since;
    m_free.push_back(FreeEntry{since, known.lock().name});
}

bool LockStore::mayForget(const FreeEntry& entry) const {
    const KnownLock* known = m_known.find(entry.name);
    return known && isUnused(known->lock()) && known->unusedSince == entry.since;
}

void LockStore::loseSightOf(const LockName& name, SteadyTime now) {
    const KnownLock* lost = m_known.find(name);
    if (!lost)
        return;
    m_held -= int{lost->lock().isHeld()};
    LockEvent event = notWatchedSince(lost->lock().seenAtWall, wallTimeAt(lost->lock(), now));
    event.lock.name = name;
    event.lock.kind = lost->lock().kind;
    event.lock.node = lost->lock().node;
    m_events.add(std::move(event));
    forget(name, now);
}

QList<LockName> LockStore::forgetFree(SteadyTime now) {
    QList<LockName> forgotten = std::exchange(m_evicted, {}).values();
    while (!m_free.empty() && m_free.front().since + m_limits.keepFree <= now) {
        const FreeEntry entry = std::move(m_free.front());
        m_free.pop_front();
        if (!mayForget(entry))
            continue;
        forget(entry.name, now);
        forgotten.append(entry.name);
    }
    return forgotten;
}

std::optional<SteadyTime> LockStore::nextForget() const {
    if (!m_evicted.isEmpty())
        return SteadyTime::min();
    return m_free.empty() ? std::nullopt : std::optional(m_free.front().since + m_limits.keepFree);
}

bool LockStore::makeRoom(qsizetype weight, SteadyTime now) {
    while (m_weight + weight > m_limits.rows && !m_free.empty()) {
        const FreeEntry entry = std::move(m_free.front());
        m_free.pop_front();
        if (mayForget(entry)) {
            forget(entry.name, now);
            m_evicted.insert(entry.name);
        }
    }
    return m_weight + weight <= m_limits.rows;
}

void LockStore::forget(const LockName& name, SteadyTime now) {
    KnownLock& known = *m_known.find(name);
    setDiagnoses(known, {}, wallTimeAt(known.lock(), now));
    m_weight -= weightOf(name);
    m_known.remove(name);
    m_unread.remove(name);
    m_dueReads.set(name, std::nullopt);
    m_busy.forget(name);
    m_unmappedQueues.forget(name);
    m_deadlocks.forget(name);
    m_awaitingCount.remove(name);
    m_unheard.remove(name);
    m_changed.erase(name);
    m_removed.insert(name);
}

WallTime LockStore::wallTimeAt(const LockSnapshot& lock, SteadyTime now) {
    return lock.seenAtWall + std::chrono::duration_cast<Milliseconds>(now - lock.seenAt);
}

bool LockStore::hasChanges() const {
    return m_reset || !m_changed.empty() || !m_removed.isEmpty() || !m_events.isEmpty();
}

MonitorBatch LockStore::take() {
    MonitorBatch batch;
    batch.reset = std::exchange(m_reset, false);
    for (const LockName& name : std::exchange(m_changed, {})) {
        KnownLock& known = *m_known.find(name);
        complete(known, known.edit());
        batch.changed.push_back(known.passOn());
    }
    const QSet<LockName> removed = std::exchange(m_removed, {});
    batch.removed.assign(removed.begin(), removed.end());
    batch.events = m_events.take();
    return batch;
}

void LockStore::addTo(MonitorStats& stats) const {
    stats.knownLocks = static_cast<int>(known());
    stats.heldLocks = static_cast<int>(held());
    stats.faultyLocks = static_cast<int>(faulty());
    stats.sweepsDone = sweepsDone();
    stats.eventsDropped = eventsDropped();
    stats.notRead = unread();
}

}  // namespace lockkeeper::monitor
