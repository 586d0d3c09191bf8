#pragma once

#include "async/taskscope.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// Hears what happens to the keys of given locks, and to the queues of fair locks, where the server publishes it already
// (notify-keyspace-events, which is asked for and never set). On the connection that looks, an event that comes before
// a look's answer is about what the answer shows. Nothing is said of a flush. A subscription ends with its connection.
// Thread: the connections', which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT KeyspaceEvents : public QObject {
    Q_OBJECT
public:
    // listener: the same connection, or over RESP2 one that takes subscriptions only.
    KeyspaceEvents(redis::Connection& connection, redis::Connection& listener, Denials& denials);

    // True when the server publishes all that a lock's hash goes through; until then, and once one lock is refused,
    // none is followed. False too when the token asks.
    [[nodiscard]] Task<bool> areOn(std::stop_token stop);
    void follow(const LockName& name);
    void unfollow(const LockName& name);
    // The server publishes what happens to lists, and lets us hear it.
    [[nodiscard]] bool hearsFairQueues() const noexcept { return m_hearsFairQueues; }

Q_SIGNALS:
    // The hash of a followed lock.
    void touched(const lockkeeper::LockName& name);
    // The queue of any fair lock.
    void queueTouched(const lockkeeper::LockName& name);
    // Some lock may not be followed. Once a session.
    void refused();
    // The listener is there, anew: nothing is followed any more.
    void interrupted();

private:
    [[nodiscard]] bool isApart() const { return &m_listener != &m_connection; }
    Task<void> subscribe(QByteArray channel);
    Task<void> subscribeToFairQueues();
    void onStateChanged(redis::Connection::State state);
    void onListenerStateChanged(redis::Connection::State state);
    void onPush(const redis::RespValue& push);

    redis::Connection& m_connection;
    redis::Connection& m_listener;
    Denials& m_denials;
    const QByteArray m_channelPrefix;
    bool m_on = false;
    bool m_listsAreOn = false;
    bool m_hearsFairQueues = false;
    TaskScope m_tasks;
};

}  // namespace lockkeeper::monitor
