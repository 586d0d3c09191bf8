// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"

#include <QString>

#include <optional>

namespace lockkeeper::control {

// Which server an action is for, and what the user calls the connection to it.
struct AuditPlace {
    QString server;       // "host:port/db", without secrets
    QString profile;      // its name; empty for a bare URL
    QString environment;  // of the profile, such as "production"; empty if not known

    friend bool operator==(const AuditPlace&, const AuditPlace&) = default;
};

// Change: of a lock of others. The others: with a lock of the console, or what has happened to it.
enum class AuditAction { Change, Acquire, Release, Lost };

// Of an action the intent is recorded before anything is sent, the outcome after it. An acquire whose outcome is Unknown
// may have a second one, TakenBack.
enum class AuditStep { Intent, Outcome };

enum class AuditOutcome {
    Done,
    OtherHolder,  // something else held the lock: nothing was changed
    AlreadyFree,
    NotSent,
    Failed,  // the server refused it: nothing was changed
    Unknown,   // sent, and not answered
    TakenBack  // after Unknown, of an acquire: what it may have taken is released
};

// Of an action that ended with this error.
[[nodiscard]] AuditOutcome auditOutcomeOf(ErrorCode error);

// One line of the audit: what an operator did to a lock. Of a release and of a loss there is only the outcome.
struct AuditRecord {
    AuditAction action = AuditAction::Change;
    QString id;  // of the action: the same in its intent and its outcome
    AuditStep step = AuditStep::Intent;
    WallTime at{};
    QString user;  // of the operating system
    QString host;  // where this program runs
    AuditPlace place;
    LockName lock;
    LockChange change{};  // of a Change
    std::optional<monitor::LockSnapshot> state;  // before or after; nothing if it could not be read
    std::optional<HolderId> holder;              // which the console is, of a lock that it acquires, releases or loses
    QString reason;                              // the operator's; of an intent
    AuditOutcome outcome = AuditOutcome::Unknown;  // of an outcome
    QString error;                                 // of an outcome: in the words of the server or the system
};

}  // namespace lockkeeper::control
