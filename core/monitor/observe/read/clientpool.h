// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/locksnapshot.h"

#include <QSet>

namespace lockkeeper::monitor {

// Keeps the UUID of each client once, so that the reads of all its locks share it. With 100,000 locks of some hundred
// clients, a copy for each lock would take 6 MB. Bounded: when the pool is full, it is emptied. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT ClientPool {
public:
    static constexpr qsizetype mostClients = 10'000;

    // Replaces the UUIDs of the read's holders and waiters by the kept ones. read: just made, and not shared with
    // anyone yet.
    void shareIn(LockSnapshot& read);

private:
    [[nodiscard]] HolderId shared(const HolderId& id);

    QSet<ClientId> m_clients;
};

}  // namespace lockkeeper::monitor
