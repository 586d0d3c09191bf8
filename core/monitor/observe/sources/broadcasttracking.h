// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// Makes the server report each write of any key, or of the keys whose names begin with one of the given prefixes
// (CLIENT TRACKING BCAST). It has its own connection, because a connection in this mode cannot track single keys.
//
// While this program is stopped, the server keeps what it has to report. To bound this, the connection subscribes to a
// channel, which puts it under the server's output buffer limit for pub/sub; at the limit the server closes the
// connection. Where this limit is missing or cannot be read, the mode is not used. The connection never asks for CLIENT
// NO-EVICT. Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT BroadcastTracking : public QObject {
    Q_OBJECT
public:
    // Why the server does not report writes.
    enum class Obstacle {
        NoResp3,       // the server cannot push
        LimitUnknown,  // the server refuses CONFIG GET
        Unlimited,     // the server has no output buffer limit for pub/sub
        Refused        // the server refuses CLIENT TRACKING, or the subscription
    };
    Q_ENUM(Obstacle)

    // A channel that belongs to no lock. A user with the right to the channels of read/write locks also has the right
    // to this one.
    static QByteArray ownChannel() { return QByteArrayLiteral("redisson_rwlock:"); }

    // prefixes: empty for all keys.
    BroadcastTracking(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport,
                      Clock& clock, const QByteArrayList& prefixes);

    // Connects, and connects again after a loss, until close() or an obstacle. Does nothing if it is open.
    void open() { m_connection.open(); }
    // Reads the limit again: an operator may have removed the limit, or the right to read it. If so, the connection is
    // closed and refused() is emitted.
    void checkLimit();
    // Closes at once; open() may follow.
    void close() { m_connection.close(); }
    [[nodiscard]] bool isOpen() const noexcept { return m_connection.state() != redis::Connection::State::Closed; }

Q_SIGNALS:
    // From now on each write is reported.
    void began();
    // Writes are not reported any more. It connects again, unless it was closed.
    void interrupted();
    // The connection was closed because of this obstacle.
    void refused(lockkeeper::monitor::BroadcastTracking::Obstacle obstacle);
    void written(const QByteArrayList& keys);

private:
    void onStateChanged(redis::Connection::State state);
    void onPush(const redis::RespValue& push);
    Task<void> begin(quint64 session);
    void refuse(Obstacle obstacle);
    Task<void> check(quint64 session);
    Task<std::optional<Obstacle>> findObstacle();
    Task<std::optional<Obstacle>> obstacleOfLimit();
    Task<bool> isDone(redis::Command command);

    const redis::Command m_command;
    redis::Connection m_connection;
    quint64 m_session = 0;  // number of the present connection
    bool m_isOn = false;
    bool m_isChecking = false;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

// The name that the user knows: the command or the setting.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString nameOf(BroadcastTracking::Obstacle obstacle);

}  // namespace lockkeeper::monitor
