// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "jvm/threaddump.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/threaddumps.h"

#include <QSet>

#include <vector>

namespace lockkeeper::jvm {

using monitor::highestThread;

// The threads of a client that the server names.
struct ClientThreads {
    enum class Role { Holds, Waits };  // Waits: in the queue of a fair lock
    struct Thread {
        ThreadId id{};
        Role role = Role::Holds;
        std::optional<WallTime> since;  // held or waited for at least since then

        friend bool operator==(const Thread&, const Thread&) = default;
    };

    ClientId client;
    std::vector<Thread> threads;
    WallTime seenAt{};  // when the server was read last
};

using monitor::Fit;

// Whether a dump may be of the JVM of a client. A dump does not name the client, so the numbers of its threads decide.
struct DumpMatch {
    ClientId client;
    Fit fit = Fit::Contradicts;
    size_t dump = 0;       // which one of the dumps
    size_t present = 0;    // threads of the client that are in the dump
    size_t missing = 0;    // that are not, although their numbers are below the highest one: they have ended
    size_t later = 0;      // numbers above the highest one: begun after the dump, if they are of this JVM
    size_t noThreads = 0;  // numbers that are no threads
    size_t contradicting = 0;
};

// Pure. A thread that has ended speaks neither for the dump nor against it. ofOthers: numbers of threads that the
// server names of other clients. Replicas of a service have the same low numbers, so a number that others have, too,
// shows nothing.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT DumpMatch matchOf(const ThreadDump& dump, const ClientThreads& client,
                                                          const QSet<qint64>& ofOthers = {});

}  // namespace lockkeeper::jvm
