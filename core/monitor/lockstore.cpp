#include "monitor/lockstore.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// Once proven, a kind is kept as long as the lock is known: an empty queue does not make a fair lock a plain one.
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

void startHold(LockRow& row, bool seenToBegin) {
    row.heldSince = row.lock.seenAtWall;
    row.heldBeforeFirstLook = !seenToBegin;
    row.renewals = 0;
    row.lastRenewal.reset();
    row.peakTtl = Milliseconds(0);
}

void applyHold(LockRow& row, HoldChange hold, bool watched) {
    if (hold == HoldChange::New)
        startHold(row, watched);
    else if (hold == HoldChange::NotProven)
        startHold(row, false);
    row.peakTtl = std::max(row.peakTtl, row.lock.ttl.value_or(Milliseconds(0)));
}

// Whether a reader would see a difference; a look that only confirms the one before changes nothing.
bool looksDifferent(const LockSnapshot& a, const LockSnapshot& b) {
    return a.kind != b.kind || a.holders != b.holders || a.waiters != b.waiters || a.fairQueue != b.fairQueue ||
           a.token != b.token || !mayEndTogether(a, b);
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

}  // namespace

const LockRow* LockStore::row(const LockName& name) const {
    const auto found = m_rows.constFind(name);
    return found == m_rows.constEnd() ? nullptr : &*found;
}

Kept LockStore::apply(LockSnapshot look, const Between& between) {
    const auto known = m_rows.find(look.name);
    if (known == m_rows.end())
        return applyFirst(std::move(look), between);
    applyNext(*known, std::move(look), between);
    return Kept::Yes;
}

Kept LockStore::applyFirst(LockSnapshot look, const Between& between) {
    if (m_rows.size() >= m_limits.rows && !makeRoom())
        return Kept::NoRoom;
    look.waiters = waitersOf(look);
    LockRow& row = m_rows[look.name];
    row.lock = std::move(look);
    m_changed.insert(row.lock.name);
    m_removed.remove(row.lock.name);
    if (row.lock.isHeld()) {
        ++m_held;
        applyHold(row, HoldChange::New, false);
        LockEvent event =
            eventAbout(m_sweeps == 0 ? EventType::Found : EventType::Acquired, row.lock, row.lock.seenAtWall);
        event.holder = onlyHolder(row.lock);
        addEvent(std::move(event));
        return Kept::Yes;
    }
    noteFree(row, row.lock.seenAt);
    if (between.messages > 0)
        addEvent(eventAbout(EventType::Released, row.lock, row.lock.seenAtWall));
    if (row.lock.waiters.value_or(0) > 0)
        addEvent(eventAbout(EventType::Waiters, row.lock, row.lock.seenAtWall));
    return Kept::Yes;
}

void LockStore::applyNext(LockRow& row, LockSnapshot look, const Between& between) {
    addEarlierKnowledge(look, row.lock);
    Comparison comparison = compareSnapshots(row.lock, look, between);
    const bool wasHeld = row.lock.isHeld();
    if (!comparison.events.empty() || looksDifferent(row.lock, look))
        m_changed.insert(look.name);
    row.lock = std::move(look);
    applyHold(row, comparison.hold, between.gap == Milliseconds(0));
    m_held += int{row.lock.isHeld()} - int{wasHeld};
    if (wasHeld && !row.lock.isHeld())
        noteFree(row, row.lock.seenAt);
    for (LockEvent& event : comparison.events) {
        if (event.type == EventType::Renewed) {
            ++row.renewals;
            row.lastRenewal = row.lock.seenAt;
        }
        addEvent(std::move(event));
    }
}

void LockStore::addEarlierKnowledge(LockSnapshot& look, const LockSnapshot& before) {
    look.kind = learnedKind(before.kind, look);
    // Who left the queue has unsubscribed; what the last sweep counted on the waiters' channels is out of date.
    if (m_waiting && !before.fairQueue.isEmpty() && look.fairQueue.isEmpty())
        m_waiting->remove(look.name);
    look.waiters = waitersOf(look);
}

std::optional<int> LockStore::waitersOf(const LockSnapshot& lock) const {
    if (!lock.fairQueue.isEmpty())
        return lock.waiters;  // counted by the read itself
    if (m_waiting)
        return m_waiting->value(lock.name, 0);
    return lock.kind == LockKind::Fair ? std::optional(0) : std::nullopt;
}

void LockStore::setWaiting(QHash<LockName, int> waiting, SteadyTime now, WallTime wall) {
    const QHash<LockName, int> before = m_waiting.value_or(QHash<LockName, int>());
    const bool first = !m_waiting;
    m_waiting = std::move(waiting);
    for (auto row = m_rows.begin(); first && row != m_rows.end(); ++row)
        setWaiters(*row, waitersOf(row->lock), now, wall);
    const auto refresh = [&](const LockName& name) {
        const auto row = m_rows.find(name);
        if (row != m_rows.end())
            setWaiters(*row, waitersOf(row->lock), now, wall);
    };
    std::for_each(before.keyBegin(), before.keyEnd(), refresh);
    std::for_each(m_waiting->keyBegin(), m_waiting->keyEnd(), refresh);
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
    // The last one who waited for a free lock has left: from now on it is nobody's.
    if (!row.lock.isHeld() && waiters.value_or(0) == 0)
        noteFree(row, now);
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
    return known && !known->lock.isHeld() && known->freeSince == entry.since && known->lock.waiters.value_or(0) == 0;
}

QList<LockName> LockStore::forgetFree(SteadyTime now) {
    QList<LockName> forgotten = std::exchange(m_evicted, {});
    while (!m_free.empty() && m_free.front().since + m_limits.keepFree <= now) {
        const FreeEntry entry = std::move(m_free.front());
        m_free.pop_front();
        if (!mayForget(entry))
            continue;
        forget(entry.name);
        forgotten.append(entry.name);
    }
    return forgotten;
}

std::optional<SteadyTime> LockStore::nextForget() const {
    return m_free.empty() ? std::nullopt : std::optional(m_free.front().since + m_limits.keepFree);
}

bool LockStore::makeRoom() {
    while (!m_free.empty()) {
        const FreeEntry entry = std::move(m_free.front());
        m_free.pop_front();
        if (mayForget(entry)) {
            forget(entry.name);
            m_evicted.append(entry.name);
            return true;
        }
    }
    return false;
}

void LockStore::forget(const LockName& name) {
    m_rows.remove(name);
    m_changed.remove(name);
    m_removed.insert(name);
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
        batch.changed.push_back(m_rows.value(name));
    const QSet<LockName> removed = std::exchange(m_removed, {});
    batch.removed.assign(removed.begin(), removed.end());
    batch.events.assign(std::make_move_iterator(m_events.begin()), std::make_move_iterator(m_events.end()));
    m_events.clear();
    return batch;
}

}  // namespace lockkeeper::monitor
