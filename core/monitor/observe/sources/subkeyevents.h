#pragma once

#include "async/taskscope.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// Hears under which names clients write holders of locks, where the server publishes it already (Redis 8.8,
// notify-keyspace-events with I and h, which is asked for and never set): a channel of its own for each key and field,
// so that the server itself passes on only the fields that look like a holder. A subscription ends with its connection
// and is made anew with the next one. Over RESP3 only. Thread: the connection's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT SubkeyEvents : public QObject {
    Q_OBJECT
public:
    SubkeyEvents(redis::Connection& connection, Denials& denials);

    [[nodiscard]] bool areHeard() const noexcept { return m_heard; }
    void stop() { m_tasks.stop(); }

Q_SIGNALS:
    // Something that looks like a holder was written or taken away under this name.
    void touched(const lockkeeper::LockName& name);
    // areHeard() has become true.
    void began();

private:
    void onStateChanged(redis::Connection::State state);
    Task<void> begin();
    void onPush(const redis::RespValue& push);

    redis::Connection& m_connection;
    Denials& m_denials;
    const QByteArray m_channelPrefix;
    bool m_heard = false;
    TaskScope m_tasks;
};

}  // namespace lockkeeper::monitor
