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

// What a Cluster adds to it (resources/manual/connecting.md, "A Cluster").
inline QStringList rightsInACluster() {
    return {"+role", "+cluster|shards", "+cluster|slots", "+cluster|info"};
}

// What locks add to it ("Rights"), and in a Cluster while slots move.
inline QStringList rightsToLock() {
    return QStringLiteral(
               "%RW~* +publish +spublish +eval +evalsha +@hash +@list +@sortedset +set +incr +del +pexpire +time +info "
               "+wait +client|caching +client|list +client|kill")
        .split(QLatin1Char(' '));
}
inline QStringList rightsToLockWhileSlotsMove() {
    return {"+asking"};
}

// Of the Sentinels' own user ("Behind Sentinel").
inline QStringList rightsAtSentinel() {
    return QStringLiteral(
               "on >pw resetchannels -@all +hello +ping +subscribe &+switch-master +sentinel|get-master-addr-by-name")
        .split(QLatin1Char(' '));
}

}  // namespace lockkeeper::test
