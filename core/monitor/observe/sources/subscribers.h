#pragma once

#include "async/task.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connection.h"

#include <QHash>

namespace lockkeeper::monitor {

// Who is subscribed to a server's channels, by PUBSUB. Both fail with the connection, when the token asks, and when the
// server refuses. The connection must outlive the task.

// The channels of these patterns that somebody is subscribed to.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<QByteArrayList>> subscribedChannels(redis::Connection* connection,
                                                                                QByteArrayList patterns,
                                                                                std::stop_token stop);

// How many are subscribed to each of these channels; none to one that they have left meanwhile.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<QHash<QByteArray, int>>> countSubscribers(redis::Connection* connection,
                                                                                      QByteArrayList channels,
                                                                                      std::stop_token stop);

// With many channels such a question is work for the server: so many times as long as it took is left between two.
constexpr int restPerCount = 20;

}  // namespace lockkeeper::monitor
