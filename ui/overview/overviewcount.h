// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/table/lockwalk.h"

#include <QHash>

#include <utility>
#include <vector>

namespace lockkeeper::ui {

// Counts what the overview says of all locks, in several steps if that is asked for. Thread: the GUI's.
class OverviewCount {
public:
    struct Busy {
        LockName lock;
        double acquisitions = 0;  // a second
    };
    template <typename Key>
    using Counted = std::vector<std::pair<Key, qint64>>;
    // Whether the locks and clients that stand out are looked for, too, which costs more.
    enum class Lists { NotWanted, Wanted };

    // locks: as for LockWalk.
    OverviewCount(const LockTableModel& locks, Lists lists) : m_walk(locks), m_lists(lists) {}

    void step(size_t count);
    [[nodiscard]] bool isDone() const noexcept { return m_walk.isDone(); }
    [[nodiscard]] bool hasLists() const noexcept { return m_lists == Lists::Wanted; }

    // Once it is done.
    [[nodiscard]] qint64 held() const noexcept { return m_held; }
    [[nodiscard]] qint64 contended() const noexcept { return m_contended; }
    [[nodiscard]] qint64 waiters() const noexcept { return m_waiters; }
    [[nodiscard]] const std::vector<Busy>& busy() const noexcept { return m_busy; }
    // Those with the most waiters, and with the most locks; of the same number in the order of their names.
    [[nodiscard]] Counted<LockName> mostAwaited(size_t most) const;
    [[nodiscard]] Counted<QByteArray> topClients(size_t most) const;

private:
    void count(const monitor::LockRow& lock);
    void countHolders(const QList<monitor::Holder>& holders);

    LockWalk m_walk;
    const Lists m_lists;
    qint64 m_held = 0;
    qint64 m_contended = 0;
    qint64 m_waiters = 0;
    std::vector<Busy> m_busy;
    Counted<LockName> m_awaited;
    QHash<QByteArray, qint64> m_clients;
};

}  // namespace lockkeeper::ui
