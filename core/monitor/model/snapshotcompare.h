// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/lockevent.h"

#include <memory>
#include <vector>

namespace lockkeeper::monitor {

// Whether the server reported a change of the lock's key since the read before.
enum class KeyTouch {
    NotKnown,   // no report was possible: polling, or the first read
    Untouched,  // tracked, and no invalidation came
    Touched     // an invalidation or a keyspace event came
};

// Complete: every message on the lock's channels has been received. Incomplete: some may be missing.
enum class Reception { Complete, Incomplete };

// How the server has counted a lease down since the read before. Doubtful: perhaps not at the pace of this program's
// clock, or with another TTL than the last one that was read. The server's clock has jumped, the server has stood
// still, or it is a replica that may lack a renewal: then nothing proves whether a lease has ended or the key was
// deleted.
enum class Countdown { Even, Doubtful };

// What is known about the time between two reads, besides the content of the reads.
struct BetweenReads {
    int messages = 0;             // received on the lock's channels before the answer of the later read
    SteadyTime firstMessageAt{};  // when the first of them came; default if some came before the lock was watched
    Reception reception = Reception::Complete;
    KeyTouch touch = KeyTouch::NotKnown;
    SteadyTime touchedAt{};        // Touched: when the first report came
    Milliseconds gap{0};           // above zero: not watched for this long; the fields above are not valid
    quint64 releasesReceived = 0;  // all messages about the lock so far; continues across gaps
    // After a gap: the role that the server reports now, if its role has changed or another server has become the
    // master.
    std::optional<QByteArray> newServerRole;
    std::optional<QByteArray> newMaster;     // "host:port" of the new master; nothing if it is the same server
    std::shared_ptr<const Error> gapReason;  // null: not known
    Countdown countdown = Countdown::Even;
    bool isFlushed = false;  // the server reported that all keys were deleted
};

// Until when nothing had changed since the earlier read, as far as the server reported it.
[[nodiscard]] SteadyTime unchangedUntil(const LockSnapshot& before, const LockSnapshot& after,
                                        const BetweenReads& between);

// What became of the hold of the earlier read, as far as it is proven.
enum class HoldChange {
    Same,
    New,        // began between the reads, or existed at the first one
    NotProven,  // the same holder, after a gap in which it may have released and acquired again
    Ended
};

struct Comparison {
    std::vector<LockEvent> events;  // in the order in which the changes must have happened
    HoldChange hold = HoldChange::Same;
    // Only for New: whether the hold began shortly before the later read.
    bool isBeginKnown = false;
    // How the earlier hold ended, if it was watched: Released, Expired, Deleted or Gone.
    std::optional<EventType> ended;
    ReleaseSign releaseSign = ReleaseSign::Message;  // if it was Released

    // Whether the earlier hold may have ended without a message.
    [[nodiscard]] bool endedInSilence() const {
        return ended && (*ended != EventType::Released || releaseSign != ReleaseSign::Message);
    }
};

// What earlier holds of a plain lock show about its releases. Its key is the same as that of a spin lock or of a fair
// lock without waiters, which are released without a message.
enum class ReleaseHabit { NotKnown, Announced };

// Compares two reads of one lock by the rules of core/locks/protocol.md, "What the seen changes mean". Pure; the result
// contains only what the arguments prove.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Comparison compareSnapshots(const LockSnapshot& before,
                                                                    const LockSnapshot& after,
                                                                    const BetweenReads& between,
                                                                    ReleaseHabit habit = ReleaseHabit::NotKnown);

// A proven kind stays valid as long as the lock is known: a fair lock stays fair when its queue is empty.
[[nodiscard]] LockKind learnedKind(LockKind known, const LockSnapshot& read);

// Whether the user would see a difference; a read that only confirms the one before is no change.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isShownDifferently(const LockSnapshot& before, const LockSnapshot& after);

// How far the server's clock, by which leases end, and our clock may have drifted apart between two moments. A running
// clock is slowed or sped up by at most 500 ppm while it is adjusted.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT SteadyTime::duration driftBetween(SteadyTime earlier, SteadyTime later);

// Whether both leases may end at the same moment, so that no change of the TTL is proven.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool mayEndTogether(const LockSnapshot& before, const LockSnapshot& after);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool mayEndTogether(const std::optional<Expiry>& before,
                                                            const std::optional<Expiry>& after,
                                                            SteadyTime::duration apart = {});

}  // namespace lockkeeper::monitor
