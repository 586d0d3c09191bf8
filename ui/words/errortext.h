// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "engine/engine.h"
#include "ui/words/tone.h"

namespace lockkeeper::ui {

// The server of a session, as it is shown; empty if there is none.
[[nodiscard]] QString serverText(const ConnectionStatus& status);

// Why a connection failed or ended, and what to do about it.
struct Explanation {
    QString what;
    QString todo;
};

// server: as in ConnectionStatus, without secrets.
[[nodiscard]] Explanation connectionExplanation(const Error& error, const QString& server);
// Why an operation failed, as a clause.
[[nodiscard]] QString operationErrorText(const Error& error);

// The message for the operator when an operation is over.
struct Message {
    Tone tone = Tone::Info;
    QString text;

    friend bool operator==(const Message&, const Message&) = default;
};

enum class OperationKind { Acquire, Extend, Release, ForceRelease };

[[nodiscard]] Message outcomeMessage(OperationKind kind, const control::OperationResult& result);
// The server refuses to release a lock of this console in the background.
[[nodiscard]] Message refusedReleaseMessage(const LockName& name, const Error& why);

}  // namespace lockkeeper::ui
