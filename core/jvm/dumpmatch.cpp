// SPDX-License-Identifier: Apache-2.0
#include "jvm/dumpmatch.h"

#include "jvm/threadactivity.h"

namespace lockkeeper::jvm {

namespace {

// Clocks of two machines differ.
constexpr Milliseconds clockTolerance{60'000};

// Whether the thread cannot be this holder or waiter.
bool contradicts(const ThreadDump& dump, const JavaThread& thread, const ClientThreads::Thread& named) {
    if (isOfTheJvm(thread))
        return true;
    const bool hasBegunLater = dump.at && dump.isZoneGiven && thread.age && named.since &&
                               *dump.at - *thread.age > *named.since + clockTolerance;
    if (hasBegunLater)
        return true;
    // A fair waiter stays in Redisson's call until it has the lock or has left the queue. It may have come after the
    // dump.
    const bool waitedAtTheDump = dump.at && dump.isZoneGiven && named.since && *named.since + clockTolerance < *dump.at;
    return named.role == ClientThreads::Role::Waits && waitedAtTheDump &&
           activityOf(thread).activity != Activity::WaitsForRedisson;
}

}  // namespace

DumpMatch matchOf(const ThreadDump& dump, const ClientThreads& client) {
    DumpMatch match;
    match.client = client.client;
    const qint64 newest = dump.newestId().value_or(0);
    size_t confirmed = 0;  // waiters that wait
    for (const ClientThreads::Thread& named : client.threads) {
        const auto id = static_cast<qint64>(named.id);
        const JavaThread* thread = dump.thread(id);
        if (id < 1 || id > highestThread) {
            ++match.noThreads;
        } else if (!thread) {
            const bool heldAtTheDump =
                dump.at && dump.isZoneGiven && named.since && *named.since < *dump.at - clockTolerance;
            match.contradicting += id > newest && heldAtTheDump ? 1 : 0;
            ++(id > newest ? match.later : match.missing);
        } else if (contradicts(dump, *thread, named)) {
            ++match.contradicting;
        } else {
            ++match.present;
            confirmed +=
                named.role == ClientThreads::Role::Waits && activityOf(*thread).activity == Activity::WaitsForRedisson
                    ? 1
                    : 0;
        }
    }
    constexpr size_t enough = 3;
    const bool isSupported = match.present >= enough || (match.present > 1 && confirmed > 0);
    const bool isOutweighed = match.missing + match.later > match.present;
    if (match.contradicting == 0 && match.present > 0)
        match.fit = isSupported && !isOutweighed ? Fit::Strong : Fit::Weak;
    return match;
}

}  // namespace lockkeeper::jvm
