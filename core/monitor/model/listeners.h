// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QList>

#include <algorithm>
#include <optional>

namespace lockkeeper::monitor {

// The clients that are subscribed to one lock's channels, as the server counts them.
struct Listeners {
    int clients = 0;                 // client instances, summed over all of the lock's channels
    QList<HolderId> fairWaiters;     // waiters whose own channel (a fair lock has one for each waiter) has a
                                     // subscriber
    std::optional<int> sharded = 0;  // clients on sharded channels, which only a Cluster has; nothing: not known,
                                     // because other monitors are subscribed, too
    int monitors = 0;                // other monitors that may be among `clients`

    // Clients that certainly wait.
    [[nodiscard]] int certain() const { return std::max(0, clients - monitors); }
    friend bool operator==(const Listeners&, const Listeners&) = default;
};

// Whether a count has asked every server on which a client may be subscribed, replicas included.
enum class Coverage { SomeServers, AllServers };

// What a count shows of the waiters of a fair queue, each of which is subscribed to its own channel while it waits.
struct QueueListening {
    bool isHeadListening = false;  // on any server; or not needed, because the lock is held under another name
    QList<HolderId> unheard;       // subscribed on no server that was asked
    Coverage coverage = Coverage::SomeServers;
};

}  // namespace lockkeeper::monitor
