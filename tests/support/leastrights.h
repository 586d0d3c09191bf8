#pragma once

#include "support/redisserver.h"

namespace lockkeeper::test {

// For ACL SETUSER: the rights that watching needs, as the manual lists them, plus those that exist only since Redis 7.2
// (an older server refuses a rule about an unknown command).
inline QStringList leastRights(RedisServer& server) {
    const QStringList rights =
        QStringLiteral(
            "on >pw %R~* resetchannels &redisson_lock__channel:* &redisson_rwlock:* -@all +@read +@pubsub -publish "
            "-spublish -keys +eval_ro +evalsha_ro +hello +auth +ping +select +client|id +client|setname "
            "+client|tracking +client|no-evict")
            .split(QLatin1Char(' '));
    const bool knowsNoTouch = server.cli({"COMMAND", "INFO", "client|no-touch"}).contains(QLatin1String("no-touch"));
    return knowsNoTouch ? rights + QStringList{"+client|no-touch"} : rights;
}

}  // namespace lockkeeper::test
