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
    ScriptCommand,         // of a script; the server has not named it
    UnknownCommand,        // the server does not have it: renamed, switched off, or of a later version
    UnknownScriptCommand,  // the same in a script; the server has not named it
    Keys,
    Channel
};

// What that costs.
enum class WritingCost {
    NothingChanged,         // of no lock
    OperationsRefused,      // those that need it
    NamesRefused,           // locks with such keys cannot be changed
    WaitersNotWoken,        // by a release
    WaitsRefused,           // an acquire tries once
    LossesSeenLate,         // of own locks
    FormerConnectionStays,  // what it sent before it was lost may still be executed
    ReplicasNotAwaited,
    ReadsCostMore
};

// Whether the server has said which commands it refuses to the user who writes, before they are used.
enum class RightsInAdvance {
    Unknown,    // it has not answered, or what it answered about the keys and channels of locks has other possible reasons
    Known,
    NotOffered  // Redis before 7 cannot say it
};

struct WritingDenial {
    RefusedRight what = RefusedRight::Command;
    QString command;  // "client|tracking"; only of Command and UnknownCommand
    WritingCost cost = WritingCost::OperationsRefused;

    friend bool operator==(const WritingDenial&, const WritingDenial&) = default;
};

// Collects what the server refuses, or says that it would refuse.
class LOCKKEEPER_MONITOR_EXPORT WritingDenials {
public:
    // error: of any answer. True if it is a refusal that was not known.
    [[nodiscard]] bool note(const Error& error);
    [[nodiscard]] bool note(const WritingDenial& denial);
    // Of a command beside the scripts or in them: "client|tracking". Nothing for one that costs nothing.
    [[nodiscard]] static std::optional<WritingDenial> ofCommand(RefusedRight what, const QString& command);
    // In the order in which they came.
    [[nodiscard]] const QList<WritingDenial>& list() const noexcept { return m_denials; }

private:
    QList<WritingDenial> m_denials;
};

}  // namespace lockkeeper::control
