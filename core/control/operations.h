// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "monitor/model/locksnapshot.h"

#include <QMetaType>

#include <optional>

namespace lockkeeper::control {

// The locks that a console can take.
enum class OwnLockKind { Reentrant, Fair, Fenced, Read, Write, Spin, NonReentrant, NonReentrantFair };

// Take a lock for this console. Taking it again is a reentry and adds to the count; of the non-reentrant kinds it fails with
// Cause::AlreadyHeld.
struct AcquireRequest {
    LockName name;
    std::optional<Milliseconds> lease;  // nothing: the watchdog renews it as long as the console lives
    Milliseconds wait{0};               // how long to wait for the lock; 0 tries once
    OwnLockKind kind = OwnLockKind::Reentrant;
    // For a lock that this console holds: a new lease instead of one more hold. It is taken again and released once, so
    // that a fenced lock has a new token then. Not of a read lock: each of its holds has a lease of its own.
    bool extends = false;
};

// Release one hold of a lock that this console holds.
struct ReleaseRequest {
    LockName name;
};

enum class ChangeKind {
    ReleaseLock,    // for every holder
    ReleaseReader,  // one of several
    ReleaseHolder,  // all values of one holder of a faster multi lock
    RemoveWaiter,   // a dead one of a fair queue
    WakeWaiters,    // of a free lock; changes no key
    SetExpiry,      // of a lock that never expires
    Quarantine,     // released, and held by this console for a while
    QuarantineHolder  // the same of all values of one holder of a faster multi lock
};

[[nodiscard]] constexpr bool isQuarantine(ChangeKind kind) {
    return kind == ChangeKind::Quarantine || kind == ChangeKind::QuarantineHolder;
}

// What an operator does to a lock of others.
struct LockChange {
    ChangeKind kind = ChangeKind::ReleaseLock;
    std::optional<monitor::Holder> reader{};      // ReleaseReader
    std::optional<monitor::FairWaiter> waiter{};  // RemoveWaiter; WakeWaiters: one that is not in the queue, if any
    Milliseconds time{0};                         // SetExpiry: the TTL; a quarantine: the lease
    std::optional<HolderId> holder{};             // ReleaseHolder, QuarantineHolder: whose values
    std::optional<HolderId> newHolder{};          // of a quarantine; the console fills it in

    friend bool operator==(const LockChange&, const LockChange&) = default;
};

// Change a lock of others, by default release it, by a script that compares before it acts. `confirmed` is the state that
// the operator saw and agreed to change. If the server shows another one in what the change is about (holders, counts,
// mode and token; of a reader its own holds; of a holder its values; of a waiter its deadline), nothing is changed, and the answer
// is HolderChanged with the new state.
struct ForceReleaseRequest {
    monitor::LockSnapshot confirmed;
    QString reason;  // the operator's; the audit keeps it
    LockChange change{};
};

enum class Outcome {
    Acquired,
    Extended,
    HeldByOther,  // not obtained within the wait
    Released,     // the last hold was released: the lock is free
    ReleasedOnce,  // one hold was released, others remain
    ForceReleased,  // the change that was requested is made
    HolderChanged,  // the script changed nothing: see `now`
    AlreadyFree,    // the script found nothing to change
    Failed          // see `error`; OutcomeUnknown means: see `found`
};

// What a change whose answer was lost has done, as far as the lock shows it when it is read again.
enum class Found {
    Done,
    NotDone,  // the lock is as it was
    Other,    // neither: something else holds it now, or it is free and should not be
    Unknown   // it could not be read, or would not show the change
};

struct OperationResult {
    Outcome outcome = Outcome::Failed;
    LockName name;
    std::optional<Error> error;
    std::optional<monitor::LockSnapshot> now;  // the state that was read, if the operation read it
    std::optional<qint64> token{};     // of an acquire of a fenced lock
    // Of an acquire that was ended before the server has answered: if it takes the lock, the console releases it.
    bool isUnderWay = false;
    // Of a change of a lock of others:
    LockChange change{};
    std::optional<Found> found{};      // if its answer was lost
    std::optional<Error> notRecorded;  // why its outcome is not in the audit yet
};

[[nodiscard]] inline OperationResult resultOf(LockName name, Outcome outcome) {
    OperationResult result;
    result.outcome = outcome;
    result.name = std::move(name);
    return result;
}

// HolderChanged or Failed, and why.
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
    bool renewed = false;  // by the watchdog; otherwise it expires
    OwnLockKind kind = OwnLockKind::Reentrant;
    std::optional<qint64> token{};  // of a fenced lock
    bool isQuarantine = false;      // taken from its holders; released by this console at the end of its time

    friend bool operator==(const OwnLock&, const OwnLock&) = default;
};

enum class OwnLocksAtExit { Release, LeaveToLease };

}  // namespace lockkeeper::control

Q_DECLARE_METATYPE(lockkeeper::control::OperationResult)
Q_DECLARE_METATYPE(lockkeeper::control::OwnLock)
