// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/namedrights.h"
#include "support/redisserver.h"

namespace lockkeeper::test {

// The rights to watch ("Rights").
inline QStringList leastRights(RedisServer& server) {
    const QString version =
        server.cli({"INFO", "server"}).section(QStringLiteral("redis_version:"), 1).section(u'\r', 0, 0);
    return QStringList{"on", ">pw"} + rightsOf(withWriter({}), profile::RightsFor::Watching, version.trimmed());
}

}  // namespace lockkeeper::test
