#pragma once

#include "base/ids.h"

#include <QList>

namespace lockkeeper::monitor {

// Who listens for the release of one lock, by the server's count of subscribers.
struct Listeners {
    int clients = 0;              // client instances, on all of the lock's channels together
    QList<HolderId> fairWaiters;  // who listens on a fair waiter's own channel

    friend bool operator==(const Listeners&, const Listeners&) = default;
};

}  // namespace lockkeeper::monitor
