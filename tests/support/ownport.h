// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace lockkeeper::test {

// Stands for the server's port in the arguments of a RedisServer, for options other than "--port" that name it.
inline QString ownPort() {
    return QStringLiteral("%own-port%");
}

}  // namespace lockkeeper::test
