// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "monitor/model/locksnapshot.h"

#include <QMetaType>

#include <optional>

namespace lockkeeper::control {

// Take a reentrant lock for this console. Taking it again is a reentry and adds to the count.
struct AcquireRequest {
    LockName name;
    std::optional<Milliseconds> lease;  // nothing: the watchdog renews it as long as the console lives
    Milliseconds wait{0};               // how long to wait for the lock; 0 tries once
};

// Release one hold of a lock that this console holds.
struct ReleaseRequest {
    LockName name;
};

// Break a lock by compare-and-release. `confirmed` is the state that the operator saw and agreed to break. If the
// server shows other holders, counts, mode or token, nothing is changed, and the answer is HolderChanged with the new
// state.
struct ForceReleaseRequest {
    monitor::LockSnapshot confirmed;
    QString reason;  // the operator's; the audit keeps it
};

enum class Outcome {
    Acquired,
    HeldByOther,  // not obtained within the wait
    Released,     // the last hold was released: the lock is free
    ReleasedOnce,  // one hold was released, others remain
    ForceReleased,
    HolderChanged,  // compare-and-release changed nothing: see `now`
    AlreadyFree,    // compare-and-release found no lock to break
    Failed          // see `error`; OutcomeUnknown means: read the lock again before anything else
};

struct OperationResult {
    Outcome outcome = Outcome::Failed;
    LockName name;
    std::optional<Error> error;
    std::optional<monitor::LockSnapshot> now;  // the state that was read, if the operation read it
};

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

    friend bool operator==(const OwnLock&, const OwnLock&) = default;
};

enum class OwnLocksAtExit { Release, LeaveToLease };

}  // namespace lockkeeper::control

Q_DECLARE_METATYPE(lockkeeper::control::OperationResult)
Q_DECLARE_METATYPE(lockkeeper::control::OwnLock)
