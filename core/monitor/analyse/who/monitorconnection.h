// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connection.h"

#include <QObject>

#include <functional>
#include <stop_token>

namespace lockkeeper::monitor {

// A connection of its own that runs MONITOR, only because a user has asked for it. The user waits for the result, so
// there is only one attempt to connect, and its error is returned. Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT MonitorConnection : public QObject {
public:
    // options: of the session.
    MonitorConnection(redis::ConnectionOptions options, const redis::TransportFactory& makeTransport, Clock& clock);

    [[nodiscard]] redis::Connection& connection() noexcept { return m_connection; }
    [[nodiscard]] Task<Result<Done>> open(std::stop_token stop);
    // Receives each line, from the answer on; and the error if the connection is lost.
    using Line = std::function<void(const QByteArray& line)>;
    using Lost = std::function<void(const Error& error)>;
    // Call these after open(), before MONITOR is sent.
    void listen(Line line, Lost lost);
    // Nothing is received any more.
    void silence() { m_connection.disconnect(this); }
    // Sends MONITOR. Costs the server time until close().
    [[nodiscard]] Task<Result<Done>> begin(std::stop_token stop);
    void close() { m_connection.close(); }

private:
    Clock& m_clock;
    redis::Connection m_connection;
};

}  // namespace lockkeeper::monitor
