// SPDX-License-Identifier: Apache-2.0
#include "monitor/store/lockstore.h"

#include "monitor/analyse/diagnose.h"
#include "monitor/model/nameweight.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lockkeeper::monitor {

namespace {

// Whether the lock is free and without waiters, apart from other monitors: it may then be forgotten.
bool isUnused(const LockSnapshot& lock) {
    return !lock.isHeld() && lock.certainWaiters() == 0;
}

bool isFixedLease(const Diagnosis& diagnosis) {
    return diagnosis.kind() == DiagnosisKind::FixedLease;
}

std::optional<Holder> onlyHolder(const LockSnapshot& lock) {
    return lock.holders.size() == 1 ? std::optional(lock.holders.first()) : std::nullopt;
}

// Sorted, because a hash has another order in each run of the program, and events and their replay need the same one.
QList<LockName> inOrder(QList<LockName> names) {
    std::ranges::sort(names);
    return names;
}

// Locks of which one dump makes events.
constexpr qsizetype mostThreadEvents = 200;

// Whether the client holds the lock, or is in its queue.
bool namesClient(const LockSnapshot& lock, const ClientId& client) {
    const auto isOfClient = [&client](const auto& named) { return named.id.client() == client; };
    return std::ranges::any_of(lock.holders, isOfClient) || std::ranges::any_of(lock.fairQueue, isOfClient);
}

std::optional<SteadyTime> earlier(std::optional<SteadyTime> one, std::optional<SteadyTime> other) {
    if (!one || !other)
        return one ? one : other;
    return std::min(*one, *other);
}

// Calls the function of the store that each input stands for.
struct FeedStore {
    LockStore& store;

    LockStore::Fed operator()(LockRead& read) const { return {store.apply(std::move(read.lock), read.between), {}}; }
    LockStore::Fed operator()(const WaitersCounted& counted) const {
        store.setWaiting(counted.waiting, counted.countBegan, counted.at, counted.shard, counted.coverage);
        return {};
    }
    LockStore::Fed operator()(const ReplicasCounted& counted) const {
        store.setReplicas(counted.shard, counted.replicas, counted.at);
        return {};
    }
    LockStore::Fed operator()(const CommandRateRead& read) const {
        store.setCommandRate(read.shard, read.perSecond);
        return {};
    }
    LockStore::Fed operator()(const ShardSwept& swept) const {
        store.endSweepOf(swept.shard);
        return {};
    }
    LockStore::Fed operator()(const SweepEnded& ended) const {
        store.endSweep(ended.keys, ended.at);
        return {};
    }
    LockStore::Fed operator()(const ReadRefused& refused) const {
        store.noteUnread(refused.name);
        return {};
    }
    LockStore::Fed operator()(const DatabaseEmptied& emptied) const {
        store.noteEmptied(emptied.shard, emptied.at);
        return {};
    }
    LockStore::Fed operator()(const SightLost& lost) const {
        store.loseSightOf(lost.name, lost.at);
        return {};
    }
    LockStore::Fed operator()(const FreeTimePassed& passed) const { return {Stored::Yes, store.forgetFree(passed.at)}; }
    LockStore::Fed operator()(const BusyTimePassed& passed) const {
        store.coolDown(passed.at);
        return {};
    }
    LockStore::Fed operator()(const OwnClientKnown& own) const {
        store.noteOwnClient(own.client);
        return {};
    }
    LockStore::Fed operator()(const DumpKnown& known) const {
        store.noteDump(known.dump, known.at);
        return {};
    }
};

}  // namespace

// ---- undelivered events ----

void UndeliveredEvents::add(LockEvent event) {
    m_weight += weightOf(event.lock.name);
    while (!m_events.empty() && m_weight > m_limit) {
        m_weight -= weightOf(m_events.front().lock.name);
        m_events.pop_front();
        ++m_dropped;
    }
    m_events.push_back(std::move(event));
}

std::vector<LockEvent> UndeliveredEvents::take() {
    std::vector<LockEvent> events(std::make_move_iterator(m_events.begin()), std::make_move_iterator(m_events.end()));
    m_events.clear();
    m_weight = 0;
    return events;
}

// ---- the locks ----

std::optional<LockRow> LockStore::row(const LockName& name) const {
    const StoredLock* known = m_known.find(name);
    if (!known)
        return std::nullopt;
    LockRow row = known->row();
    complete(*known, row);
    return row;
}

void LockStore::complete(const StoredLock& known, LockRow& row) const {
    const LockName& name = row.lock.name;
    row.hold = known.history.hold.whole();
    row.setQueueFacts({m_queueMapping.of(name), m_queueMapping.lockOf(name), row.deadWaiters()});
    row.isUnread = m_unread.contains(name);
}

void LockStore::noteUnread(const LockName& name) {
    if (m_unread.note(name) && m_known.contains(name))
        m_changed.insert(name);
}

// ---- inputs ----

LockStore::Fed LockStore::feed(StoreInput input) {
    return std::visit(FeedStore{*this}, input);
}

PresentInputs LockStore::presentInputs() {
    std::vector<StoreInput> before;
    for (const ClientId& client : m_ownClients)
        before.emplace_back(OwnClientKnown{client});
    for (const SharedDump& dump : m_dumps.all())
        before.emplace_back(DumpKnown{dump, dump->at.value_or(WallTime())});
    for (auto [shard, figures] : m_figures.asKeyValueRange()) {
        before.emplace_back(ReplicasCounted{shard, figures.replicas, {}});
        before.emplace_back(CommandRateRead{shard, figures.commandsPerSecond});
    }
    // Fed before the locks, so that no lock is read without its waiters.
    for (auto [shard, waiting] : m_counts.all().asKeyValueRange())
        before.emplace_back(WaitersCounted{shard, waiting, {}, {}, Coverage::SomeServers});
    std::vector<SharedRow> locks;
    locks.reserve(static_cast<size_t>(m_known.size()));
    for (auto& [name, known] : m_known)
        locks.push_back(known.passOn());
    std::vector<StoreInput> after;
    for (const topology::ShardId shard : m_swept)
        after.emplace_back(ShardSwept{shard});
    return {std::move(before), std::move(locks), std::move(after)};
}

// ---- reads ----

Stored LockStore::apply(LockSnapshot read, const BetweenReads& between) {
    StoredLock* known = m_known.find(read.name);
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
    StoredLock& known = m_known[read.name];
    known = StoredLock(std::move(read), between.releasesReceived);
    if (const std::optional<SeenBefore> before = m_remembered.take(known.lock()))
        known.history.hold.addSeenBefore(*before);
    m_changed.insert(known.lock().name);
    m_removed.remove(known.lock().name);
    m_evicted.remove(known.lock().name);
    m_held += int{known.lock().isHeld()};
    showWaits(known);
    addFirstEvents(known, between);
    m_twins.note(known.lock().name);
    m_unread.remove(known.lock().name);
    if (!known.lock().isHeld())
        noteFree(known, known.lock().seenAt);
    m_clients.add(known.lock());
    followQueue(known.lock());
    diagnoseRead(known, nullptr);
    diagnoseTwin(known.lock().name, known.lock().seenAtWall);
    return Stored::Yes;
}

// If the queue belongs to another lock, that lock is shown again, together with the queue.
void LockStore::followQueue(const LockSnapshot& read) {
    const std::optional<LockName> lock = m_queueMapping.follow(read);
    if (lock && m_known.contains(*lock))
        m_changed.insert(*lock);
}

void LockStore::addFirstEvents(const StoredLock& known, const BetweenReads& between) {
    const LockSnapshot& lock = known.lock();
    if (lock.isHeld()) {
        const bool isNew = m_swept.contains(shardOf(lock)) && !m_unread.mayBeOld(lock.name);
        LockEvent event = eventAbout(isNew ? EventType::Acquired : EventType::Found, lock, lock.seenAtWall);
        event.holder = onlyHolder(lock);
        event.waits = known.row().waits;
        return m_events.add(std::move(event));
    }
    if (between.messages > 0)
        m_events.add(eventAbout(EventType::Released, lock, lock.seenAtWall));
    if (lock.waiters.value_or(0) == 0)
        return;
    LockEvent event = eventAbout(EventType::Waiters, lock, lock.seenAtWall);
    event.waits = known.row().waits;
    m_events.add(std::move(event));
}

void LockStore::applyNext(StoredLock& known, LockSnapshot read, const BetweenReads& between) {
    addEarlierKnowledge(read, known.lock());
    Comparison comparison = compareSnapshots(known.lock(), read, between, known.history.releaseHabit());
    measure(known, read, comparison, between);
    const quint32 renewals = known.history.hold.watchdogLike;
    known.history.follow(known.lock(), read, comparison, between);
    followWaits(known, read, comparison, between);
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
    m_clients.follow(before, known.lock(), comparison, between, known.watchdog);
    for (LockEvent& event : comparison.events)
        m_events.add(std::move(event));
    followQueue(known.lock());
    diagnoseRead(known, &before);
    if (known.history.hold.watchdogLike > renewals)
        learnWatchdog(known.lock(), between);
    if (wasHeld != known.lock().isHeld())
        diagnoseTwin(known.lock().name, known.lock().seenAtWall);
}

void LockStore::followWaits(StoredLock& known, const LockSnapshot& read, Comparison& comparison,
                            const BetweenReads& between) {
    const quint64 measured = known.waits.measured();
    if (known.waits.follow(known.lock(), read, comparison, between) == WaitMeter::Change::None)
        return;
    noteEndedWaits(known, measured);
    showWaits(known);
    m_changed.insert(read.name);
    const bool isMeasured = known.waits.measured() != measured && !comparison.events.empty();
    if (isMeasured)
        comparison.events.front().waits = known.row().waits;
    for (LockEvent& event : comparison.events) {
        if (event.type == EventType::Waiters)
            event.waits = known.row().waits;
    }
}

void LockStore::noteEndedWaits(const StoredLock& known, quint64 before) {
    const quint64 measured = known.waits.measured();
    if (measured <= before)
        return;
    for (const WaitTimes::Length& length : known.waits.lastMeasured(measured - before)) {
        if (m_endedWaits.size() < m_limits.undelivered)
            m_endedWaits.push_back({known.lock().name, length});
    }
}

void LockStore::showWaits(StoredLock& known) {
    Waits waits = known.waits.shown([&known](SteadyTime when) { return known.history.wallTime(when); });
    if (waits == *known.row().waits)
        return;
    known.edit().waits = waits.isEmpty() ? Rare<Waits>() : Rare(std::move(waits));
}

// Call it before LockHistory::follow(), because it needs the end of the previous hold.
void LockStore::measure(StoredLock& known, const LockSnapshot& read, Comparison& comparison,
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

// Only of a lock with one holder, because a reader's renewal also sets the TTL of the others.
void LockStore::learnWatchdog(const LockSnapshot& renewed, const BetweenReads& between) {
    const bool isPrompt =
        between.touch == KeyTouch::Touched && renewed.seenAt - between.touchedAt <= WatchdogLeases::promptly;
    const std::optional<Holder> holder = onlyHolder(renewed);
    if (!isPrompt || !holder || !renewed.ttl)
        return;
    const ClientId& client = holder->id.client();
    if (m_watchdogs.note(client, *renewed.ttl) == WatchdogLeases::Learned::No)
        return;
    for (const LockName& name : inOrder(m_fixedLeases.values())) {
        StoredLock& known = *m_known.find(name);
        if (known.lock().holders.value(0).id.client() == client)
            diagnose(known, renewed.seenAtWall);
    }
}

void LockStore::coolDown(SteadyTime now) {
    for (const LockName& name : m_busy.takeIdle(now)) {
        StoredLock* known = m_known.find(name);
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
    const SteadyTime earlier = m_countedAt.value(shard);
    const QSet<LockName> awaiting = std::exchange(m_awaitingCount, {});
    const auto refreshNamed = [&](const LockName& name) {
        StoredLock* known = m_known.find(name);
        const bool wasNone = before && !before->contains(name);
        if (known && shardOf(known->lock()) == shard)
            refreshWaiting(*known, waiting.value(name),
                           {countBegan, wasNone ? earlier : LockHistory::notCounted, wall, coverage});
        else if (known && awaiting.contains(name))
            m_awaitingCount.insert(name);
    };
    std::ranges::for_each(inOrder(before ? before->keys() : m_known.names()), refreshNamed);
    std::ranges::for_each(inOrder(waiting.keys()), refreshNamed);
    for (const LockName& name : inOrder(awaiting.values())) {
        if (!waiting.contains(name))
            refreshNamed(name);
    }
    m_countedAt[shard] = countBegan;
}

void LockStore::refreshWaiting(StoredLock& known, const Listeners& counted, const Count& count) {
    if (m_queueMapping.learn(known.lock(), counted))
        m_changed.insert({known.lock().name, m_queueMapping.of(known.lock().name)->name});
    const Listeners own = m_queueMapping.withoutThem(known.lock().name, counted);
    countWaits(known, own, count.began);
    setWaiters(known, count.began, count.wall);
    known.history.count(own, count.began, known.lock(), queueListening(known.lock(), count.coverage), count.noneAt);
    diagnose(known, count.wall);
}

// A lock that nobody waits for is in no count, but each count of its shard shows just that.
std::optional<SteadyTime> LockStore::earlierCountOf(const StoredLock& known) const {
    const LockHistory& history = known.history;
    const SteadyTime watchedSince = known.lock().isHeld() ? history.hold.unbroken.since : history.freeSince;
    const auto last = m_countedAt.constFind(shardOf(known.lock()));
    if (last != m_countedAt.cend() && *last >= watchedSince)
        return *last;
    return history.countedAt == LockHistory::notCounted ? std::nullopt : std::optional(history.countedAt);
}

void LockStore::countWaits(StoredLock& known, const Listeners& counted, SteadyTime countBegan) {
    const quint64 measured = known.waits.measured();
    if (known.waits.count(counted.certain(), countBegan, earlierCountOf(known), known.lock()) ==
        WaitMeter::Change::None)
        return;
    noteEndedWaits(known, measured);
    showWaits(known);
    m_changed.insert(known.lock().name);
}

void LockStore::setReplicas(topology::ShardId shard, const Replicas& replicas, WallTime wall) {
    m_figures[shard].replicas = replicas;
    QList<LockName> concerned;
    for (const auto& [name, known] : m_known) {
        if (shardOf(known.lock()) == shard && known.history.past().takenBack)
            concerned += name;
    }
    for (const LockName& name : inOrder(std::move(concerned)))
        diagnose(*m_known.find(name), wall);
}

void LockStore::setWaiters(StoredLock& known, SteadyTime now, WallTime wall) {
    LockSnapshot counted = known.lock();
    m_counts.apply(counted);
    if (counted.waiters == known.lock().waiters && counted.monitorsAmongWaiters == known.lock().monitorsAmongWaiters)
        return;
    const LockSnapshot before = std::exchange(known.edit().lock, std::move(counted));
    m_changed.insert(before.name);
    if (known.lock().waiters.value_or(0) != before.waiters.value_or(0)) {
        LockEvent event = eventAbout(EventType::Waiters, known.lock(), wall);
        event.waits = known.row().waits;
        m_events.add(std::move(event));
    }
    // The last client that waited for a free lock has left: from now on it may be forgotten.
    if (isUnused(known.lock()) && !isUnused(before))
        noteFree(known, now);
}

void LockStore::diagnoseRead(StoredLock& known, const LockSnapshot* before) {
    m_deadlocks.follow(before, known.lock());
    if (m_deadlocks.isDue(known.lock().seenAt))
        searchDeadlocks(known.lock());
    diagnose(known, known.lock().seenAtWall);
}

void LockStore::searchDeadlocks(const LockSnapshot& read) {
    const auto lastRead = [this](const LockName& name) {
        const StoredLock* known = m_known.find(name);
        return known ? &known->lock() : nullptr;
    };
    const WallTime wall = read.seenAtWall;
    for (const LockName& name : inOrder(m_deadlocks.search(read.seenAt, lastRead).values())) {
        if (StoredLock* known = m_known.find(name))
            diagnose(*known, wall);
    }
}

void LockStore::diagnose(StoredLock& known, WallTime at) {
    Findings findings = monitor::diagnose(known.lock(), known.history, m_figures.value(shardOf(known.lock())),
                                          m_watchdogs, m_ownClients, m_timeouts);
    if (const std::optional<Deadlock> deadlock = m_deadlocks.of(known.lock().name))
        addByGravity(findings.diagnoses, {Certainty::Likely, *deadlock});
    judgeThreads(known, findings.diagnoses);
    if (const std::optional<Diagnosis> twin = twoNames(known))
        addByGravity(findings.diagnoses, *twin);
    m_dueReads.set(known.lock().name, earlier(findings.nextRead, m_deadlocks.nextRead(known.lock().name)));
    m_clients.followWatchdog(known.lock(), known.history, findings.diagnoses, known.watchdog);
    if (findings.awaitsCount)
        m_awaitingCount.insert(known.lock().name);
    noteUnheard(known);
    setDeadWaiters(known, std::move(findings.deadWaiters));
    setDiagnoses(known, std::move(findings.diagnoses), at);
    tellOfClients(known.lock(), at);
    m_diagnosedAt = at;
}

// ---- what thread dumps say ----

void LockStore::noteDump(const SharedDump& dump, WallTime at) {
    const SharedDump before = m_dumps.newest(dump->client);
    const SharedDump kept = m_dumps.note(dump);
    const bool isNew = kept != before && !(before && before->at == kept->at && before->ids == kept->ids);
    m_clients.setDump(kept);
    QList<LockName> named;
    for (const LockName& name : m_known.names()) {
        const StoredLock& known = *m_known.find(name);
        m_dumps.follow(known.lock(), seenOf(known.lock(), known.history.hold.whole()));
        if (namesClient(known.lock(), dump->client))
            named += name;
    }
    qsizetype added = 0;
    for (const LockName& name : inOrder(std::move(named))) {
        StoredLock& known = *m_known.find(name);
        diagnose(known, at);
        if (isNew && added++ < mostThreadEvents)
            addThreadEvents(known, kept, at);
    }
}

// So that the history has what the dump showed, also after the session.
void LockStore::addThreadEvents(const StoredLock& known, const SharedDump& dump, WallTime at) {
    for (const ThreadVerdict& verdict : *known.row().threads) {
        if (verdict.dump != dump || verdict.role != ThreadVerdict::Role::Holds)
            continue;
        LockEvent event = eventAbout(EventType::ThreadSeen, known.lock(), at);
        const auto holder = std::ranges::find(known.lock().holders, verdict.id, &Holder::id);
        event.holder = *holder;
        event.thread = seenThread(verdict);
        m_events.add(std::move(event));
    }
}

// To be called after each read, with the diagnoses of the lock so far.
void LockStore::judgeThreads(StoredLock& known, QList<Diagnosis>& diagnoses) {
    if (m_dumps.isEmpty())
        return;
    const HoldSeen seen = seenOf(known.lock(), known.history.hold.whole());
    m_dumps.follow(known.lock(), seen);
    QList<ThreadVerdict> verdicts = m_dumps.verdicts(known.lock(), seen);
    if (const std::optional<Diagnosis> ended = endedThread(verdicts))
        addByGravity(diagnoses, *ended);
    const std::optional<Deadlock> deadlock = m_dumps.deadlock(known.lock().name);
    if (deadlock && !m_deadlocks.of(known.lock().name))
        addByGravity(diagnoses, {Certainty::Likely, *deadlock});
    if (verdicts == *known.row().threads)
        return;
    known.edit().threads = verdicts.isEmpty() ? Rare<QList<ThreadVerdict>>() : Rare(std::move(verdicts));
    m_changed.insert(known.lock().name);
}

// Which locks a thread may wait for depends on the other locks.
void LockStore::diagnoseStale() {
    const QSet<LockName> stale = m_dumps.takeStale();
    for (const LockName& name : inOrder(stale.values())) {
        if (StoredLock* other = m_known.find(name))
            diagnose(*other, m_diagnosedAt);
    }
}

// Only locks that were held: somebody may also wait under a name by mistake.
std::optional<Diagnosis> LockStore::twoNames(const StoredLock& known) const {
    const std::optional<TwinNames::Twin> twin = m_twins.of(known.lock().name);
    const StoredLock* other = twin ? m_known.find(twin->other) : nullptr;
    if (!other || !known.history.everHeld || !other->history.everHeld)
        return std::nullopt;
    const auto isSameClient = [other](const Holder& holder) {
        return std::ranges::any_of(other->lock().holders, [&holder](const Holder& theirs) {
            return theirs.id.client() == holder.id.client();
        });
    };
    const bool heldAtOnce =
        known.lock().isHeld() && other->lock().isHeld() && !std::ranges::any_of(known.lock().holders, isSameClient);
    return Diagnosis{heldAtOnce ? Certainty::Likely : Certainty::Suspected,
                     TwoNames{twin->other, twin->prefix, heldAtOnce}};
}

void LockStore::diagnoseTwin(const LockName& name, WallTime at) {
    const std::optional<TwinNames::Twin> twin = m_twins.of(name);
    if (StoredLock* other = twin ? m_known.find(twin->other) : nullptr)
        diagnose(*other, at);
}

void LockStore::setDiagnoses(StoredLock& known, QList<Diagnosis> found, WallTime at) {
    if (found == known.row().diagnoses)
        return;
    LockRow& row = known.edit();
    const QList<Diagnosis> before = std::exchange(row.diagnoses, std::move(found));
    m_faulty += int{hasFault(row.diagnoses)} - int{hasFault(before)};
    if (std::ranges::any_of(row.diagnoses, isFixedLease))
        m_fixedLeases.insert(known.lock().name);
    else
        m_fixedLeases.remove(known.lock().name);
    m_changed.insert(known.lock().name);
    addDiagnosisEvents(known, changesBetween(before, row.diagnoses), at);
}

void LockStore::addDiagnosisEvents(StoredLock& known, const DiagnosisChanges& changes, WallTime at) {
    using Telling = WatchdogShare::Telling;
    const LockSnapshot& lock = known.lock();
    for (const Diagnosis& ended : changes.ended) {
        const bool isOfWatchdog = ended.kind() == DiagnosisKind::WatchdogStopped;
        if (!isOfWatchdog || std::exchange(known.watchdog.telling, Telling::Told) == Telling::Told)
            m_events.add(eventAbout(ended, DiagnosisPhase::Ended, lock, at));
    }
    for (const Diagnosis& begun : changes.begun) {
        if (begun.kind() == DiagnosisKind::WatchdogStopped && m_clients.holdsBack(lock))
            known.watchdog.telling = Telling::HeldBack;
        else
            m_events.add(eventAbout(begun, DiagnosisPhase::Begun, lock, at));
    }
}

// read: the last one.
void LockStore::tellOfClients(const LockSnapshot& read, WallTime at) {
    if (!m_clients.hasNews())
        return;
    Clients::News news = m_clients.takeNews();
    for (const LockName& name : news.covered) {
        if (StoredLock* known = m_known.find(name))
            known->watchdog.telling = WatchdogShare::Telling::Covered;
    }
    for (const LockName& name : inOrder(std::move(news.toTell)))
        tellHeldBack(name, at);
    for (const Clients::Change& change : news.changes)
        m_events.add(eventAbout(change.diagnosis, change.phase, lastOf(change.lock, read), at));
    for (const Clients::WantedRead& wanted : news.wanted)
        m_dueReads.bringForward(wanted.lock, wanted.when);
}

// Of a lock that is forgotten, its name is left.
LockSnapshot LockStore::lastOf(const LockName& name, const LockSnapshot& read) const {
    if (const StoredLock* known = m_known.find(name))
        return known->lock();
    LockSnapshot forgotten;
    forgotten.name = name;
    forgotten.node = read.node;
    forgotten.seenAt = read.seenAt;
    forgotten.seenAtWall = read.seenAtWall;
    return forgotten;
}

void LockStore::tellHeldBack(const LockName& name, WallTime at) {
    StoredLock* known = m_known.find(name);
    if (!known)
        return;
    if (std::exchange(known->watchdog.telling, WatchdogShare::Telling::Told) == WatchdogShare::Telling::Told)
        return;
    const QList<Diagnosis>& diagnoses = known->row().diagnoses;
    const auto stopped = std::ranges::find(diagnoses, DiagnosisKind::WatchdogStopped, &Diagnosis::kind);
    if (stopped != diagnoses.end())
        m_events.add(eventAbout(*stopped, DiagnosisPhase::Begun, known->lock(), at));
}

// ---- waiters of fair queues ----

// Whether the lock of this queue has another name and is held. The waiters of such a queue are subscribed under the
// lock's name; while it is held, they may also be dead.
bool LockStore::isHeldByOtherName(const LockSnapshot& queue) const {
    const std::optional<LockName> mapped = m_queueMapping.lockOf(queue.name);
    const StoredLock* owner = mapped ? m_known.find(*mapped) : nullptr;
    return owner && owner->lock().isHeld();
}

QueueListening LockStore::queueListening(const LockSnapshot& lock, Coverage coverage) {
    QueueListening listening{false, {}, coverage};
    if (lock.fairQueue.isEmpty())
        return listening;
    listening.isHeadListening = isHeldByOtherName(lock) || m_counts.isListening(lock.fairQueue.first().id);
    listening.unheard = notListening(lock);
    return listening;
}

QList<HolderId> LockStore::notListening(const LockSnapshot& lock) {
    QList<HolderId> found;
    if (isHeldByOtherName(lock))
        return found;
    for (const FairWaiter& waiter : lock.fairQueue) {
        if (!m_counts.isListening(waiter.id))
            found += waiter.id;
    }
    return found;
}

void LockStore::noteUnheard(const StoredLock& known) {
    if (known.history.unheardWaiters().isEmpty())
        m_unheard.remove(known.lock().name);
    else
        m_unheard.insert(known.lock().name);
}

QHash<HolderId, LockName> LockStore::unheardWaiters() const {
    QHash<HolderId, LockName> unheard;
    for (const LockName& name : m_unheard) {
        for (const HolderId& waiter : m_known.find(name)->history.unheardWaiters())
            unheard.insert(waiter, name);
    }
    return unheard;
}

bool LockStore::isQueued(const LockName& name, const HolderId& waiter) const {
    const StoredLock* known = m_known.find(name);
    return known && known->lock().isQueued(waiter);
}

bool LockStore::provesDead(const LockName& name, const HolderId& waiter) const {
    const StoredLock* known = m_known.find(name);
    return known &&
           std::ranges::any_of(known->row().deadWaiters(), [&](const FairWaiter& dead) { return dead.id == waiter; });
}

void LockStore::setDeadWaiters(StoredLock& known, QList<FairWaiter> found) {
    if (found == known.row().deadWaiters())
        return;
    m_clients.followDeadWaiters(known.row().deadWaiters(), found);
    LockRow& row = known.edit();
    QueueFacts facts = *row.queueFacts;
    facts.deadWaiters = std::move(found);
    row.setQueueFacts(std::move(facts));
    m_changed.insert(known.lock().name);
}

// ---- sweeps, and what is forgotten ----

void LockStore::endSweep(quint64 keys, WallTime at) {
    ++m_sweeps;
    m_remembered.forgetAll();
    m_unread.endSweep();
    LockEvent event = eventAbout(EventType::Swept, LockSnapshot(), at);
    event.sweptKeys = keys;
    event.sweptLocks = static_cast<quint64>(m_held);
    m_events.add(std::move(event));
}

QList<LockName> LockStore::holdsToRecall(qsizetype most) const {
    QList<LockName> names;
    for (const LockName& name : m_known.names()) {
        const StoredLock& known = *m_known.find(name);
        if (known.lock().isHeld() && !known.history.hold.unbroken.isBeginSeen() && names.size() < most)
            names += name;
    }
    return names;
}

void LockStore::recall(RememberedHolds holds) {
    for (const LockName& name : m_known.names()) {
        if (holds.isEmpty())
            return;
        StoredLock& known = *m_known.find(name);
        const std::optional<SeenBefore> before = known.lock().isHeld() ? holds.take(known.lock()) : std::nullopt;
        if (!before)
            continue;
        known.history.hold.addSeenBefore(*before);
        m_changed.insert(name);
    }
}

void LockStore::noteEmptied(topology::ShardId shard, WallTime at) {
    LockEvent event = eventAbout(EventType::Emptied, LockSnapshot(), at);
    for (const auto& [name, known] : m_known) {
        const LockSnapshot& lock = known.lock();
        if (!lock.isHeld() || (lock.node && lock.node->shard != shard))
            continue;
        ++event.sweptLocks;
        event.lock.node = lock.node;
    }
    if (event.sweptLocks > 0)
        m_events.add(std::move(event));
}

void LockStore::noteFree(StoredLock& known, SteadyTime since) {
    known.unusedSince = since;
    m_free.push_back(FreeEntry{since, known.lock().name});
}

bool LockStore::mayForget(const FreeEntry& entry) const {
    const StoredLock* known = m_known.find(entry.name);
    return known && isUnused(known->lock()) && known->unusedSince == entry.since;
}

void LockStore::loseSightOf(const LockName& name, SteadyTime now) {
    const StoredLock* lost = m_known.find(name);
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
    m_clients.forgetIdle(now);
    return forgotten;
}

std::optional<SteadyTime> LockStore::nextForget() const {
    if (!m_evicted.isEmpty())
        return SteadyTime::min();
    const auto ofLocks = m_free.empty() ? std::nullopt : std::optional(m_free.front().since + m_limits.keepFree);
    return earlier(ofLocks, m_clients.nextForget());
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
    StoredLock& known = *m_known.find(name);
    const WallTime at = wallTimeAt(known.lock(), now);
    setDeadWaiters(known, {});
    m_clients.remove(known.lock(), known.watchdog);
    setDiagnoses(known, {}, at);
    tellOfClients(known.lock(), at);
    m_weight -= weightOf(name);
    m_known.remove(name);
    m_unread.remove(name);
    m_dueReads.set(name, std::nullopt);
    m_busy.forget(name);
    m_queueMapping.forget(name);
    m_deadlocks.forget(name);
    m_dumps.forget(name);
    const std::optional<TwinNames::Twin> twin = m_twins.of(name);
    m_twins.forget(name);
    m_awaitingCount.remove(name);
    m_unheard.remove(name);
    m_changed.erase(name);
    m_removed.insert(name);
    if (StoredLock* other = twin ? m_known.find(twin->other) : nullptr)
        diagnose(*other, wallTimeAt(other->lock(), now));
}

WallTime LockStore::wallTimeAt(const LockSnapshot& lock, SteadyTime now) {
    return lock.seenAtWall + std::chrono::duration_cast<Milliseconds>(now - lock.seenAt);
}

// ---- what is taken ----

bool LockStore::hasChanges() const {
    return m_reset || m_dumps.hasStale() || !m_changed.empty() || !m_removed.isEmpty() || !m_events.isEmpty() ||
           m_clients.hasChanges();
}

MonitorBatch LockStore::take() {
    diagnoseStale();
    MonitorBatch batch;
    batch.reset = std::exchange(m_reset, false);
    for (const LockName& name : std::exchange(m_changed, {})) {
        StoredLock& known = *m_known.find(name);
        complete(known, known.edit());
        batch.changed.push_back(known.passOn());
    }
    const QSet<LockName> removed = std::exchange(m_removed, {});
    batch.removed.assign(removed.begin(), removed.end());
    batch.events = m_events.take();
    batch.endedWaits = std::exchange(m_endedWaits, {});
    batch.clients = m_clients.takeChanged();
    batch.removedClients = m_clients.takeRemoved();
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
