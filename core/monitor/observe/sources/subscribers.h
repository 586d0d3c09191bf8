// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connection.h"

#include <QHash>

namespace lockkeeper::monitor {

// The subscribers of a server's channels, by PUBSUB. Both functions fail with the connection, when `stop` is requested,
// and when the server refuses. The connection must outlive the task.

// Sharded channels exist in a Cluster of Redis 7 or newer.
enum class ChannelKind { Plain, Sharded };

// The channels that match the patterns and have a subscriber on this node.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<QByteArrayList>> subscribedChannels(
    redis::Connection* connection, QByteArrayList patterns, std::stop_token stop,
    ChannelKind kind = ChannelKind::Plain);

// The number of subscribers of each channel; 0 if they have left meanwhile. Asked in parts with pauses: 5 ms for each
// hundred channels.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<QHash<QByteArray, int>>> countSubscribers(
    redis::Connection* connection, QByteArrayList channels, std::stop_token stop,
    ChannelKind kind = ChannelKind::Plain);

// To list many channels is much work for the server. The pause after it is this many times its duration.
constexpr int restPerCount = 20;

}  // namespace lockkeeper::monitor
