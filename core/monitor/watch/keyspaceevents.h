#pragma once

#include "async/taskscope.h"
#include "base/ids.h"
#include "monitor/denials.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// Hears what happens to the keys of given locks where the server publishes it already (notify-keyspace-events, which is
// asked for and never set). Over RESP3, on the connection that looks: an event that comes before a look's answer is
// about what the answer shows. Nothing is said of a flush. A subscription ends with its connection. Thread: the
// connection's, which must outlive it.
class LOCKKEEPER_EXPORT KeyspaceEvents : public QObject {
    Q_OBJECT
public:
    KeyspaceEvents(redis::Connection& connection, Denials& denials);

    // True when the server publishes all that a lock's hash goes through; until then, and once one lock is refused,
    // none is followed.
    [[nodiscard]] Task<bool> areOn();
    void follow(const LockName& name);
    void unfollow(const LockName& name);

Q_SIGNALS:
    void touched(const lockkeeper::LockName& name);
    // Some lock may not be followed. Once a session.
    void refused();

private:
    Task<void> subscribe(QByteArray channel);
    void onStateChanged(redis::Connection::State state);
    void onPush(const redis::RespValue& push);

    redis::Connection& m_connection;
    Denials& m_denials;
    const QByteArray m_channelPrefix;
    bool m_on = false;
    TaskScope m_tasks;
};

}  // namespace lockkeeper::monitor
