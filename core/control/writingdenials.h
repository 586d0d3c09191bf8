// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

#include <QList>

#include <optional>

namespace lockkeeper::control {

// What the server has refused to the user who writes.
enum class RefusedRight {
    Command,
    ScriptCommand,         // a command in a script; the server has not named it
    UnknownCommand,        // the server does not have the command: renamed, switched off, or of a later version
    UnknownScriptCommand,  // the server does not have a command in a script, and has not named it
    Keys,
    Channel
};

// The consequence of a refusal.
enum class WritingCost {
    NothingChanged,         // no lock can be changed
    OperationsRefused,      // the operations that need the command are refused
    NamesRefused,           // locks with such keys cannot be changed
    WaitersNotWoken,        // a release does not wake the waiters
    WaitsRefused,           // an acquire tries once
    LossesSeenLate,         // losses of own locks are noticed late
    FormerConnectionStays,  // commands of a lost connection may still be executed
    ReplicasNotAwaited,
    ReadsCostMore
};

// Whether the server has reported, before their use, which commands it refuses to the user who writes.
enum class RightsInAdvance {
    Unknown,  // it has not answered, or its answer about the keys and channels of locks has other possible reasons
    Known,
    NotOffered  // Redis before 7 cannot report it
};

struct WritingDenial {
    RefusedRight what = RefusedRight::Command;
    QString command;  // "client|tracking"; only for Command and UnknownCommand
    WritingCost cost = WritingCost::OperationsRefused;

    friend bool operator==(const WritingDenial&, const WritingDenial&) = default;
};

// Collects what the server refuses, or would refuse.
class LOCKKEEPER_MONITOR_EXPORT WritingDenials {
public:
    // error: of any answer. Returns true if it is a new refusal.
    [[nodiscard]] bool note(const Error& error);
    [[nodiscard]] bool note(const WritingDenial& denial);
    // command: one outside or inside a script, "client|tracking". Nothing for a command without consequences.
    [[nodiscard]] static std::optional<WritingDenial> ofCommand(RefusedRight what, const QString& command);
    // In the order of their arrival.
    [[nodiscard]] const QList<WritingDenial>& list() const noexcept { return m_denials; }

private:
    QList<WritingDenial> m_denials;
};

}  // namespace lockkeeper::control
