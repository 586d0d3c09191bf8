// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/overview/overviewcount.h"

#include "ui/words/locktext.h"

#include <utility>

namespace lockkeeper::ui {

OverviewCount::OverviewCount(const LockTableModel& locks, Lists lists) : m_walk(locks), m_lists(lists) {
    if (!hasLists())
        return;
    m_countedParts = m_clients.size();
    // Usually nearly every lock has one holder.
    for (auto& part : m_clients)
        part.reserve(static_cast<qsizetype>(m_walk.size() / m_clients.size()));
}

void OverviewCount::step(size_t items) {
    size_t done = 0;
    while (done < items && !m_walk.isDone()) {
        ++done;
        m_walk.step(1, [this, &done](const LockWalk::Met& met) {
            count(met.lock);
            done += hasLists() ? static_cast<size_t>(met.lock.lock.holders.size()) : 0;
        });
    }
    while (done < items && !isDone()) {
        auto& part = m_clients[--m_countedParts];
        done += static_cast<size_t>(part.size());
        part.clear();
    }
}

void OverviewCount::count(const monitor::LockRow& lock) {
    const qint64 waiters = waitersAtLeast(lock.lock).value_or(0);
    ++m_locks;
    m_held += lock.lock.isHeld() ? 1 : 0;
    m_contended += lock.lock.isWaitedFor() ? 1 : 0;
    m_waiters += waiters;
    if (lock.throughput) {
        const double acquisitions = lock.throughput->perSecond(lock.throughput->acquisitions);
        m_acquisitions += acquisitions;
        if (m_busy.size() < mostBusy)
            m_busy.push_back({lock.lock.name, acquisitions});
    }
    if (!hasLists())
        return;
    if (waiters > 0)
        m_mostAwaited.put(lock.lock.name, waiters);
    if (lock.waits->past)
        m_longestWaits.put(lock.lock.name, lock.waits->past->longest.atLeast.count());
    countHolders(lock.lock.holders);
}

// A client counts once, however many of its threads share the lock.
void OverviewCount::countHolders(const QList<monitor::Holder>& holders) {
    for (const monitor::Holder& holder : holders) {
        const QByteArray& id = holder.id.client().bytes();
        const size_t part =
            qHash(id, m_clients.size()) % m_clients.size();  // another seed than that of the part itself
        Client& client = m_clients[part][id];
        if (std::exchange(client.last, m_locks) != m_locks)
            m_topClients.put(id, ++client.locks);
    }
}

}  // namespace lockkeeper::ui
