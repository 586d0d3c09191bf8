#pragma once

#include "base/clock.h"

namespace lockkeeper::monitor {

// How much watching may cost, and how long things are remembered.
struct MonitorOptions {
    Milliseconds batchInterval{50};     // at least between two batches; zero: each turn of the event loop
    int readsPerSecond = 2000;          // all reads of locks together
    int readsPerSecondOfOneLock = 20;
    Milliseconds forgetFreeAfter{60000};
    double sweepShare = 0.05;           // of the time that a sweep on a big keyspace may keep the server busy
};

}  // namespace lockkeeper::monitor
