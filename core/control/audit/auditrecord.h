// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"

#include <QString>

#include <optional>

namespace lockkeeper::control {

// The server of an action, and the user's names for the connection to it.
struct AuditPlace {
    QString server;       // "host:port/db", without secrets
    QString profile;      // its name; empty for a bare URL
    QString environment;  // of the profile, such as "production"; empty if not known

    friend bool operator==(const AuditPlace&, const AuditPlace&) = default;
};

// Change: of a lock of others. The other actions: with a lock of the console, or its loss.
enum class AuditAction { Change, Acquire, Release, Lost };

// The intent of an action is recorded before anything is sent, the outcome after it. An acquire whose outcome is
// Unknown may have a second outcome, TakenBack.
enum class AuditStep { Intent, Outcome };

enum class AuditOutcome {
    Done,
    OtherHolder,  // another holder had the lock: nothing was changed
    AlreadyFree,
    NotSent,
    Failed,    // the server refused it: nothing was changed
    Unknown,   // sent, and not answered
    TakenBack  // after Unknown, for an acquire: what it may have taken is released
};

// The outcome of an action that ended with this error.
[[nodiscard]] AuditOutcome auditOutcomeOf(ErrorCode error);

// One line of the audit: what an operator did to a lock. For a release and for a loss there is only the outcome.
struct AuditRecord {
    AuditAction action = AuditAction::Change;
    QString id;  // of the action: the same for its intent and its outcome
    AuditStep step = AuditStep::Intent;
    WallTime at{};
    QString user;  // of the operating system
    QString host;  // the machine that runs this program
    AuditPlace place;
    LockName lock;
    LockChange change{};                         // only for Change
    std::optional<monitor::LockSnapshot> state;  // before or after; nothing if it could not be read
    std::optional<HolderId> holder;              // the console as holder of a lock that it acquires, releases or loses
    QString reason;                              // the operator's reason; only for an intent
    AuditOutcome outcome = AuditOutcome::Unknown;  // only for an outcome
    QString error;                                 // only for an outcome: the words of the server or the system
    bool wokeWaiters = false;                      // only for the outcome of a SetExpiry
};

}  // namespace lockkeeper::control
