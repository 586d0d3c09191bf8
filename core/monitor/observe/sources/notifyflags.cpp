// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/notifyflags.h"

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

Task<Result<QByteArray>> notifyFlags(redis::Connection* connection, std::stop_token stop) {
    const Completion<RespValue> answer = connection->send(Command("CONFIG", {"GET", "notify-keyspace-events"}));
    const Result<RespValue> reply = co_await answer.wait(Deadline::never(connection->clock()), std::move(stop));
    if (!reply)
        co_return reply.error();
    co_return reply->items.size() == 2 ? reply->items[1].bytes : QByteArray();
}

}  // namespace lockkeeper::monitor
