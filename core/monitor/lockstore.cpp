// SPDX-License-Identifier: Apache-2.0
#include "monitor/lockstore.h"

#include "monitor/analyse/diagnose.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// A proven kind is kept as long as the lock is known: a fair lock stays fair when its queue is empty.
LockKind learnedKind(LockKind known, const LockSnapshot& look) {
    if (!look.isHeld()) {
        const bool open = known == LockKind::Unknown || known == LockKind::Reentrant;
        return open && look.kind != LockKind::Unknown ? look.kind : known;
    }
    const bool keepsFair =
        known == LockKind::Fair && (look.kind == LockKind::Reentrant || look.kind == LockKind::Fenced);
    const bool keepsFenced = known == LockKind::Fenced && look.kind == LockKind::Reentrant;
    return keepsFair || keepsFenced ? known : look.kind;
}

void startHold(LockRow& row, bool isBeginKnown) {
    row.heldSince = row.lock.seenAtWall;
    row.heldSinceSteady = row.lock.seenAt;
    row.heldBeforeFirstLook = !isBeginKnown;
    row.renewals = 0;
    row.lastRenewal.reset();
    row.peakTtl = Milliseconds(0);
}

void applyHold(LockRow& row, HoldChange hold, bool isBeginKnown) {
    if (hold == HoldChange::New)
        startHold(row, isBeginKnown);
    else if (hold == HoldChange::NotProven)
        startHold(row, false);
    row.peakTtl = std::max(row.peakTtl, row.lock.ttl.value_or(Milliseconds(0)));
}

bool partsDiffer(const LockSnapshot& a, const LockSnapshot& b) {
    const QList<ReadLease> before = a.readLeases();
    const QList<ReadLease> after = b.readLeases();
    return a.values() != b.values() || !std::equal(before.begin(), before.end(), after.begin(), after.end(),
                                                   [](const ReadLease& one, const ReadLease& other) {
                                                       return one.reader == other.reader && one.hold == other.hold &&
                                                              mayEndTogether(one.expiry, other.expiry);
                                                   });
}

// True if the user would see a difference; a read that only confirms the one before changes nothing.
bool looksDifferent(const LockSnapshot& a, const LockSnapshot& b) {
    return a.kind != b.kind || a.holders != b.holders || a.waiters != b.waiters || a.fairQueue != b.fairQueue ||
           a.token != b.token || !mayEndTogether(a, b) || partsDiffer(a, b);
}

// Free and without waiters: it may be forgotten.
bool isNobodys(const LockSnapshot& lock) {
    return !lock.isHeld() && lock.waiters.value_or(0) == 0;
}

std::optional<Holder> onlyHolder(const LockSnapshot& lock) {
    return lock.holders.size() == 1 ? std::optional(lock.holders.first()) : std::nullopt;
}

LockEvent eventAbout(EventType type, const LockSnapshot& lock, WallTime at) {
    LockEvent event;
    event.at = at;
    event.type = type;
    event.lock = lock;
    return event;
}

LockEvent eventAbout(const Diagnosis& diagnosis, DiagnosisPhase phase, const LockSnapshot& lock, WallTime at) {
    LockEvent event = eventAbout(EventType::Diagnosed, lock, at);
    event.diagnosis = diagnosis;
    event.phase = phase;
    return event;
}

QList<Diagnosis> withoutKindsOf(const QList<Diagnosis>& diagnoses, const QList<Diagnosis>& others) {
    QList<Diagnosis> rest;
    std::copy_if(diagnoses.begin(), diagnoses.end(), std::back_inserter(rest), [&](const Diagnosis& one) {
        return std::none_of(others.begin(), others.end(),
                            [&](const Diagnosis& other) { return other.kind() == one.kind(); });
    });
    return rest;
}

}  // namespace

const LockRow* LockStore::row(const LockName& name) const {
    const Known* found = m_rows.find(name);
    return found ? &found->row : nullptr;
}

Stored LockStore::apply(LockSnapshot look, const BetweenReads& between) {
    Known* known = m_rows.find(look.name);
    if (!known)
        return applyFirst(std::move(look), between);
    applyNext(*known, std::move(look), between);
    return Stored::Yes;
}

Stored LockStore::applyFirst(LockSnapshot look, const BetweenReads& between) {
    if (m_rows.size() >= m_limits.rows && !makeRoom(look.seenAt))
        return Stored::NoRoom;
    look.waiters = waitersOf(look);
    Known& known = m_rows[look.name];
    known.history = LockHistory(look);
    LockRow& row = known.row;
    row.lock = std::move(look);
    row.releasesHeard = between.releasesHeard;
    m_changed.insert(row.lock.name);
    m_removed.remove(row.lock.name);
    m_evicted.remove(row.lock.name);
    if (row.lock.isHeld())
        applyFirstHeld(row);
    else
        applyFirstFree(row, between);
    diagnose(known, row.lock.seenAtWall);
    return Stored::Yes;
}

void LockStore::applyFirstHeld(LockRow& row) {
    ++m_held;
    applyHold(row, HoldChange::New, false);
    LockEvent event = eventAbout(m_sweeps == 0 ? EventType::Found : EventType::Acquired, row.lock, row.lock.seenAtWall);
    event.holder = onlyHolder(row.lock);
    addEvent(std::move(event));
}

void LockStore::applyFirstFree(LockRow& row, const BetweenReads& between) {
    noteFree(row, row.lock.seenAt);
    if (between.messages > 0)
        addEvent(eventAbout(EventType::Released, row.lock, row.lock.seenAtWall));
    if (row.lock.waiters.value_or(0) > 0)
        addEvent(eventAbout(EventType::Waiters, row.lock, row.lock.seenAtWall));
}

void LockStore::applyNext(Known& known, LockSnapshot look, const BetweenReads& between) {
    LockRow& row = known.row;
    addEarlierKnowledge(look, row.lock);
    Comparison comparison = compareSnapshots(row.lock, look, between);
    measure(known, look, comparison, between);
    known.history.follow(row.lock, look, comparison, between);
    const bool wasHeld = row.lock.isHeld();
    const bool wasNobodys = isNobodys(row.lock);
    const quint64 heardBefore = std::exchange(row.releasesHeard, std::max(row.releasesHeard, between.releasesHeard));
    if (!comparison.events.empty() || looksDifferent(row.lock, look) || row.releasesHeard != heardBefore)
        m_changed.insert(look.name);
    row.lock = std::move(look);
    applyHold(row, comparison.hold, comparison.isBeginKnown);
    m_held += int{row.lock.isHeld()} - int{wasHeld};
    const bool freed = wasHeld && !row.lock.isHeld();
    if (freed || (isNobodys(row.lock) && !wasNobodys))
        noteFree(row, row.lock.seenAt);
    for (LockEvent& event : comparison.events) {
        if (event.type == EventType::Renewed) {
            ++row.renewals;
            row.lastRenewal = row.lock.seenAt;
        }
        addEvent(std::move(event));
    }
    diagnose(known, row.lock.seenAtWall);
}

// Call it before LockHistory::follow(): it needs the end of the hold before.
void LockStore::measure(Known& known, const LockSnapshot& look, Comparison& comparison, const BetweenReads& between) {
    LockRow& row = known.row;
    std::optional<SteadyTime> lastEnd = known.history.freeSince;
    if (row.lock.isHeld())
        lastEnd = known.history.lastHold ? std::optional(known.history.lastHold->endedAt) : std::nullopt;
    if (m_busy.follow(row.lock, look, comparison, between, lastEnd) == BusyLocks::Reading::Same)
        return;
    const std::optional<Throughput> reading = m_busy.reading(look.name);
    if (reading || row.throughput)
        m_changed.insert(look.name);
    row.throughput = reading ? std::make_shared<const Throughput>(*reading) : nullptr;
    if (reading && !comparison.events.empty())
        comparison.events.front().throughput = row.throughput;
}

void LockStore::coolDown(SteadyTime now) {
    for (const LockName& name : m_busy.takeIdle(now)) {
        Known* known = m_rows.find(name);
        if (!known || !known->row.throughput)
            continue;
        known->row.throughput.reset();
        m_changed.insert(name);
    }
}

void LockStore::addEarlierKnowledge(LockSnapshot& look, const LockSnapshot& before) {
    look.kind = learnedKind(before.kind, look);
    // Clients that left the queue have unsubscribed, so the last count of the waiters' channels is out of date.
    if (m_waiting && !before.fairQueue.isEmpty() && look.fairQueue.isEmpty())
        m_waiting->remove(look.name);
    look.waiters = waitersOf(look);
}

std::optional<int> LockStore::waitersOf(const LockSnapshot& lock) const {
    if (!lock.fairQueue.isEmpty())
        return lock.waiters;  // counted by the read itself
    if (m_waiting)
        return m_waiting->value(lock.name).clients;
    return lock.kind == LockKind::Fair ? std::optional(0) : std::nullopt;
}

void LockStore::setWaiting(QHash<LockName, Listeners> waiting, SteadyTime countBegan, WallTime wall) {
    const QHash<LockName, Listeners> before = m_waiting.value_or(QHash<LockName, Listeners>());
    const QSet<LockName> awaiting = std::exchange(m_awaitingCount, {});
    const bool first = !m_waiting;
    m_waiting = std::move(waiting);
    for (auto known = m_rows.begin(); first && known != m_rows.end(); ++known)
        refreshWaiting(known->second, countBegan, wall);
    const auto refresh = [&](const LockName& name) {
        if (Known* known = m_rows.find(name))
            refreshWaiting(*known, countBegan, wall);
    };
    std::for_each(before.keyBegin(), before.keyEnd(), refresh);
    std::for_each(m_waiting->keyBegin(), m_waiting->keyEnd(), refresh);
    std::for_each(awaiting.begin(), awaiting.end(), refresh);
}

void LockStore::refreshWaiting(Known& known, SteadyTime countBegan, WallTime wall) {
    LockRow& row = known.row;
    setWaiters(row, waitersOf(row.lock), countBegan, wall);
    known.history.count(m_waiting->value(row.lock.name), countBegan, row.lock);
    diagnose(known, wall);
}

void LockStore::setWaiters(LockRow& row, std::optional<int> waiters, SteadyTime now, WallTime wall) {
    if (row.lock.waiters == waiters)
        return;
    const int before = row.lock.waiters.value_or(0);
    row.lock.waiters = waiters;
    m_changed.insert(row.lock.name);
    if (waiters.value_or(0) == before)
        return;
    addEvent(eventAbout(EventType::Waiters, row.lock, wall));
    // The last client that waited for a free lock has left: from now on it may be forgotten.
    if (isNobodys(row.lock))
        noteFree(row, now);
}

void LockStore::diagnose(Known& known, WallTime at) {
    Findings findings = monitor::diagnose(known.row.lock, known.history);
    m_agenda.set(known.row.lock.name, findings.nextLook);
    if (findings.awaitsCount)
        m_awaitingCount.insert(known.row.lock.name);
    setDiagnoses(known.row, std::move(findings.diagnoses), at);
}

void LockStore::setDiagnoses(LockRow& row, QList<Diagnosis> found, WallTime at) {
    if (found == row.diagnoses)
        return;
    const QList<Diagnosis> before = std::exchange(row.diagnoses, std::move(found));
    m_faulty += int{hasFault(row.diagnoses)} - int{hasFault(before)};
    m_changed.insert(row.lock.name);
    for (const Diagnosis& ended : withoutKindsOf(before, row.diagnoses))
        addEvent(eventAbout(ended, DiagnosisPhase::Ended, row.lock, at));
    for (const Diagnosis& begun : withoutKindsOf(row.diagnoses, before))
        addEvent(eventAbout(begun, DiagnosisPhase::Begun, row.lock, at));
}

void LockStore::endSweep(quint64 keys, WallTime at) {
    ++m_sweeps;
    LockEvent event = eventAbout(EventType::Swept, LockSnapshot(), at);
    event.sweptKeys = keys;
    event.sweptLocks = static_cast<quint64>(m_held);
    addEvent(std::move(event));
}

void LockStore::noteFree(LockRow& row, SteadyTime since) {
    row.freeSince = since;
    m_free.push_back(FreeEntry{since, row.lock.name});
}

bool LockStore::mayForget(const FreeEntry& entry) const {
    const LockRow* known = row(entry.name);
    return known && isNobodys(known->lock) && known->freeSince == entry.since;
}

void LockStore::loseSightOf(const LockName& name, SteadyTime now) {
    const LockRow* lost = row(name);
    if (!lost)
        return;
    m_held -= int{lost->lock.isHeld()};
    LockEvent event = notWatchedSince(lost->lock.seenAtWall, wallTimeAt(*lost, now));
    event.lock.name = name;
    event.lock.kind = lost->lock.kind;
    addEvent(std::move(event));
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

bool LockStore::makeRoom(SteadyTime now) {
    while (!m_free.empty()) {
        const FreeEntry entry = std::move(m_free.front());
        m_free.pop_front();
        if (mayForget(entry)) {
            forget(entry.name, now);
            m_evicted.insert(entry.name);
            return true;
        }
    }
    return false;
}

void LockStore::forget(const LockName& name, SteadyTime now) {
    LockRow row = std::move(m_rows.find(name)->row);
    m_rows.remove(name);
    setDiagnoses(row, {}, wallTimeAt(row, now));
    m_agenda.set(name, std::nullopt);
    m_busy.forget(name);
    m_awaitingCount.remove(name);
    m_changed.remove(name);
    m_removed.insert(name);
}

WallTime LockStore::wallTimeAt(const LockRow& row, SteadyTime now) {
    return row.lock.seenAtWall + std::chrono::duration_cast<Milliseconds>(now - row.lock.seenAt);
}

void LockStore::addEvent(LockEvent event) {
    if (m_events.size() >= m_limits.undelivered) {
        m_events.pop_front();
        ++m_dropped;
    }
    m_events.push_back(std::move(event));
}

bool LockStore::hasChanges() const {
    return m_reset || !m_changed.isEmpty() || !m_removed.isEmpty() || !m_events.empty();
}

MonitorBatch LockStore::take() {
    MonitorBatch batch;
    batch.reset = std::exchange(m_reset, false);
    for (const LockName& name : std::exchange(m_changed, {}))
        batch.changed.push_back(m_rows.find(name)->row);
    const QSet<LockName> removed = std::exchange(m_removed, {});
    batch.removed.assign(removed.begin(), removed.end());
    batch.events.assign(std::make_move_iterator(m_events.begin()), std::make_move_iterator(m_events.end()));
    m_events.clear();
    return batch;
}

}  // namespace lockkeeper::monitor
