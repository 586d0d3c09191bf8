// SPDX-License-Identifier: Apache-2.0
#include "jvm/dumpmatch.h"

#include "jvm/threadactivity.h"

namespace lockkeeper::jvm {

namespace {

// Clocks of two machines differ.
constexpr Milliseconds clockTolerance{60'000};

// Whether the server has shown the thread before the dump was taken.
bool wasSeenBefore(const ThreadDump& dump, const ClientThreads::Thread& named) {
    return named.since && dump.at && dump.isZoneGiven && *named.since + clockTolerance < *dump.at;
}

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
    return named.role == ClientThreads::Role::Waits && wasSeenBefore(dump, named) &&
           activityOf(thread).activity != Activity::WaitsForRedisson;
}

// The dump of a JVM that has been restarted since has the same numbers in the same code, and another client.
bool isRecent(const ThreadDump& dump, const ClientThreads& client) {
    constexpr std::chrono::minutes recent{15};
    return dump.at && std::chrono::abs(client.seenAt - *dump.at) < recent;
}

}  // namespace

DumpMatch matchOf(const ThreadDump& dump, const ClientThreads& client, const QSet<qint64>& ofOthers) {
    DumpMatch match;
    match.client = client.client;
    const qint64 newest = dump.newestId().value_or(0);
    size_t own = 0;        // whose numbers no other client has
    size_t confirmed = 0;  // of those, waiters that wait
    size_t doubtful = 0;   // threads without the application's code, which may have returned
    for (const ClientThreads::Thread& named : client.threads) {
        const auto id = static_cast<qint64>(named.id);
        const JavaThread* thread = dump.thread(id);
        if (id < 1 || id > highestThread) {
            ++match.noThreads;
        } else if (!thread) {
            // A thread that the dump may leave out may have any number.
            match.contradicting += id > newest && dump.hasAllThreads() && wasSeenBefore(dump, named) ? 1 : 0;
            ++(id > newest ? match.later : match.missing);
        } else if (contradicts(dump, *thread, named)) {
            ++match.contradicting;
        } else {
            const ThreadActivity activity = activityOf(*thread);
            const bool isWaiter = named.role == ClientThreads::Role::Waits;
            const bool isOwn = !ofOthers.contains(id);
            ++match.present;
            own += isOwn ? 1 : 0;
            confirmed += isOwn && isWaiter && activity.activity == Activity::WaitsForRedisson ? 1 : 0;
            doubtful += activity.code ? 0 : 1;
        }
    }
    // Its holders may be virtual threads, which such a dump leaves out.
    const bool mayLackAll = dump.isWhole && !dump.hasAllThreads() && dump.form != DumpForm::ThreadInfo;
    if (match.contradicting == 0 && match.present == 0 && match.missing + match.later > 0 && mayLackAll)
        match.fit = Fit::Weak;
    if (match.contradicting > 0 || match.present == 0)
        return match;
    constexpr size_t enough = 3;
    const bool isSupported = (own >= enough && !ofOthers.isEmpty()) || (own > 1 && confirmed > 0);
    const bool isOutweighed = match.missing + match.later > match.present;
    const bool isStrong = isSupported && !isOutweighed && doubtful == 0 && isRecent(dump, client);
    match.fit = isStrong ? Fit::Strong : Fit::Weak;
    return match;
}

}  // namespace lockkeeper::jvm
