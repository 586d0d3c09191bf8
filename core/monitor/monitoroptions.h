#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "profile/discoverysettings.h"

#include <QList>

namespace lockkeeper::monitor {

// What the store may hold. All of it is settable so that tests need not wait or fill memory.
struct StoreLimits {
    Milliseconds keepFree{60000};  // a free lock that nobody waits for is forgotten after this
    qsizetype rows = 200'000;      // known locks, free ones included
    size_t undelivered = 20'000;   // events waiting to be taken; the oldest are dropped and counted
};

struct MonitorOptions {
    Milliseconds batchInterval{50};   // between batches; zero: one each event-loop turn in which something changed
    int readsPerSecond = 2000;        // all reads of locks together
    Milliseconds pollInterval{1000};  // of each lock, where the server pushes nothing
    profile::DiscoverySettings discovery;
    QList<LockName> knownNames;       // of locks seen in earlier sessions: looked at first
    StoreLimits limits;
};

}  // namespace lockkeeper::monitor
