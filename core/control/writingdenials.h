// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

#include <QList>

namespace lockkeeper::control {

// What the server has refused to the user who writes.
enum class RefusedRight {
    Command,
    ScriptCommand,  // of a script; the server has not named it
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

struct WritingDenial {
    RefusedRight what = RefusedRight::Command;
    QString command;  // "client|tracking"; only of a Command
    WritingCost cost = WritingCost::OperationsRefused;

    friend bool operator==(const WritingDenial&, const WritingDenial&) = default;
};

// Collects what the server refuses. A right that was not needed yet is not known: asking for it would need rights of
// its own.
class LOCKKEEPER_MONITOR_EXPORT WritingDenials {
public:
    // error: of any answer. True if it is a refusal that was not known.
    [[nodiscard]] bool note(const Error& error);
    // In the order in which they came.
    [[nodiscard]] const QList<WritingDenial>& list() const noexcept { return m_denials; }

private:
    QList<WritingDenial> m_denials;
};

}  // namespace lockkeeper::control
