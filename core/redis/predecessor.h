// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

namespace lockkeeper::redis {

// A connection that ended while writes were not answered. The server may have them unread, and would execute them after
// the commands of the next connection.
struct Predecessor {
    qint64 connectionId = 0;  // the server's; 0: there is none
    Milliseconds age{0};      // up to the last byte that came from the server
};

}  // namespace lockkeeper::redis
