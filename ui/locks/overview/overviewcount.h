// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/model/largest.h"
#include "ui/locks/model/lockwalk.h"
#include "ui/locks/overview/handovercounts.h"

#include <QHash>

#include <array>

namespace lockkeeper::ui {

// Counts what the overview says of all locks, in several steps. Each lock counts as it is at its step, see LockWalk:
// one that changes afterwards is not counted again. Thread: the GUI's.
class OverviewCount {
public:
    static constexpr size_t mostListed = 10;
    // If there are more busy locks, the first ones are listed.
    static constexpr size_t mostBusy = HandOverCounts::mostLocks;

    struct Busy {
        LockName lock;
        double acquisitions = 0;  // a second
    };
    using LockCounts = Largest<LockName, qint64>;
    using ClientCounts = Largest<QByteArray, qint64>;
    // Whether the locks and clients that stand out are looked for, too, which costs more.
    enum class Lists { NotWanted, Wanted };

    // locks: as for LockWalk.
    OverviewCount(const LockTableModel& locks, Lists lists);

    // Counts so many items. An item is a lock, or for the lists a holder of a lock; when all locks are read, a client
    // whose count is freed. The last lock, or part of the clients, is always finished, even if that makes it more
    // items.
    void step(size_t items);
    [[nodiscard]] bool isDone() const noexcept { return m_walk.isDone() && m_countedParts == 0; }
    [[nodiscard]] bool hasLists() const noexcept { return m_lists == Lists::Wanted; }

    // To be called once the count is done.
    [[nodiscard]] qint64 held() const noexcept { return m_held; }
    [[nodiscard]] qint64 contended() const noexcept { return m_contended; }
    [[nodiscard]] qint64 waiters() const noexcept { return m_waiters; }
    [[nodiscard]] double acquisitions() const noexcept { return m_acquisitions; }  // a second, of all busy locks
    [[nodiscard]] const std::vector<Busy>& busy() const noexcept { return m_busy; }
    // The locks with the most waiters, and the clients with the most locks.
    [[nodiscard]] const LockCounts& mostAwaited() const noexcept { return m_mostAwaited; }
    // The locks with the longest waits that were seen from wanting to having, in milliseconds, at least.
    [[nodiscard]] const LockCounts& longestWaits() const noexcept { return m_longestWaits; }
    [[nodiscard]] const ClientCounts& topClients() const noexcept { return m_topClients; }

private:
    struct Client {
        qint64 locks = 0;
        size_t last = 0;  // number of the lock that was counted last
    };

    void count(const monitor::LockRow& lock);
    void countHolders(const QList<monitor::Holder>& holders);

    LockWalk m_walk;
    Lists m_lists;
    size_t m_locks = 0;  // counted until now
    qint64 m_held = 0;
    qint64 m_contended = 0;
    qint64 m_waiters = 0;
    double m_acquisitions = 0;
    std::vector<Busy> m_busy;
    LockCounts m_mostAwaited{mostListed};
    LockCounts m_longestWaits{mostListed};
    ClientCounts m_topClients{mostListed};
    // In parts: to grow or to free one hash with 100,000 clients takes longer than to read many locks.
    std::array<QHash<QByteArray, Client>, 16> m_clients;
    size_t m_countedParts = 0;  // not freed yet
};

}  // namespace lockkeeper::ui
