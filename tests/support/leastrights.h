#pragma once

#include <QStringList>

namespace lockkeeper::test {

// For ACL SETUSER: enough to watch. README.md, "Connecting to a server of your own".
inline const QStringList leastRights =
    QStringLiteral(
        "on >pw %R~* resetchannels &redisson_lock__channel:* &redisson_rwlock:* -@all +@read +@pubsub -publish "
        "-spublish -keys +eval_ro +evalsha_ro +hello +auth +ping +select +client|id +client|setname +client|tracking "
        "+client|no-evict")
        .split(QLatin1Char(' '));

}  // namespace lockkeeper::test
