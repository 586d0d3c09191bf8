// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// The server's setting notify-keyspace-events ("Kghx"; empty: it publishes nothing). It is read, never set. Fails with
// the connection, when `stop` is requested, and when the server refuses. The connection must outlive the task.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<QByteArray>> notifyFlags(redis::Connection* connection,
                                                                     std::stop_token stop);

}  // namespace lockkeeper::monitor
