// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "monitor/analyse/clienttimeouts.h"
#include "monitor/discover/writepace.h"
#include "monitor/observe/read/readpace.h"
#include "monitor/store/storelimits.h"
#include "profile/discoverysettings.h"

#include <QList>

#include <algorithm>

namespace lockkeeper::monitor {

// After so many sweeps all locks are known: only the second one looks for the queues of locks that are free, and whose
// waiters have crashed.
inline constexpr int sweepsForAll = 2;

struct MonitorOptions {
    static constexpr int mostReadsForWindow = 6250;
    static constexpr int mostReadsForScript = 25'000;  // no window has to show them

    Milliseconds batchInterval{50};  // between batches; zero: one for each event-loop turn with changes
    int readsPerSecond = 2000;       // all reads of locks together; of plain ones 1.3 % of a server core
    // While the server answers as fast as ever, and the sweeps' share allows it.
    int mostReadsPerSecond = mostReadsForWindow;
    Milliseconds pollInterval{1000};  // between two reads of each lock, if the server pushes nothing
    profile::DiscoverySettings discovery;
    QList<LockName> knownNames;  // names of locks seen in earlier sessions; they are read first
    StoreLimits limits;
    ClientTimeouts timeouts;
    WriteLimits writeLimits;

    [[nodiscard]] ReadLimits readLimits() const {
        constexpr int readsPerPercent = 1250;  // of plain locks; they take 0.8 % of the server's time
        const int allowed = std::min(readsPerPercent * discovery.serverShare, mostReadsPerSecond);
        return {readsPerSecond, std::max(readsPerSecond, allowed)};
    }
};

}  // namespace lockkeeper::monitor
