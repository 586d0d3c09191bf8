// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "monitor/model/locksnapshot.h"
#include "monitor/model/synchronizer.h"

#include <QMetaType>

#include <optional>
#include <variant>

namespace lockkeeper::control {

// The locks that a console can take.
enum class OwnLockKind { Reentrant, Fair, Fenced, Read, Write, Spin, NonReentrant, NonReentrantFair };

// Take a lock for this console. Taking it again is a reentry and adds to the count; for the non-reentrant kinds it
// fails with Cause::AlreadyHeld.
struct AcquireRequest {
    LockName name;
    std::optional<Milliseconds> lease;  // nothing: the watchdog renews it as long as the console lives
    Milliseconds wait{0};               // how long to wait for the lock; 0 tries once
    OwnLockKind kind = OwnLockKind::Reentrant;
    // For a lock that this console holds: a new lease in place of a further hold. The lock is taken again and released
    // once, so a fenced lock then has a new token. Not possible for a read lock, because each of its holds has a lease
    // of its own.
    bool extends = false;
};

// Release one hold of a lock that this console holds.
struct ReleaseRequest {
    LockName name;
};

enum class ChangeKind {
    ReleaseLock,       // for every holder
    ReleaseReader,     // for one of several readers
    ReleaseHolder,     // all values of one holder of a faster multi lock
    RemoveWaiter,      // removes a dead waiter of a fair queue
    WakeWaiters,       // wakes the waiters of a free lock; changes no key
    SetExpiry,         // for a lock that never expires
    Quarantine,        // releases the lock, and this console holds it for a while
    QuarantineHolder,  // as Quarantine, for all values of one holder of a faster multi lock
    GiveBackPermit     // of a semaphore: a permit whose lease is over
};

[[nodiscard]] constexpr bool isQuarantine(ChangeKind kind) {
    return kind == ChangeKind::Quarantine || kind == ChangeKind::QuarantineHolder;
}

// A change of a lock of others.
struct LockChange {
    ChangeKind kind = ChangeKind::ReleaseLock;
    std::optional<monitor::Holder> reader{};       // ReleaseReader
    std::optional<monitor::FairWaiter> waiter{};   // RemoveWaiter; WakeWaiters: one that is not in the queue, if any
    Milliseconds time{0};                          // SetExpiry: the TTL; a quarantine: the lease
    std::optional<HolderId> holder{};              // ReleaseHolder, QuarantineHolder: the holder of the values
    std::optional<HolderId> newHolder{};           // only for a quarantine; the console fills it in
    std::optional<monitor::PermitLease> permit{};  // GiveBackPermit; its end is compared

    friend bool operator==(const LockChange&, const LockChange&) = default;
};

// Change a lock of others (by default release it) by a script that compares before it acts. `confirmed` is the state
// that the operator saw and agreed to change. The script compares what the change is about: holders, counts, mode and
// token; for a reader its own holds; for a holder its values; for a waiter its deadline. If the server shows another
// state of this, nothing is changed, and the answer is HolderChanged with the new state.
struct ForceReleaseRequest {
    monitor::LockSnapshot confirmed;
    QString reason;  // the operator's reason, for the audit
    LockChange change{};
};

// An action of the operator.
using Operation = std::variant<AcquireRequest, ReleaseRequest, ForceReleaseRequest>;

[[nodiscard]] inline const LockName& lockOf(const AcquireRequest& request) {
    return request.name;
}
[[nodiscard]] inline const LockName& lockOf(const ReleaseRequest& request) {
    return request.name;
}
[[nodiscard]] inline const LockName& lockOf(const ForceReleaseRequest& request) {
    return request.confirmed.name;
}
[[nodiscard]] inline const LockName& lockOf(const Operation& operation) {
    return std::visit([](const auto& request) -> const LockName& { return lockOf(request); }, operation);
}

enum class Outcome {
    Acquired,
    Extended,
    HeldByOther,    // not obtained within the wait
    Released,       // the last hold was released: the lock is free
    ReleasedOnce,   // one hold was released, others remain
    ForceReleased,  // the requested change was made
    HolderChanged,  // the script changed nothing: see `now`
    AlreadyFree,    // the script found nothing to change
    Failed          // see `error`; for OutcomeUnknown see `found`
};

// What the lock shows about a change whose answer was lost, when it is read again.
enum class Found {
    Done,
    NotDone,  // the lock is as it was
    Other,    // neither: another holder has it now, or it is free although it should not be
    Unknown   // it could not be read, or would not show the change
};

struct OperationResult {
    Outcome outcome = Outcome::Failed;
    LockName name;
    std::optional<Error> error;
    std::optional<monitor::LockSnapshot> now;  // the state that was read, if the operation read it
    std::optional<qint64> token{};             // only for an acquire of a fenced lock
    // Only for an acquire that was ended before the server has answered: if it takes the lock, the console releases it.
    bool isUnderWay = false;
    // Only for a change of a lock of others:
    LockChange change{};
    std::optional<Found> found{};      // only if the answer was lost
    std::optional<Error> notRecorded;  // why its outcome is not in the audit yet
};

[[nodiscard]] inline OperationResult resultOf(LockName name, Outcome outcome) {
    OperationResult result;
    result.outcome = outcome;
    result.name = std::move(name);
    return result;
}

// The result HolderChanged or Failed, with the error.
[[nodiscard]] inline OperationResult failure(LockName name, Error error) {
    OperationResult result;
    result.outcome = error.code == ErrorCode::HolderChanged ? Outcome::HolderChanged : Outcome::Failed;
    result.name = std::move(name);
    result.error = std::move(error);
    return result;
}

// A lock that this console holds.
struct OwnLock {
    LockName name;
    HolderId holder;
    qint64 count = 1;
    bool renewed = false;  // renewed by the watchdog; otherwise it expires
    OwnLockKind kind = OwnLockKind::Reentrant;
    std::optional<qint64> token{};  // only for a fenced lock
    bool isQuarantine = false;      // taken from its holders; this console releases it at the end of its time

    friend bool operator==(const OwnLock&, const OwnLock&) = default;
};

enum class OwnLocksAtExit { Release, LeaveToLease };

}  // namespace lockkeeper::control

Q_DECLARE_METATYPE(lockkeeper::control::OperationResult)
Q_DECLARE_METATYPE(lockkeeper::control::OwnLock)
