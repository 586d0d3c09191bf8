// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/redisserver.h"

namespace lockkeeper::test {

// For ACL SETUSER: enough to watch, and what resources/manual/connecting.md ("Rights") adds to it for servers
// from Redis 7.2 on; those before refuse a rule about a command that they do not know.
inline QStringList leastRights(RedisServer& server) {
    const QStringList rights =
        QStringLiteral(
            "on >pw %R~* resetchannels &redisson_lock__channel:* &redisson_rwlock:* -@all +@read +@pubsub -publish "
            "-spublish -keys +eval_ro +evalsha_ro +hello +auth +ping +select +client|id +client|setname "
            "+client|tracking +client|no-evict +client|list +info")
            .split(QLatin1Char(' '));
    const bool knowsNoTouch = server.cli({"COMMAND", "INFO", "client|no-touch"}).contains(QLatin1String("no-touch"));
    return knowsNoTouch ? rights + QStringList{"+client|no-touch"} : rights;
}

}  // namespace lockkeeper::test
