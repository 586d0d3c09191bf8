#pragma once

#include "base/error.h"
#include "monitor/model/locksnapshot.h"

#include <QMetaType>

#include <optional>

namespace lockkeeper::control {

// Take a reentrant lock for this console. Reentry by the console itself counts up.
struct AcquireRequest {
    LockName name;
    std::optional<Milliseconds> lease;  // nothing: the watchdog renews it for as long as the console lives
    Milliseconds wait{0};               // how long to wait for it; 0 tries once
};

// Give back one hold of a lock that this console holds.
struct ReleaseRequest {
    LockName name;
};

// Break a lock by compare-and-release: `confirmed` is the state that the operator saw and agreed to break; if the server shows
// other holders, counts, mode or token, nothing changes and the answer is HolderChanged with the new state.
struct ForceReleaseRequest {
    monitor::LockSnapshot confirmed;
    QString reason;  // what the operator wrote; required by the dialog, kept for the log
};

enum class Outcome {
    Acquired,
    HeldByOther,  // not got within the wait
    Released,     // the last hold: the lock is free
    ReleasedOnce,  // holds remain
    ForceReleased,
    HolderChanged,  // compare-and-release changed nothing: see `now`
    AlreadyFree,    // compare-and-release found nothing to break
    Failed          // see `error`; OutcomeUnknown means: look again before anything else
};

struct OperationResult {
    Outcome outcome = Outcome::Failed;
    LockName name;
    std::optional<Error> error;
    std::optional<monitor::LockSnapshot> now;  // the state found, where the operation read it
};

// A lock that this console holds.
struct OwnLock {
    LockName name;
    HolderId holder;
    qint64 count = 1;
    bool renewed = false;  // by the watchdog; otherwise it ends with its lease

    friend bool operator==(const OwnLock&, const OwnLock&) = default;
};

enum class OwnLocksAtExit { Release, LeaveToLease };

}  // namespace lockkeeper::control

Q_DECLARE_METATYPE(lockkeeper::control::OperationResult)
Q_DECLARE_METATYPE(lockkeeper::control::OwnLock)
