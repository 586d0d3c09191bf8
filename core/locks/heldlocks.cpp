#include "locks/heldlocks.h"

#include <algorithm>

namespace lockkeeper::locks {

QByteArray HoldKey::field() const {
    return mode == HoldMode::Write ? holder.bytes() + ":write" : holder.bytes();
}

void HeldLocks::acquired(const HoldKey& key, SteadyTime deadline, Milliseconds lease, Renewal renewal) {
    const auto [entry, isNew] = m_holds.try_emplace(key);
    Hold& hold = entry->second;
    if (isNew)
        m_deadlines.emplace(hold.deadline, &entry->first);
    ++hold.count;
    hold.lease = lease;
    // A leased reentry under a hold with a watchdog stays with the watchdog.
    if (renewal == Renewal::Watchdog && hold.renewal != Renewal::Watchdog) {
        hold.renewal = Renewal::Watchdog;
        ++m_renewedCount;
    }
    if (key.mode == HoldMode::Read) {
        std::vector<SteadyTime> deadlines = std::move(hold.readDeadlines);
        deadlines.push_back(deadline);
        setReadDeadlines(*entry, std::move(deadlines));
    } else {
        setDeadline(*entry, key.mode == HoldMode::Write ? std::max(hold.deadline, deadline) : deadline);
    }
}

void HeldLocks::renewed(const HoldKey& key, SteadyTime deadline) {
    const auto entry = m_holds.find(key);
    if (entry == m_holds.end())
        return;
    if (key.mode == HoldMode::Read) {
        std::vector<SteadyTime> deadlines = std::move(entry->second.readDeadlines);
        for (SteadyTime& each : deadlines)
            each = std::max(each, deadline);
        setReadDeadlines(*entry, std::move(deadlines));
    } else {
        setDeadline(*entry, key.mode == HoldMode::Write ? std::max(entry->second.deadline, deadline) : deadline);
    }
}

void HeldLocks::releasedOnce(const HoldKey& key, SteadyTime deadline) {
    const auto entry = m_holds.find(key);
    if (entry == m_holds.end())
        return;
    setCount(key, entry->second.count - 1);
    if (key.mode != HoldMode::Read && m_holds.contains(key))
        setDeadline(*entry, deadline);
}

void HeldLocks::mayEndAt(const HoldKey& key, SteadyTime deadline) {
    const auto entry = m_holds.find(key);
    if (entry != m_holds.end() && key.mode == HoldMode::Exclusive && deadline < entry->second.deadline)
        setDeadline(*entry, deadline);
}

void HeldLocks::setCount(const HoldKey& key, qint64 count) {
    if (count <= 0)
        return remove(key);
    const auto entry = m_holds.find(key);
    if (entry == m_holds.end())
        return;
    entry->second.count = count;
    const size_t holds = static_cast<size_t>(count);
    if (entry->second.readDeadlines.size() > holds) {
        std::vector<SteadyTime> deadlines = std::move(entry->second.readDeadlines);
        deadlines.resize(holds);
        setReadDeadlines(*entry, std::move(deadlines));
    }
}

void HeldLocks::remove(const HoldKey& key) {
    const auto entry = m_holds.find(key);
    if (entry == m_holds.end())
        return;
    if (entry->second.renewal == Renewal::Watchdog)
        --m_renewedCount;
    m_deadlines.erase(DeadlineEntry(entry->second.deadline, &entry->first));
    m_holds.erase(entry);
}

const Hold* HeldLocks::find(const HoldKey& key) const {
    const auto entry = m_holds.find(key);
    return entry == m_holds.end() ? nullptr : &entry->second;
}

qint64 HeldLocks::count(const HoldKey& key) const {
    const Hold* hold = find(key);
    return hold ? hold->count : 0;
}

std::vector<HoldKey> HeldLocks::keys() const {
    std::vector<HoldKey> keys;
    keys.reserve(m_holds.size());
    for (const DeadlineEntry& entry : m_deadlines)
        keys.push_back(*entry.second);
    return keys;
}

std::vector<HoldKey> HeldLocks::renewedKeys() const {
    std::vector<HoldKey> keys;
    keys.reserve(static_cast<size_t>(m_renewedCount));
    for (const DeadlineEntry& entry : m_deadlines) {
        if (m_holds.at(*entry.second).renewal == Renewal::Watchdog)
            keys.push_back(*entry.second);
    }
    return keys;
}

std::optional<SteadyTime> HeldLocks::earliestDeadline() const {
    return m_deadlines.empty() ? std::nullopt : std::optional(m_deadlines.begin()->first);
}

std::optional<HoldKey> HeldLocks::takeExpired(SteadyTime now) {
    if (m_deadlines.empty() || m_deadlines.begin()->first > now)
        return std::nullopt;
    HoldKey key = *m_deadlines.begin()->second;
    remove(key);
    return key;
}

void HeldLocks::setDeadline(Holds::value_type& entry, SteadyTime deadline) {
    m_deadlines.erase(DeadlineEntry(entry.second.deadline, &entry.first));
    entry.second.deadline = deadline;
    m_deadlines.emplace(deadline, &entry.first);
}

// The lock's TTL is the longest of its readers' timeout keys.
void HeldLocks::setReadDeadlines(Holds::value_type& entry, std::vector<SteadyTime> deadlines) {
    setDeadline(entry, *std::ranges::max_element(deadlines));
    entry.second.readDeadlines = std::move(deadlines);
}

}  // namespace lockkeeper::locks
