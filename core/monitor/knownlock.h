// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/lockhistory.h"
#include "monitor/model/lockrow.h"

namespace lockkeeper::monitor {

// What a LockStore knows of one lock: its row, which is also shown, and what only the store needs. The row is kept once:
// those who show it have the same one, until the next change. A value that can be moved, not copied.
class LOCKKEEPER_MONITOR_EXPORT KnownLock {
public:
    KnownLock() = default;  // without a row: only to be assigned to
    KnownLock(LockSnapshot first, quint64 releasesReceived);
    KnownLock(KnownLock&&) = default;
    KnownLock& operator=(KnownLock&&) = default;

    [[nodiscard]] const LockRow& row() const { return *m_row; }
    [[nodiscard]] const LockSnapshot& lock() const { return m_row->lock; }
    // The row, to be changed: a new one if the present one was passed on. The reference is valid until the next
    // passOn().
    [[nodiscard]] LockRow& edit();
    // From now on the row belongs to others as well.
    [[nodiscard]] SharedRow passOn();

    LockHistory history;
    SteadyTime unusedSince{};  // free and without waiters since then; valid while it is

private:
    std::shared_ptr<LockRow> m_row;
    bool m_isPassedOn = false;
};

}  // namespace lockkeeper::monitor
