// SPDX-License-Identifier: Apache-2.0
#include "ui/overview/overviewcount.h"

#include "ui/words/locktext.h"

#include <algorithm>

namespace lockkeeper::ui {

namespace {

bool isBefore(const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
}

// Adds it where it belongs, if it is among the most.
template <typename Key>
void addToLargest(OverviewCount::Counted<Key>& largest, const Key& key, qint64 count, size_t most) {
    if (largest.size() == most && count < largest.back().second)
        return;
    std::pair<Key, qint64> added(key, count);
    const auto place = std::ranges::upper_bound(largest, added, [](const auto& a, const auto& b) { return isBefore(a, b); });
    largest.insert(place, std::move(added));
    if (largest.size() > most)
        largest.pop_back();
}

}  // namespace

void OverviewCount::step(size_t count) {
    m_walk.step(count, [this](const LockWalk::Met& met) { this->count(met.lock); });
}

void OverviewCount::count(const monitor::LockRow& lock) {
    const qint64 waiters = waitersAtLeast(lock.lock).value_or(0);
    m_held += lock.lock.isHeld() ? 1 : 0;
    m_contended += isWaitedFor(lock.lock) ? 1 : 0;
    m_waiters += waiters;
    if (lock.throughput)
        m_busy.push_back({lock.lock.name, lock.throughput->perSecond(lock.throughput->acquisitions)});
    if (m_lists == Lists::NotWanted)
        return;
    if (waiters > 0)
        m_awaited.emplace_back(lock.lock.name, waiters);
    countHolders(lock.lock.holders);
}

// A client counts once, however many of its threads share the lock.
void OverviewCount::countHolders(const QList<monitor::Holder>& holders) {
    for (auto holder = holders.begin(); holder != holders.end(); ++holder) {
        const ClientId& client = holder->id.client();
        if (std::none_of(holders.begin(), holder, [&client](const monitor::Holder& before) { return before.id.client() == client; }))
            ++m_clients[client.bytes()];
    }
}

OverviewCount::Counted<LockName> OverviewCount::mostAwaited(size_t most) const {
    Counted<LockName> largest;
    for (const auto& [lock, waiters] : m_awaited)
        addToLargest(largest, lock, waiters, most);
    return largest;
}

OverviewCount::Counted<QByteArray> OverviewCount::topClients(size_t most) const {
    Counted<QByteArray> largest;
    for (auto one = m_clients.cbegin(); one != m_clients.cend(); ++one)
        addToLargest(largest, one.key(), one.value(), most);
    return largest;
}

}  // namespace lockkeeper::ui
