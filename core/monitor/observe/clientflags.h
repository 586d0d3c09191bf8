#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// Asks the server, after each handshake, to treat a connection as one that only watches: not to end it when clients
// take too much memory (CLIENT NO-EVICT, Redis 7.0), and not to deem a key used because it is looked at
// (NO-TOUCH, 7.2). Where the server knows no such command nothing is lost that ever was; a refusal is noted. Thread:
// the connection's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT ClientFlags : public QObject {
    Q_OBJECT
public:
    ClientFlags(redis::Connection& connection, Denials& denials);

private:
    void onStateChanged(redis::Connection::State state);
    Task<void> ask(QByteArray flag, QString consequence);

    redis::Connection& m_connection;
    Denials& m_denials;
    TaskScope m_tasks;
};

}  // namespace lockkeeper::monitor
