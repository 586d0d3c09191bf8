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

// Of an action the intent is recorded before anything is sent, the outcome after it.
enum class AuditStep { Intent, Outcome };

enum class AuditOutcome {
    Done,
    OtherHolder,  // something else held the lock: nothing was changed
    AlreadyFree,
    NotSent,
    Failed,  // the server refused it: nothing was changed
    Unknown  // sent, and not answered
};

// One line of the audit: what an operator did to a lock of others.
struct AuditRecord {
    QString id;  // of the action: the same in its intent and its outcome
    AuditStep step = AuditStep::Intent;
    WallTime at{};
    QString user;  // of the operating system
    QString host;  // where this program runs
    AuditPlace place;
    LockName lock;
    LockChange change{};
    std::optional<monitor::LockSnapshot> state;  // before or after; nothing if it could not be read
    QString reason;                              // the operator's; of an intent
    AuditOutcome outcome = AuditOutcome::Unknown;  // of an outcome
    QString error;                                 // of an outcome: in the words of the server or the system
};

}  // namespace lockkeeper::control
