#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/diagnosis.h"
#include "monitor/model/locksnapshot.h"
#include "monitor/model/throughput.h"

#include <memory>
#include <vector>

namespace lockkeeper::monitor {

// What happened, as far as the change between two looks proves it (protocol.md, "What the seen changes mean").
enum class EventType {
    Found,         // there in the first whole sweep
    Acquired,      // appeared later, or a holder joined
    Reentered,     // same holder, count up
    ReleasedOnce,  // same holder, count down
    Renewed,       // same holder and count, TTL up: watchdog, or an extension by hand
    Released,      // gone, with a message on its channel; or one of several readers left
    Expired,       // gone without a message after its TTL had run out
    Deleted,       // gone without a message with TTL left: by hand, evicted, flushed, or a spin lock's release
    HandedOver,    // another holder than at the last look; suspect when nothing explains it
    Waiters,       // the number of waiters changed
    NotWatched,    // a gap: what happened between `at` minus `gap` and `at` is not known
    Swept,         // a whole discovery sweep ended; no lock
    Diagnosed,     // what may be wrong with it has come or gone; `diagnosis` and `phase` tell
    Gone,    // not there or no longer its holder, and nothing heard proves how: a look after a gap, no messages to hear,
             // or a fair lock that nobody waited for, whose release is silent
    Forced,  // this console broke it, says the server's answer. What a look sees of that is an event of its own, which
             // may come before or after, and looks like a release
};

enum class DiagnosisPhase { Begun, Ended };

struct LockEvent {
    WallTime at{};
    EventType type = EventType::Found;
    // Who the event is about: the holder that acquired, released, was renewed or came in by a hand-over.
    std::optional<Holder> holder;
    // The lock after the event; only its name and kind count when it is gone.
    LockSnapshot lock;
    bool suspect = false;                // HandedOver with TTL left and no message
    Milliseconds gap{0};                 // NotWatched
    bool notWritten = false;             // NotWatched: it was watched, but is lost to a disk that failed or was too slow
    quint64 sweptKeys = 0;               // Swept: keys looked at
    quint64 sweptLocks = 0;              // Swept: locks among them
    std::optional<Diagnosis> diagnosis;  // Diagnosed; when it has ended, as it was last
    DiagnosisPhase phase = DiagnosisPhase::Begun;
    std::shared_ptr<const Throughput> throughput;  // of a busy lock, on the first event after it was measured anew
};

// Nobody looked, or nothing happened: where only the time of the last event is known, that cannot be told apart.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LockEvent notWatchedSince(WallTime last, WallTime now);

// Where watching ended, a history has a NotWatched without a lock and without a gap: makes each of them one whose gap
// runs up to the next event, so that nothing goes on through it. Of several in a row the earliest counts; one that is
// the last, or stands before a NotWatched that tells of the gap already, goes.
LOCKKEEPER_MONITOR_EXPORT void closeGaps(std::vector<LockEvent>& events);

// Keeps the newest, at most so many (two or more); where the others were stands one NotWatched, not written.
LOCKKEEPER_MONITOR_EXPORT void dropOldest(std::vector<LockEvent>& events, size_t most);

// One for each holder that this console has put out; `broken` is the lock as it was before.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<LockEvent> forcedOut(const LockSnapshot& broken, WallTime at);

// Stable lower-case word: "found", "released_once", "handed_over"; the same in JSON, in `watch` and in exports.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(EventType type);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(LockKind kind);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(HoldMode mode);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(DiagnosisPhase phase);

}  // namespace lockkeeper::monitor
