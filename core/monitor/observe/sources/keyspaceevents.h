// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// The server's setting notify-keyspace-events ("Kghx"; empty: it publishes nothing). It is read, never set. Fails with
// the connection, when `stop` is requested, and when the server refuses. The connection must outlive the task.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Task<Result<QByteArray>> notifyFlags(redis::Connection* connection,
                                                                             std::stop_token stop);

// Receives the events of the keys of given locks and of the queues of fair locks, if the server already publishes them
// (notify-keyspace-events; this is read, never set). If events and reads use the same connection, the answer of a read
// shows the changes of all events before it. A flush causes no event. A subscription ends with its connection. Thread:
// the connections', which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT KeyspaceEvents : public QObject {
    Q_OBJECT
public:
    // listener: the same connection; over RESP2 one that is only used for subscriptions.
    KeyspaceEvents(redis::Connection& connection, redis::Connection& listener, Denials& denials);

    // Whether the server publishes every event of a lock's hash. No lock is followed before this is known, and after
    // the subscription to a lock was refused. Also false when `stop` is requested.
    [[nodiscard]] Task<bool> areOn(std::stop_token stop);
    void follow(const LockName& name);
    void unfollow(const LockName& name);
    // Whether the server publishes events of lists, and this user may subscribe to them.
    [[nodiscard]] bool noticesFairQueues() const noexcept { return m_noticesFairQueues; }

Q_SIGNALS:
    // An event of the hash of a followed lock.
    void touched(const lockkeeper::LockName& name);
    // An event of the queue of any fair lock.
    void queueTouched(const lockkeeper::LockName& name);
    // The server refused the subscription to a lock. Emitted once a session.
    void refused();
    // The listener has reconnected: no lock is followed any more.
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
    bool m_noticesFairQueues = false;
    TaskScope m_tasks;
};

}  // namespace lockkeeper::monitor
