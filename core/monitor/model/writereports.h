// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::monitor {

// Whether the server reports each write of any key, so that a lock of a new name is found at once. The later one is
// worse.
enum class WriteReports {
    On,
    NotYet,        // the server's load is not known yet
    Paused,        // with discovery
    Busy,          // the server has too much to do, had too many writes, or ended that connection; tried again
    LoadUnknown,   // it refuses INFO
    Refused,       // it refuses CLIENT TRACKING or the subscription
    LimitUnknown,  // it refuses CONFIG GET
    Unlimited,     // it has no output buffer limit for pub/sub
    NoResp3        // it cannot push
};

}  // namespace lockkeeper::monitor
