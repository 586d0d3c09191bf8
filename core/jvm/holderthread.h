// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/dumpmatch.h"
#include "jvm/keptdump.h"
#include "jvm/threadactivity.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/lockrow.h"

namespace lockkeeper::jvm {

using monitor::Fate;
using monitor::TakenWhen;

using monitor::Certainty;

// One holder of a lock, or one waiter in its queue, with its thread.
struct HolderThread {
    LockName lock;
    HolderId holder;
    ClientThreads::Role role = ClientThreads::Role::Holds;
    Fate fate = Fate::NotInDump;
    Certainty certainty = Certainty::Likely;
    TakenWhen taken = TakenWhen::NotKnown;  // Role::Holds
    QString thread;                         // its name; Fate::Lives
    ThreadActivity activity;                // Fate::Lives
    std::vector<Frame> frames{};            // Fate::Lives
    // In how many of the last dumps one after another the thread has the same frames.
    size_t dumpsWithSameFrames = 0;
    // Activity::WaitsForRedisson with RedissonCall::Lock: the locks that it may wait for. A frame does not name the
    // lock: these are the locks that have waiters and that the thread does not hold, without the fair ones in whose
    // queue it is not. One: it waits for that lock.
    QList<LockName> mayWaitFor{};
};

// The clients that a dump may be of, and what it shows of their holders and waiters.
struct DumpReading {
    std::vector<DumpMatch> matches;     // of every client that the rows name, the best first
    std::vector<HolderThread> holders;  // of the clients that fit, in the order of the rows
    // Of the last two dumps, the earlier one first, what a session keeps for each client that they are of. Little
    // evidence is enough only if no other client fits as well.
    std::vector<monitor::SharedDump> kept;
    bool isTimeAhead = false;  // the last dump claims to be later than its reading
    size_t jvms = 1;           // of how many JVMs the dumps are, at least

    // The one that fits the first of the clients; nothing: there are no clients.
    [[nodiscard]] std::optional<size_t> bestDump() const {
        return matches.empty() ? std::nullopt : std::optional(matches.front().dump);
    }
};

// The threads that the rows name, by client. Holders of other programs have none.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<ClientThreads> clientThreadsIn(
    const std::vector<monitor::SharedRow>& rows);

// Reads the rows beside the dump that fits each client best, and of several the last one. Earlier ones of the same JVM
// only show what has not moved since. dumps: not empty. client: the only one that they may be of. What contradicts it
// is said for this client, too, and nothing is kept then. Pure.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT DumpReading readDumps(const std::vector<ThreadDump>& dumps,
                                                              const std::vector<monitor::SharedRow>& rows,
                                                              const std::optional<ClientId>& client,
                                                              const QStringList& application,
                                                              const DumpClock& clock = {},
                                                              ClientBy by = ClientBy::User);
// Whether the later dump is of the same JVM, and was taken after the other one. areInOrder: Lockkeeper has taken them
// one after the other. Pure.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isLaterOfSameJvm(const ThreadDump& earlier, const ThreadDump& later,
                                                              bool areInOrder);

}  // namespace lockkeeper::jvm
