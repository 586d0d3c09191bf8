#pragma once

#include "async/task.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// What the server publishes of its keys by itself, as notify-keyspace-events has it ("Kghx"; empty: nothing). Asked
// for, and never set. Fails with the connection, when the token asks, and when the server refuses. The connection must
// outlive the task.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<QByteArray>> notifyFlags(redis::Connection* connection,
                                                                     std::stop_token stop);

}  // namespace lockkeeper::monitor
