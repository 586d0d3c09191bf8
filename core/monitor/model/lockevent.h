// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/diagnosis.h"
#include "monitor/model/hold.h"
#include "monitor/model/locksnapshot.h"
#include "monitor/model/threadverdict.h"
#include "monitor/model/throughput.h"
#include "monitor/model/waits.h"

#include <vector>

namespace lockkeeper::monitor {

// What happened between two reads, as far as their difference proves it (core/locks/protocol.md, "What the seen changes
// mean").
enum class EventType {
    Found,         // existed already in the first whole sweep
    Acquired,      // appeared later, or another holder joined
    Reentered,     // same holder, count went up
    ReleasedOnce,  // same holder, count went down
    Renewed,       // same holder and count, TTL went up: by the watchdog, or extended by hand
    Released,      // gone, and a message came on its channel; or one of several readers left. Or without a message, see
                   // ReleaseSign
    Expired,       // gone without a message after its TTL was over
    Deleted,       // gone without a message while TTL was left, although a release of this lock would have had one: by
                   // hand, evicted, or flushed
    HandedOver,    // another holder than at the last read; suspect if nothing explains it
    Waiters,       // the number of waiters changed
    NotWatched,    // a gap: it is not known what happened between `at` minus `gap` and `at`
    Swept,         // a whole discovery sweep ended; has no lock
    Diagnosed,     // a diagnosis of the lock began or ended: see `diagnosis` and `phase`
    Gone,          // free, or held by others, and nothing proves how: read after a gap, or no messages received
    Emptied,       // a server came back without any key, so all its locks have ended; has no lock
    ThreadSeen,    // a thread dump was read that shows something about the thread of `holder`: see `thread`
    Forced,  // this console broke it, by the server's answer. The next read reports the same change as an event of its
             // own, before or after this one, as if the lock had been released
    WaiterRemoved,  // an operator removed `holder` from its queue
    WaitersWoken,   // an operator woke those who wait
    ExpirySet,      // an operator set the TTL that `lock` has
};

// Whether an operator caused the event, by the server's answer or the audit. Such an event says nothing about the
// lock's state.
[[nodiscard]] constexpr bool isOfOperator(EventType type) {
    return type >= EventType::Forced;
}

// How a release shows.
enum class ReleaseSign : quint8 {
    Message,    // a message on its channel; or one of several readers left
    NoMessage,  // gone with time left: spin locks, and fair locks without waiters, are released without a message. It
                // may have been deleted, too
    Inferred    // a fair lock with a queue, whose messages are not received: those of a Cluster go to a channel of the
                // waiter alone. It may have been deleted, too
};

// Whether the event is about a database, and has no lock.
[[nodiscard]] constexpr bool isOfDatabase(EventType type) {
    return type == EventType::Swept || type == EventType::Emptied;
}

enum class DiagnosisPhase { Begun, Ended };

struct LockEvent {
    WallTime at{};
    EventType type = EventType::Found;
    // The holder that acquired, released, was renewed, or took over the lock.
    std::optional<Holder> holder;
    // The lock after the event. If the lock is gone, only its name and kind are valid.
    LockSnapshot lock;
    bool suspect = false;                            // HandedOver: TTL was left, and no message came
    ReleaseSign releaseSign = ReleaseSign::Message;  // Released
    Milliseconds gap{0};                             // NotWatched
    Rare<Error> reason;                              // NotWatched: why, if it is known
    bool notWritten = false;    // NotWatched: it was watched, but the disk failed or was too slow to record it
    quint64 sweptKeys = 0;      // Swept: keys scanned
    quint64 sweptLocks = 0;     // Swept: locks among them. Emptied: held locks that ended
    Rare<Diagnosis> diagnosis;  // Diagnosed; if it has ended: its last state
    DiagnosisPhase phase = DiagnosisPhase::Begun;
    Rare<SeenThread> thread;      // ThreadSeen
    Rare<Throughput> throughput;  // of a busy lock: on its first event after each measurement
    Rare<Waits> waits;  // who waits since when: Found and Waiters; how long others have waited: on the first event
                        // after each measurement, too
    Rare<SeenBefore> seenBefore;  // Found in a list: what the history says. Neither kept nor read again
};

// Whether `lock` has the state of the lock after the event. The lock of a diagnosis of a client may be forgotten.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool hasLockState(const LockEvent& event);

// An event with the lock as it was read.
[[nodiscard]] LockEvent eventAbout(EventType type, const LockSnapshot& lock, WallTime at);
[[nodiscard]] LockEvent eventAbout(const Diagnosis& diagnosis, DiagnosisPhase phase, const LockSnapshot& lock,
                                   WallTime at);

// A gap from the last known event until now. If only the time of that event is known, "not watched" and "nothing
// happened" cannot be distinguished.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LockEvent notWatchedSince(WallTime last, WallTime now);

// Where watching ended, a history has a NotWatched event without lock and gap. closeGaps() gives each of these events a
// gap up to the next event, so that no hold continues across it. Of several in a row the earliest counts. An event that
// is the last one, or that is followed by a NotWatched which already covers the gap, is removed.
LOCKKEEPER_MONITOR_EXPORT void closeGaps(std::vector<LockEvent>& events);

// Keeps the newest events, at most `most` of them (two or more). One NotWatched event with `notWritten` replaces the
// dropped ones.
LOCKKEEPER_MONITOR_EXPORT void dropOldest(std::vector<LockEvent>& events, size_t most);

// One event for each holder that this console has removed. broken: the lock before the removal.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<LockEvent> forcedOut(const LockSnapshot& broken, WallTime at);

// Stable lower-case words, such as "found", "released_once" and "handed_over"; the same in JSON, in `watch` and in
// exports.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(EventType type);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(LockKind kind);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(HoldMode mode);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(DiagnosisPhase phase);

}  // namespace lockkeeper::monitor
