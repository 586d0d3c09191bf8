#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/lockevent.h"

#include <vector>

namespace lockkeeper::monitor {

// Whether the server said that the lock's key was changed since the look before.
enum class KeyTouch {
    NotKnown,   // nobody would have told: polling, or the first look
    Untouched,  // tracked, and no invalidation came
    Touched     // an invalidation came
};

// Whether a message on the lock's channels would have been heard.
enum class Hearing { Complete, Deaf };

// What is known about the time between two looks besides the looks themselves.
struct Between {
    int messages = 0;             // heard on the lock's channels before the later look's answer
    SteadyTime firstMessageAt{};  // of the first of them; none where some came before the lock was watched
    Hearing hearing = Hearing::Complete;
    KeyTouch touch = KeyTouch::NotKnown;
    SteadyTime touchedAt{};                   // Touched: when the first invalidation was heard
    Milliseconds gap{0};                      // above zero: not watched for so long, and nothing of the above counts
    quint64 releasesHeard = 0;                // of all messages about it so far: counts on, also over a gap
    std::optional<QByteArray> newServerRole;  // after a gap: what the server calls itself, when that was another before
};

// What became of the hold that was seen before, as far as it is proven.
enum class HoldChange {
    Same,
    New,        // began between the looks, or was there at the first
    NotProven,  // the same holder, after a time in which it may have let go and come back
    Ended
};

struct Comparison {
    std::vector<LockEvent> events;  // in the order in which things must have happened
    HoldChange hold = HoldChange::Same;
    // New: and it began shortly before the later look.
    bool isBeginKnown = false;
    // How the hold before ended, where it was watched: Released, Expired, Deleted or Gone.
    std::optional<EventType> ended;
};

// Two looks at one lock, by protocol.md, "What the seen changes mean". Pure; claims only what the arguments prove.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Comparison compareSnapshots(const LockSnapshot& before, const LockSnapshot& after,
                                                            const Between& between);

// True when both ends of a lease may be the same moment: nobody has set a TTL in between.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool mayEndTogether(const LockSnapshot& before, const LockSnapshot& after);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool mayEndTogether(const std::optional<Expiry>& before,
                                                    const std::optional<Expiry>& after,
                                                    SteadyTime::duration apart = {});

}  // namespace lockkeeper::monitor
