#pragma once

#include "async/task.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "monitor/model/listeners.h"
#include "redis/connection.h"

#include <QHash>
#include <QObject>

#include <functional>

namespace lockkeeper::monitor {

// Asks the server who waits for locks: which of their channels have subscribers, and how many (PUBSUB). What is refused
// is noted. Thread: the connection's. Connection and denials must outlive it.
class LOCKKEEPER_MONITOR_EXPORT WaiterCount : public QObject {
    Q_OBJECT
public:
    using IsKnown = std::function<bool(const LockName&)>;

    // isKnown: of names that share a channel, those that are known are meant.
    WaiterCount(redis::Connection& connection, Denials& denials, IsKnown isKnown);

    // Ends when all is counted, the connection is lost, or the token asks.
    [[nodiscard]] Task<void> count(std::stop_token stop);
    // With many channels it is work for the server too: when the next count should be made.
    [[nodiscard]] bool isDue() const { return m_connection.clock().now() >= m_next; }
    // By the last count; empty when that was not to be had.
    [[nodiscard]] const QHash<LockName, Listeners>& waiting() const noexcept { return m_waiting; }

Q_SIGNALS:
    // The server's whole list, and not older than countBegan.
    void counted(const QHash<lockkeeper::LockName, lockkeeper::monitor::Listeners>& waiting,
                 lockkeeper::SteadyTime countBegan);

private:
    using Waiting = QHash<LockName, Listeners>;

    Task<Result<Waiting>> askWhoWaits(std::stop_token stop);
    void add(Waiting& waiting, const QByteArray& channel, int clients) const;
    QList<LockName> locksMeantBy(const QByteArray& channel) const;

    redis::Connection& m_connection;
    Denials& m_denials;
    const IsKnown m_isKnown;
    Waiting m_waiting;
    SteadyTime m_next{};
};

}  // namespace lockkeeper::monitor
