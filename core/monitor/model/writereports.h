// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::monitor {

// Whether the server reports each write of any key, so that a lock with a new name is found at once. A later value is
// worse than an earlier one.
enum class WriteReports {
    On,
    NotYet,        // the server's load is not known yet
    Paused,        // because discovery is paused
    Busy,          // the server is too busy, had too many writes, or ended the connection; tried again
    LoadUnknown,   // the server refuses INFO
    Refused,       // the server refuses CLIENT TRACKING or the subscription
    LimitUnknown,  // the server refuses CONFIG GET
    Unlimited,     // the server has no output buffer limit for pub/sub
    NoResp3        // the server cannot push
};

}  // namespace lockkeeper::monitor
