// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// Makes the server report each write of a key, known or not: of all keys, or of those whose names begin with one of the
// given prefixes (CLIENT TRACKING BCAST). It has its own connection, because one that broadcasts cannot track single
// keys.
//
// While this program is stopped, the server keeps what it has to report. So that this has a bound, the connection is
// subscribed to a channel, which puts it under the server's output buffer limit for pub/sub; it is not used where that
// limit is none or cannot be read; and it never asks for CLIENT NO-EVICT. At the limit the server ends the connection.
// Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT BroadcastTracking : public QObject {
    Q_OBJECT
public:
    // Why the server does not report.
    enum class Obstacle {
        NoResp3,       // it cannot push
        LimitUnknown,  // it refuses CONFIG GET
        Unlimited,     // it has no output buffer limit for pub/sub
        Refused        // it refuses CLIENT TRACKING, or the subscription
    };
    Q_ENUM(Obstacle)

    // Belongs to no lock. A user with the right to the channels of read/write locks has the right to this one, too.
    static QByteArray ownChannel() { return QByteArrayLiteral("redisson_rwlock:"); }

    // Without prefixes: all keys.
    BroadcastTracking(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport,
                      Clock& clock, const QByteArrayList& prefixes);

    // Connects, and again after a loss, until close() or an obstacle. Does nothing if it is open.
    void open() { m_connection.open(); }
    // Reads the limit again: an operator may have removed it, or the right to read it. Then this is refused, and closed.
    void checkLimit();
    // At once; open() may follow.
    void close() { m_connection.close(); }
    [[nodiscard]] bool isOpen() const noexcept { return m_connection.state() != redis::Connection::State::Closed; }

Q_SIGNALS:
    // From now on each write is reported.
    void began();
    // Writes are not reported any more. It connects again unless it was closed.
    void interrupted();
    // It has been closed because of this.
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
    quint64 m_session = 0;  // number of connections
    bool m_isOn = false;
    bool m_isChecking = false;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

// As the user knows it: the command or the setting.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString nameOf(BroadcastTracking::Obstacle obstacle);

}  // namespace lockkeeper::monitor
