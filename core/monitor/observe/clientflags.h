// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// Marks a connection as one that only watches, after each handshake. The server must not close it when clients use too
// much memory (CLIENT NO-EVICT, Redis 7.0), and its reads must not count as use of a key (CLIENT NO-TOUCH, 7.2). Older
// servers do not know the commands, which does no harm; a refusal is noted. Thread: the connection's, which must
// outlive it.
class LOCKKEEPER_MONITOR_EXPORT ClientFlags : public QObject {
    Q_OBJECT
public:
    ClientFlags(redis::Connection& connection, Denials& denials);

private:
    void onStateChanged(redis::Connection::State state);
    Task<void> ask(QByteArray flag, Consequence consequence);

    redis::Connection& m_connection;
    Denials& m_denials;
    TaskScope m_tasks;
};

}  // namespace lockkeeper::monitor
