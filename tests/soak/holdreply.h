// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/command.h"
#include "redis/respvalue.h"
#include "soak/clientlog.h"

#include <QList>

namespace lockkeeper::soak {

// Reads who holds these locks, all at the same moment.
inline redis::Command readCommand(const QList<LockName>& names) {
    QByteArrayList parts{
        "local all = {} for i, key in ipairs(KEYS) do local fields = redis.call('hgetall', key) "
        "all[i] = #fields > 0 and {fields[1], fields[2], redis.call('pttl', key)} or {} end return all",
        QByteArray::number(names.size())};
    for (const LockName& name : names)
        parts += name.bytes();
    return redis::Command("EVAL", parts);
}

// The hold of one lock in the answer, with the rest of its lease; nothing for a free lock.
inline std::optional<std::pair<Hold, Milliseconds>> holdIn(const redis::RespValue& reply) {
    if (reply.items.size() < 3)
        return std::nullopt;
    const std::optional<HolderId> holder = HolderId::parse(reply.items[0].bytes);
    return std::pair(Hold{holder.value_or(HolderId()), reply.items[1].bytes.toLongLong()},
                     Milliseconds(reply.items[2].integer));
}

}  // namespace lockkeeper::soak
