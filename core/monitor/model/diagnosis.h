#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QList>

#include <optional>
#include <variant>

namespace lockkeeper::monitor {

// What may be wrong with a lock, or is worth knowing about it. Each is seen in the field: see issuesOf().
enum class DiagnosisKind {
    PossibleDoubleHolder,
    WatchdogStopped,
    NeverExpires,
    FairQueueBlocked,
    WaitersAsleep,
    FairWaiterDropped,
    ZombieReader,
    LeaseRanOut,
    UnlockFromOtherThread,
    SuspectedOrphan,
    ReentryLeak,
    ChannelLeftOver,
    FixedLease
};

enum class Certainty {
    Certain,   // the keys say so
    Likely,    // what was seen has hardly another explanation
    Suspected  // what was seen has a harmless explanation too
};

enum class Severity { Fault, Information };

// ---- evidence: one struct a kind, so that there is no diagnosis without it. Wall times are those of this machine, but
// for a fair waiter's deadline, which the server's clock set. ----

struct PossibleDoubleHolder {
    static constexpr DiagnosisKind kind = DiagnosisKind::PossibleDoubleHolder;
    HolderId earlier;       // held it before the gap, and was not seen to release it
    WallTime earlierEnds;   // its lease, as last seen
    Milliseconds gap{0};    // not watched for so long
    QByteArray serverRole;  // what the server calls itself since
    friend bool operator==(const PossibleDoubleHolder&, const PossibleDoubleHolder&) = default;
};

struct WatchdogStopped {
    static constexpr DiagnosisKind kind = DiagnosisKind::WatchdogStopped;
    HolderId holder;
    quint64 renewals = 0;
    WallTime lastRenewal;
    Milliseconds lease{0};  // what the last renewal set; a watchdog sets it again after a third
    WallTime endsAt;        // by itself, and not before
    friend bool operator==(const WatchdogStopped&, const WatchdogStopped&) = default;
};

struct NeverExpires {
    static constexpr DiagnosisKind kind = DiagnosisKind::NeverExpires;
    HolderId holder;
    WallTime heldSince;  // or longer
    friend bool operator==(const NeverExpires&, const NeverExpires&) = default;
};

struct FairQueueBlocked {
    static constexpr DiagnosisKind kind = DiagnosisKind::FairQueueBlocked;
    HolderId head;
    std::optional<WallTime> deadline;
    WallTime freeSince;
    int queued = 0;  // the head included
    friend bool operator==(const FairQueueBlocked&, const FairQueueBlocked&) = default;
};

struct WaitersAsleep {
    static constexpr DiagnosisKind kind = DiagnosisKind::WaitersAsleep;
    int clients = 0;
    WallTime freeSince;
    bool holdSeen = true;  // else they may wait for a lock of this name in another database: channels are shared
    friend bool operator==(const WaitersAsleep&, const WaitersAsleep&) = default;
};

struct FairWaiterDropped {
    static constexpr DiagnosisKind kind = DiagnosisKind::FairWaiterDropped;
    HolderId waiter;
    WallTime since;  // it listens, and is not queued
    friend bool operator==(const FairWaiterDropped&, const FairWaiterDropped&) = default;
};

// A reader that the lock's hash counts, and whose holds have all run out; or the reverse, timeout keys of who is no
// reader.
struct ZombieReader {
    static constexpr DiagnosisKind kind = DiagnosisKind::ZombieReader;
    HolderId reader;
    qint64 holds = 0;  // by the hash; 0: it is no reader
    int keys = 0;      // timeout keys that are there
    WallTime since;    // seen so since
    friend bool operator==(const ZombieReader&, const ZombieReader&) = default;
};

struct LeaseRanOut {
    static constexpr DiagnosisKind kind = DiagnosisKind::LeaseRanOut;
    HolderId holder;
    Milliseconds lease{0};
    WallTime heldSince;
    WallTime endedAt;
    friend bool operator==(const LeaseRanOut&, const LeaseRanOut&) = default;
};

// Found by looking up the error of a failed unlock, which names no lock; never by watching alone.
struct UnlockFromOtherThread {
    static constexpr DiagnosisKind kind = DiagnosisKind::UnlockFromOtherThread;
    HolderId caller;                    // whose unlock failed
    HolderId holder;                    // of the same client
    WallTime heldSince;                 // or longer
    std::optional<WallTime> heldUntil;  // nothing: still held
    std::optional<WallTime> failedAt;   // by the clock of whoever wrote it; nothing: not known, it holds the lock now
    friend bool operator==(const UnlockFromOtherThread&, const UnlockFromOtherThread&) = default;
};

struct SuspectedOrphan {
    static constexpr DiagnosisKind kind = DiagnosisKind::SuspectedOrphan;
    HolderId holder;
    WallTime heldSince;  // or longer
    quint64 renewals = 0;
    Milliseconds usualHold{0};  // median of the holds seen from begin to end
    int holdsSeen = 0;          // as many as the median is made of
    friend bool operator==(const SuspectedOrphan&, const SuspectedOrphan&) = default;
};

struct ReentryLeak {
    static constexpr DiagnosisKind kind = DiagnosisKind::ReentryLeak;
    HolderId holder;
    qint64 count = 0;
    int stepsUp = 0;  // seen during this hold, without one down
    WallTime heldSince;
    friend bool operator==(const ReentryLeak&, const ReentryLeak&) = default;
};

struct ChannelLeftOver {
    static constexpr DiagnosisKind kind = DiagnosisKind::ChannelLeftOver;
    int clients = 0;
    WallTime freeSince;
    Milliseconds longestSleep{0};  // nobody who waits sleeps longer than this without trying again
    friend bool operator==(const ChannelLeftOver&, const ChannelLeftOver&) = default;
};

struct FixedLease {
    static constexpr DiagnosisKind kind = DiagnosisKind::FixedLease;
    HolderId holder;
    Milliseconds lease{0};
    WallTime heldSince;
    WallTime endsAt;
    friend bool operator==(const FixedLease&, const FixedLease&) = default;
};

using Evidence = std::variant<PossibleDoubleHolder, WatchdogStopped, NeverExpires, FairQueueBlocked, WaitersAsleep,
                              FairWaiterDropped, ZombieReader, LeaseRanOut, UnlockFromOtherThread, SuspectedOrphan,
                              ReentryLeak, ChannelLeftOver, FixedLease>;

struct Diagnosis {
    Certainty certainty = Certainty::Suspected;
    Evidence evidence;

    [[nodiscard]] DiagnosisKind kind() const {
        return std::visit([](const auto& found) { return found.kind; }, evidence);
    }
    friend bool operator==(const Diagnosis&, const Diagnosis&) = default;
};

// The numbers of the issues of redisson/redisson in which it was met.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<int> issuesOf(DiagnosisKind kind);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Severity severityOf(DiagnosisKind kind);
// True when one of them is more than information.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool hasFault(const QList<Diagnosis>& diagnoses);

// Stable lower-case words: "watchdog_stopped", "likely".
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(DiagnosisKind kind);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(Certainty certainty);

}  // namespace lockkeeper::monitor
