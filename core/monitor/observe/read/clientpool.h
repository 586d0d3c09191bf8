// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/locksnapshot.h"

#include <QSet>

namespace lockkeeper::monitor {

// Keeps the UUID of each client once: reads of the locks that it holds or waits for share it. With 100,000 locks of some
// hundred clients, a copy for each lock would take 6 MB. Bounded: when it is full, it begins again. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT ClientPool {
public:
    static constexpr qsizetype mostClients = 10'000;

    // A read that was just made, and that nobody else has yet: its holders and waiters get the UUIDs that are kept.
    void shareIn(LockSnapshot& read);

private:
    [[nodiscard]] HolderId shared(const HolderId& id);

    QSet<ClientId> m_clients;
};

}  // namespace lockkeeper::monitor
