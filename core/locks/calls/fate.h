#pragma once

#include "base/error.h"

namespace lockkeeper::locks {

// What is known of a command that was sent and did not end well.

// Whether the server may have done it nevertheless.
[[nodiscard]] inline bool mayHaveHappened(const Error& error) {
    return error.code == ErrorCode::Timeout || error.code == ErrorCode::Cancelled ||
           error.code == ErrorCode::OutcomeUnknown;
}

// Of one that may be repeated without harm: whether that is worth while.
[[nodiscard]] inline bool wasLost(const Error& error) {
    return error.code == ErrorCode::OutcomeUnknown || error.code == ErrorCode::ConnectionLost;
}

// A write whose answer does not come in time may have happened.
[[nodiscard]] inline Error unansweredIsUnknown(const Error& error) {
    if (error.code != ErrorCode::Timeout)
        return error;
    return Error(ErrorCode::OutcomeUnknown, QStringLiteral("the server did not answer in time"));
}

}  // namespace lockkeeper::locks
