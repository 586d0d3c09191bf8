// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/clients.h"
#include "monitor/analyse/lockhistory.h"
#include "monitor/analyse/waitmeter.h"
#include "monitor/model/lockrow.h"

namespace lockkeeper::monitor {

// What a LockStore knows of one lock: its row, which is also shown, and what only the store needs. The row exists once:
// all receivers share it until the next change. A value that can be moved, not copied.
class LOCKKEEPER_MONITOR_EXPORT StoredLock {
public:
    StoredLock() = default;  // without a row; only for a later assignment
    StoredLock(LockSnapshot first, quint64 releasesReceived);
    StoredLock(StoredLock&&) = default;
    StoredLock& operator=(StoredLock&&) = default;

    [[nodiscard]] const LockRow& row() const { return *m_row; }
    [[nodiscard]] const LockSnapshot& lock() const { return m_row->lock; }
    // The row for changes. If the present row was passed on, this is a copy of it. The reference is valid until the
    // next passOn().
    [[nodiscard]] LockRow& edit();
    // Shares the row: from now on others use it, too.
    [[nodiscard]] SharedRow passOn();

    LockHistory history;
    WaitMeter waits;
    WatchdogShare watchdog;
    SteadyTime unusedSince{};  // since when the lock is free and without waiters; only valid while it is so

private:
    std::shared_ptr<LockRow> m_row;
    bool m_isPassedOn = false;
};

}  // namespace lockkeeper::monitor
