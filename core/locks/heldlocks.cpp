// SPDX-License-Identifier: Apache-2.0
#include "locks/heldlocks.h"

#include <algorithm>

namespace lockkeeper::locks {

namespace {

bool neverShortens(HoldMode mode, LeaseCause cause) {
    return mode == HoldMode::Read || (mode == HoldMode::Write && cause == LeaseCause::Acquire);
}

}  // namespace

QByteArray HoldKey::field() const {
    return mode == HoldMode::Write ? holder.bytes() + ":write" : holder.bytes();
}

LeaseTicket HeldLocks::leaseSent(const HoldKey& key, SteadyTime deadline, LeaseCause cause) {
    const LeaseTicket ticket{++m_lastSent};
    const auto entry = m_holds.find(key);
    if (entry != m_holds.end() && !neverShortens(key.mode, cause)) {
        entry->second.unknownLeases.push_back(TrackedHold::SentLease{ticket, m_lastSent, deadline});
        updateDeadline(*entry);
    }
    return ticket;
}

void HeldLocks::leaseSentAgain(const HoldKey& key, LeaseTicket ticket) {
    const auto entry = m_holds.find(key);
    if (entry == m_holds.end())
        return;
    for (TrackedHold::SentLease& sent : entry->second.unknownLeases) {
        if (sent.ticket == ticket)
            sent.order = ++m_lastSent;
    }
}

void HeldLocks::leaseSet(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, LeaseCause cause) {
    const auto entry = m_holds.find(key);
    if (entry != m_holds.end())
        setDeadline(*entry, ticket, deadline, cause);
}

void HeldLocks::setDeadline(Holds::value_type& entry, LeaseTicket ticket, SteadyTime deadline, LeaseCause cause) {
    noteLease(entry.first.mode, entry.second, ticket, deadline, cause);
    updateDeadline(entry);
}

void HeldLocks::noteLease(const HoldMode& mode, TrackedHold& hold, LeaseTicket ticket, SteadyTime deadline,
                          LeaseCause cause) {
    if (mode == HoldMode::Read) {
        if (cause == LeaseCause::Acquire)
            hold.readDeadlines.push_back(deadline);
        for (SteadyTime& each : hold.readDeadlines)
            each = cause == LeaseCause::Renewal ? std::max(each, deadline) : each;
        return;
    }
    // There is no entry if nothing was held when the command was sent, or if the command never shortens a lease.
    const auto own = std::ranges::find(hold.unknownLeases, ticket, &TrackedHold::SentLease::ticket);
    const quint64 order = own == hold.unknownLeases.end() ? static_cast<quint64>(ticket) : own->order;
    SteadyTime before = hold.knownDeadline;
    std::erase_if(hold.unknownLeases, [&](const TrackedHold::SentLease& sent) {
        if (sent.order > order)
            return false;
        before = std::min(before, sent.deadline);
        return true;
    });
    hold.knownDeadline = neverShortens(mode, cause) ? std::max(before, deadline) : deadline;
}

void HeldLocks::leaseNotSet(const HoldKey& key, LeaseTicket ticket) {
    const auto entry = m_holds.find(key);
    if (entry == m_holds.end())
        return;
    std::erase_if(entry->second.unknownLeases,
                  [ticket](const TrackedHold::SentLease& sent) { return sent.ticket == ticket; });
    updateDeadline(*entry);
}

bool HeldLocks::leaseSeen(const HoldKey& key, SteadyTime deadline) {
    const auto entry = m_holds.find(key);
    if (entry == m_holds.end() || entry->second.deadline <= deadline)
        return false;
    TrackedHold& hold = entry->second;
    hold.knownDeadline = std::min(hold.knownDeadline, deadline);
    for (SteadyTime& each : hold.readDeadlines)
        each = std::min(each, deadline);
    updateDeadline(*entry);
    return true;
}

const Hold& HeldLocks::acquired(const HoldKey& key, LeaseTicket ticket, SteadyTime deadline, Milliseconds lease,
                                Renewal renewal) {
    const auto [entry, isNew] = m_holds.try_emplace(key);
    TrackedHold& hold = entry->second;
    if (isNew) {
        m_byName.insert(entry->first.name, &entry->first);
        hold.since = deadline - lease;
    }
    ++hold.count;
    hold.lease = lease;
    // A reentry with a lease of its own does not end the watchdog's renewal of the hold.
    if (renewal == Renewal::Watchdog && hold.renewal != Renewal::Watchdog) {
        hold.renewal = Renewal::Watchdog;
        ++m_renewedCount;
    }
    setDeadline(*entry, ticket, deadline, LeaseCause::Acquire);
    return hold;
}

void HeldLocks::setLease(const HoldKey& key, Milliseconds lease) {
    const auto entry = m_holds.find(key);
    if (entry != m_holds.end())
        entry->second.lease = lease;
}

void HeldLocks::setCount(const HoldKey& key, qint64 count) {
    if (count <= 0) {
        remove(key);
        return;
    }
    const auto entry = m_holds.find(key);
    if (entry == m_holds.end())
        return;
    TrackedHold& hold = entry->second;
    hold.count = count;
    // The newest holds end first, as on the server, where the newest timeout key is deleted first.
    hold.readDeadlines.resize(std::min(hold.readDeadlines.size(), static_cast<size_t>(count)));
    updateDeadline(*entry);
}

bool HeldLocks::remove(const HoldKey& key) {
    const auto entry = m_holds.find(key);
    if (entry == m_holds.end())
        return false;
    if (entry->second.renewal == Renewal::Watchdog)
        --m_renewedCount;
    m_deadlines.erase(DeadlineEntry(entry->second.deadline, &entry->first));
    m_byName.remove(entry->first.name, &entry->first);
    m_holds.erase(entry);
    return true;
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

std::vector<HoldKey> HeldLocks::holdsOf(const LockName& name) const {
    std::vector<HoldKey> holds;
    const auto [first, end] = m_byName.equal_range(name);
    for (auto hold = first; hold != end; ++hold)
        holds.push_back(**hold);
    return holds;
}

std::optional<SteadyTime> HeldLocks::heldSince(const LockName& name) const {
    std::optional<SteadyTime> oldest;
    const auto [first, end] = m_byName.equal_range(name);
    for (auto hold = first; hold != end; ++hold) {
        const SteadyTime since = m_holds.at(**hold).since;
        oldest = oldest ? std::min(*oldest, since) : since;
    }
    return oldest;
}

std::vector<SteadyTime> HeldLocks::readDeadlines(const HoldKey& key) const {
    const auto entry = m_holds.find(key);
    return entry == m_holds.end() ? std::vector<SteadyTime>() : entry->second.readDeadlines;
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

// Most commands do not move the deadline; only those that do pay for a new place in the order.
void HeldLocks::updateDeadline(Holds::value_type& entry) {
    TrackedHold& hold = entry.second;
    if (!hold.readDeadlines.empty())
        hold.knownDeadline = *std::ranges::max_element(hold.readDeadlines);
    SteadyTime deadline = hold.knownDeadline;
    for (const TrackedHold::SentLease& sent : hold.unknownLeases)
        deadline = std::min(deadline, sent.deadline);
    if (deadline == hold.deadline)
        return;
    m_deadlines.erase(DeadlineEntry(hold.deadline, &entry.first));
    hold.deadline = deadline;
    m_deadlines.emplace(hold.deadline, &entry.first);
}

}  // namespace lockkeeper::locks
