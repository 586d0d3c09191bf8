// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// Receives the names under which clients write holders of locks, if the server already publishes that (Redis 8.8,
// notify-keyspace-events with I and h; this is read, never set). Each key and field has its own channel, so the server
// sends only fields that may be a holder. A subscription ends with its connection, and is made again on the next one.
// Only over RESP3. Thread: the connection's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT SubkeyEvents : public QObject {
    Q_OBJECT
public:
    SubkeyEvents(redis::Connection& connection, Denials& denials);

    [[nodiscard]] bool areReceived() const noexcept { return m_areReceived; }
    void stop() { m_tasks.stop(); }

Q_SIGNALS:
    // A field that may be a holder was written or deleted under this name.
    void touched(const lockkeeper::LockName& name);
    // areReceived() has become true.
    void began();

private:
    void onStateChanged(redis::Connection::State state);
    Task<void> begin();
    void onPush(const redis::RespValue& push);

    redis::Connection& m_connection;
    Denials& m_denials;
    const QByteArray m_channelPrefix;
    bool m_areReceived = false;
    TaskScope m_tasks;
};

}  // namespace lockkeeper::monitor
