// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/hold.h"
#include "redis/replyerrors.h"

namespace lockkeeper::locks {

// What is known about a command that was sent and failed.

// Whether the server may have executed the command although it failed.
[[nodiscard]] inline bool mayHaveHappened(const Error& error) {
    return error.code == ErrorCode::Timeout || error.code == ErrorCode::Cancelled ||
           error.code == ErrorCode::OutcomeUnknown;
}

// Whether a command that is safe to repeat should be repeated.
[[nodiscard]] inline bool wasLost(const Error& error) {
    return error.code == ErrorCode::OutcomeUnknown || error.code == ErrorCode::ConnectionLost ||
           redis::isRefusedByNode(error);
}

// As wasLost(), for a command that must reach the master in the end. A demoted master refuses it until the client has
// found the new master.
[[nodiscard]] inline bool wasLostOrDemoted(const Error& error) {
    return wasLost(error) || error.reply == ReplyKind::ReadOnly;
}

// Which error to return when a retry was not possible: the caller already knows that its deadline has passed, so only a
// cancellation is more important than the original failure.
[[nodiscard]] inline Error moreTelling(const Error& failure, const Error& whyNotAgain) {
    return whyNotAgain.code == ErrorCode::Cancelled ? whyNotAgain : failure;
}

// A write whose answer does not come in time may have been executed.
[[nodiscard]] inline Error unansweredIsUnknown(const Error& error) {
    if (error.code != ErrorCode::Timeout)
        return error;
    return Error(ErrorCode::OutcomeUnknown, Cause::NoAnswerInTime);
}

// The error if the server names another holder, or none.
[[nodiscard]] inline Error notHeld(const HoldKey& key) {
    return Error(
        ErrorCode::NotHeld, Cause::NotHolder,
        {QString::fromLatin1(key.holder.client().bytes()), QString::number(static_cast<qint64>(key.holder.thread()))});
}

}  // namespace lockkeeper::locks
