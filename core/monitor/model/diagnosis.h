// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/signoflife.h"

#include <QList>

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace lockkeeper::monitor {

// What may be wrong with a lock, or is worth knowing about it. Users of Redisson have reported most of these kinds: see
// issuesOf().
enum class DiagnosisKind {
    PossibleDoubleHolder,
    Deadlock,
    HolderThreadEnded,
    RenewalBroken,        // of a client, see isOfClient()
    ClientRenewsNothing,  // of a client
    WatchdogStopped,
    NeverRenewed,
    NeverExpires,
    FairQueueStorm,
    FairQueueBlocked,
    HeadWithoutDeadline,
    WaitersAsleep,
    DeafWaiters,
    PermitsUnclaimed,
    PermitLeaseOver,
    FairWaiterDropped,
    ReaderCutShort,
    ZombieReader,
    LeaseRanOut,
    TwoNames,
    AcquireTakenBack,
    UnlockFromOtherThread,
    LeaseCut,
    SuspectedOrphan,
    ReentryLeak,
    ChannelLeftOver,
    FixedLease
};

enum class Certainty {
    Certain,   // the keys prove it
    Likely,    // there is hardly another explanation for what was seen
    Suspected  // what was seen has a harmless explanation too
};

enum class Severity { Fault, Information };

// ---- Evidence: one struct for each kind, so that no diagnosis comes without evidence. Wall times are by this
// machine's clock, except the deadline of a fair waiter, which is by the server's clock. ----

struct PossibleDoubleHolder {
    static constexpr DiagnosisKind kind = DiagnosisKind::PossibleDoubleHolder;
    HolderId earlier;                       // held the lock before the gap; no release was seen
    WallTime earlierEnds;                   // the end of its lease, as last seen
    Milliseconds gap{0};                    // how long the lock was not watched
    QByteArray serverRole;                  // the role that the server reports since the gap
    std::optional<QByteArray> newMaster{};  // "host:port" of the present master, if it is another server
    friend bool operator==(const PossibleDoubleHolder&, const PossibleDoubleHolder&) = default;
};

// Found among fair locks, whose queues name the waiters, and by thread dumps, which show who waits.
struct Deadlock {
    static constexpr DiagnosisKind kind = DiagnosisKind::Deadlock;
    HolderId holder;    // of this lock
    LockName waitsFor;  // the lock that the holder waits for
    HolderId
        heldBy;  // the holder of waitsFor, which waits for the next lock, and so on up to one that waits for this lock
    int holders = 0;    // number of holders that wait for each other
    WallTime provenAt;  // when the last read that decides it was answered; by threads: the time of the last dump
    std::optional<bool> byThreads{};  // true: found by thread dumps. A frame does not name the lock that its thread
                                      // waits for; it is the only one that it can be
    friend bool operator==(const Deadlock&, const Deadlock&) = default;
};

// A thread dump of the holder's JVM does not have the thread, whose number was given out before it: nobody will release
// the lock, while its client may renew it for ever.
struct HolderThreadEnded {
    static constexpr DiagnosisKind kind = DiagnosisKind::HolderThreadEnded;
    HolderId holder;
    std::optional<WallTime> dumpAt{};  // as the dump says
    qint64 newestThread = 0;           // the highest number in the dump
    // It is certain only if all of these are true.
    bool isDuringHold = false;   // the dump was taken while the lock was held
    bool hasAllThreads = false;  // the dump is whole, and leaves no virtual threads out
    bool isClientSure = false;   // the dump is of this client
    friend bool operator==(const HolderThreadEnded&, const HolderThreadEnded&) = default;
};

// The locks of one client whose renewals have stopped.
struct StoppedLocks {
    static constexpr qsizetype namedAtMost = 20;

    ClientId client;
    qint64 count = 0;        // all locks that its watchdog has renewed, and still holds
    QList<LockName> locks;   // the first of them by name
    WallTime lastRenewal{};  // of any lock of the client
    Milliseconds lease{0};   // the longest that its watchdog has set; a watchdog renews after a third of it
    WallTime firstEnds{};    // when the first of them expires
    friend bool operator==(const StoppedLocks&, const StoppedLocks&) = default;
};

// The client renews none of its locks, although it has acquired, released or queued since: it lives, and its renewal is
// broken.
struct RenewalBroken {
    static constexpr DiagnosisKind kind = DiagnosisKind::RenewalBroken;
    StoppedLocks stopped;
    LastSign sign;  // the first one since the renewals were overdue
    friend bool operator==(const RenewalBroken&, const RenewalBroken&) = default;
};

// The client renews none of its locks, while other clients renew theirs: it is dead, paused or cut off, or its renewal
// fails.
struct ClientRenewsNothing {
    static constexpr DiagnosisKind kind = DiagnosisKind::ClientRenewsNothing;
    StoppedLocks stopped;
    WallTime othersRenewed{};  // the first renewal by another client since those of this client were overdue
    friend bool operator==(const ClientRenewsNothing&, const ClientRenewsNothing&) = default;
};

struct WatchdogStopped {
    static constexpr DiagnosisKind kind = DiagnosisKind::WatchdogStopped;
    HolderId holder;
    quint64 renewals = 0;
    WallTime lastRenewal;
    Milliseconds lease{0};  // the TTL that the last renewal set; a watchdog renews after a third of it
    WallTime endsAt;        // when the lock expires; until then it stays held
    friend bool operator==(const WatchdogStopped&, const WatchdogStopped&) = default;
};

// The lock has the watchdog's lease, but no watchdog: its client died or hung before the first renewal, or the watchdog
// did not start. A lease of exactly that length that the caller has given cannot be distinguished.
struct NeverRenewed {
    static constexpr DiagnosisKind kind = DiagnosisKind::NeverRenewed;
    HolderId holder;
    Milliseconds lease{0};
    WallTime heldSince;
    WallTime endsAt;
    bool beginSeen = true;                 // false: held since then, or longer
    std::optional<bool> withoutReplica{};  // true: a fenced lock, while no replica answers. lockAndGetToken() then
                                           // fails, and leaves the lock held
    friend bool operator==(const NeverRenewed&, const NeverRenewed&) = default;
};

struct NeverExpires {
    static constexpr DiagnosisKind kind = DiagnosisKind::NeverExpires;
    HolderId holder;
    WallTime heldSince;  // or longer
    friend bool operator==(const NeverExpires&, const NeverExpires&) = default;
};

// Behind a dead head of the queue, clients of Redisson try to take the free lock without a pause, each several thousand
// times a second (recording fair_deadlines).
struct FairQueueStorm {
    static constexpr DiagnosisKind kind = DiagnosisKind::FairQueueStorm;
    HolderId head;
    std::optional<WallTime> deadline;
    WallTime freeSince;
    int awake = 0;                              // waiters behind the head that are subscribed
    std::optional<qint64> commandsPerSecond{};  // commands that the server executes for all clients
    friend bool operator==(const FairQueueStorm&, const FairQueueStorm&) = default;
};

struct FairQueueBlocked {
    static constexpr DiagnosisKind kind = DiagnosisKind::FairQueueBlocked;
    HolderId head;
    std::optional<WallTime> deadline;
    WallTime freeSince;
    int queued = 0;  // including the head
    friend bool operator==(const FairQueueBlocked&, const FairQueueBlocked&) = default;
};

// The head is in the queue, but not among the deadlines, so no client drops it. Scripts of clients before 3.45 fail.
struct HeadWithoutDeadline {
    static constexpr DiagnosisKind kind = DiagnosisKind::HeadWithoutDeadline;
    HolderId head;
    WallTime since;  // seen so since then
    int queued = 0;  // including the head
    friend bool operator==(const HeadWithoutDeadline&, const HeadWithoutDeadline&) = default;
};

struct WaitersAsleep {
    static constexpr DiagnosisKind kind = DiagnosisKind::WaitersAsleep;
    int clients = 0;
    WallTime freeSince;
    bool holdSeen = true;              // if false, the clients may wait for a lock of this name in another database
    std::optional<WallTime> wakeBy{};  // all of them try again by themselves up to then; nothing: not known
    std::optional<bool> noEnd{};       // true: the lock had no TTL while they waited, so they may sleep for ever
    friend bool operator==(const WaitersAsleep&, const WaitersAsleep&) = default;
};

// The clients were subscribed when the lock's slot moved to another node, and have not subscribed there. A release
// wakes none of them.
struct DeafWaiters {
    static constexpr DiagnosisKind kind = DiagnosisKind::DeafWaiters;
    int clients = 0;         // clients that waited at the move, without those that may have acquired the lock since
    QByteArray earlierNode;  // "host:port"
    QByteArray node;
    WallTime movedAt;  // the first read on the new node
    friend bool operator==(const DeafWaiters&, const DeafWaiters&) = default;
};

// Of a semaphore. Its waiters have missed the message, or want more permits than are free.
struct PermitsUnclaimed {
    static constexpr DiagnosisKind kind = DiagnosisKind::PermitsUnclaimed;
    qint64 free = 0;
    int clients = 0;
    WallTime since;  // the first read that found this number, with clients that wait
    friend bool operator==(const PermitsUnclaimed&, const PermitsUnclaimed&) = default;
};

// Of a semaphore whose permits have leases: the next caller gets it, but nobody is notified before.
struct PermitLeaseOver {
    static constexpr DiagnosisKind kind = DiagnosisKind::PermitLeaseOver;
    QByteArray permit;  // in hex; the one whose lease ended first
    WallTime endedAt;   // by the server's clock
    int permits = 0;    // number of such permits among those that were read
    int clients = 0;    // waiting clients
    friend bool operator==(const PermitLeaseOver&, const PermitLeaseOver&) = default;
};

struct FairWaiterDropped {
    static constexpr DiagnosisKind kind = DiagnosisKind::FairWaiterDropped;
    HolderId waiter;
    WallTime since;  // subscribed since then, and not in the queue
    friend bool operator==(const FairWaiterDropped&, const FairWaiterDropped&) = default;
};

// Another reader's renewal has set the lock's TTL to its own timeout, although this reader's timeout key lasts longer.
// If the other reader dies, the lock ends while this reader still works.
struct ReaderCutShort {
    static constexpr DiagnosisKind kind = DiagnosisKind::ReaderCutShort;
    HolderId reader;
    WallTime leaseEnds;                     // by the reader's own timeout key
    WallTime lockEnds;                      // unless it is renewed
    std::optional<HolderId> shortenedBy{};  // another reader, whose timeout key ends with the lock
    friend bool operator==(const ReaderCutShort&, const ReaderCutShort&) = default;
};

// A reader that is in the lock's hash although all its holds have expired. Or the reverse: a client that is not in the
// hash, but has timeout keys.
struct ZombieReader {
    static constexpr DiagnosisKind kind = DiagnosisKind::ZombieReader;
    HolderId reader;
    qint64 holds = 0;  // by the hash; 0: not in the hash
    int keys = 0;      // number of its timeout keys that exist
    WallTime since;    // in this state since
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

// A lock has this lock's name with its prefix once more, or without it. A NameMapper that is applied twice makes such a
// name; then clients that apply it once do not see the others.
struct TwoNames {
    static constexpr DiagnosisKind kind = DiagnosisKind::TwoNames;
    LockName other;
    QByteArray prefix;        // the longer name has it twice
    bool heldAtOnce = false;  // by different clients
    friend bool operator==(const TwoNames&, const TwoNames&) = default;
};

// The client waits for replicas after each acquire. No replica answers, so it releases the lock and tries again.
struct AcquireTakenBack {
    static constexpr DiagnosisKind kind = DiagnosisKind::AcquireTakenBack;
    HolderId holder;
    int times = 0;                        // holds of about a second, each acquired again by the same holder
    WallTime first;                       // when the first of these holds was released
    WallTime last;                        // when the last of these holds was released
    int replicas = 0;                     // connected now
    int earlierReplicas = 0;              // the most that were seen before
    std::optional<int> silentReplicas{};  // connected, but silent for some time
    friend bool operator==(const AcquireTakenBack&, const AcquireTakenBack&) = default;
};

// Found only by "Look up", from the error of a failed unlock. The error names no lock, and watching alone cannot find
// this.
struct UnlockFromOtherThread {
    static constexpr DiagnosisKind kind = DiagnosisKind::UnlockFromOtherThread;
    HolderId caller;                    // the holder whose unlock failed
    HolderId holder;                    // another thread of the same client
    WallTime heldSince;                 // or longer
    std::optional<WallTime> heldUntil;  // nothing: still held
    std::optional<WallTime> failedAt;   // by the clock of the machine that wrote the error; nothing: not known, but the
                                        // holder has the lock now
    friend bool operator==(const UnlockFromOtherThread&, const UnlockFromOtherThread&) = default;
};

// The lock was taken for a fixed time. Then its TTL was cut to a shorter one, and that is renewed since: it does not
// end by itself any more.
struct LeaseCut {
    static constexpr DiagnosisKind kind = DiagnosisKind::LeaseCut;
    HolderId holder;
    Milliseconds lease{0};  // before
    Milliseconds cutTo{0};
    WallTime cutAt;
    quint64 renewals = 0;  // since then
    WallTime lastRenewal;
    friend bool operator==(const LeaseCut&, const LeaseCut&) = default;
};

struct SuspectedOrphan {
    static constexpr DiagnosisKind kind = DiagnosisKind::SuspectedOrphan;
    HolderId holder;
    WallTime heldSince;  // or longer
    quint64 renewals = 0;
    Milliseconds usualHold{0};  // median of the holds whose begin and end were seen
    int holdsSeen = 0;          // number of holds in that median
    friend bool operator==(const SuspectedOrphan&, const SuspectedOrphan&) = default;
};

struct ReentryLeak {
    static constexpr DiagnosisKind kind = DiagnosisKind::ReentryLeak;
    HolderId holder;
    qint64 count = 0;
    int stepsUp = 0;  // reentries seen during this hold, without a release between them
    WallTime heldSince;
    friend bool operator==(const ReentryLeak&, const ReentryLeak&) = default;
};

struct ChannelLeftOver {
    static constexpr DiagnosisKind kind = DiagnosisKind::ChannelLeftOver;
    int clients = 0;
    WallTime freeSince;
    Milliseconds longestSleep{0};  // each waiting client tries again after at most this time
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

using AnyEvidence =
    std::variant<PossibleDoubleHolder, Deadlock, HolderThreadEnded, RenewalBroken, ClientRenewsNothing, WatchdogStopped,
                 NeverRenewed, NeverExpires, FairQueueStorm, FairQueueBlocked, HeadWithoutDeadline, WaitersAsleep,
                 DeafWaiters, PermitsUnclaimed, PermitLeaseOver, FairWaiterDropped, ReaderCutShort, ZombieReader,
                 LeaseRanOut, TwoNames, AcquireTakenBack, UnlockFromOtherThread, LeaseCut, SuspectedOrphan, ReentryLeak,
                 ChannelLeftOver, FixedLease>;

// A class of its own, so that the code that copies, compares and destroys it is compiled once, and not in each of the
// many sources that copy a row.
class LOCKKEEPER_MONITOR_EXPORT Evidence : public AnyEvidence {
public:
    Evidence();
    template <typename Found>
    requires std::constructible_from<AnyEvidence, Found> &&
        (!std::derived_from<std::remove_cvref_t<Found>, AnyEvidence>)Evidence(Found&& found)
        : AnyEvidence(std::forward<Found>(found)) {}  // implicit: what was found is evidence
    Evidence(const Evidence& other);
    Evidence(Evidence&& other) noexcept;
    Evidence& operator=(const Evidence& other);
    Evidence& operator=(Evidence&& other) noexcept;
    ~Evidence();

    friend LOCKKEEPER_MONITOR_EXPORT bool operator==(const Evidence& one, const Evidence& other);
    friend bool operator<(const Evidence& one,
                          const Evidence& other) = delete;  // otherwise QMetaType uses the variant's
};

struct Diagnosis {
    Certainty certainty = Certainty::Suspected;
    Evidence evidence;

    [[nodiscard]] LOCKKEEPER_MONITOR_EXPORT DiagnosisKind kind() const;
    friend bool operator==(const Diagnosis&, const Diagnosis&) = default;
};

// Numbers of the redisson/redisson issues that report this kind.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<int> issuesOf(DiagnosisKind kind);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Severity severityOf(DiagnosisKind kind);
// Whether it is a diagnosis of a client, and so not among those of a lock: the evidence names the client's locks.
[[nodiscard]] constexpr bool isOfClient(DiagnosisKind kind) {
    return kind == DiagnosisKind::RenewalBroken || kind == DiagnosisKind::ClientRenewsNothing;
}
// The locks that a diagnosis of a client is about; null if it is none of a client.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT const StoppedLocks* stoppedLocks(const Diagnosis& diagnosis);
// Whether at least one of the diagnoses is more than information.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool hasFault(const QList<Diagnosis>& diagnoses);

// Stable lower-case words, such as "watchdog_stopped" and "likely".
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(DiagnosisKind kind);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(Certainty certainty);

}  // namespace lockkeeper::monitor
