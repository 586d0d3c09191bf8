// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

namespace lockkeeper::redis {

// A connection that ended while writes were unanswered. The server may not have read these writes yet, and would then
// execute them after commands of the next connection.
struct Predecessor {
    qint64 connectionId = 0;  // the server's; 0: there is none
    Milliseconds age{0};      // up to the last byte that came from the server
};

}  // namespace lockkeeper::redis
