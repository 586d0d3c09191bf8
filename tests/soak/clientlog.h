// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"

#include <optional>

namespace lockkeeper::soak {

// Something happened at a moment between `from` and `to`, both included. The times are of this machine's clock, which
// the server and the watch share.
struct Span {
    WallTime from{};
    WallTime to{};
};

[[nodiscard]] inline WallTime now() {
    return std::chrono::system_clock::now();
}

// Nothing: the lock is free.
struct Hold {
    HolderId holder;
    qint64 count = 1;

    friend bool operator==(const Hold&, const Hold&) = default;
};

enum class Deed {
    Acquire,
    Reenter,
    Renew,
    ReleaseOnce,  // others remain
    Release,      // the last one, or by force: the key is deleted, and a message is published
    Delete,       // without a message
    Read          // the client has read the lock after an answer was lost
};

enum class Answer {
    Done,
    Refused,  // the hold had ended before
    Unknown   // the connection was lost before the answer
};

// One line of the load's own log: what a client did to a lock. Lines of one lock come in the order in which the server
// executes them.
struct LogLine {
    LockName lock;
    Deed deed = Deed::Acquire;
    std::optional<Hold> after;  // the state of the lock if it is done
    Milliseconds lease{0};      // from the moment of the execution; only if the lock is held after it
    Span when;  // when it was sent and answered; Unknown: when it was sent, and when the connection was lost
    Answer answer = Answer::Done;
};

}  // namespace lockkeeper::soak
