// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QtGlobal>

namespace lockkeeper::monitor {

// The store's bounds; a lock with a very long name counts as several (weightOf). Tests set them lower to save time and
// memory.
struct StoreLimits {
    Milliseconds keepFree{60000};          // a free lock without waiters is forgotten after this
    qsizetype rows = 200'000;              // known locks, including free ones
    qsizetype clients = 20'000;            // known clients, including those that hold no lock any more
    Milliseconds keepIdleClient{600'000};  // a client without locks and places in queues is forgotten after this
    size_t undelivered = 20'000;           // events waiting for take(); the oldest are dropped and counted
};

}  // namespace lockkeeper::monitor
