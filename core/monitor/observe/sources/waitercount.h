#pragma once

#include "async/task.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "monitor/model/knownlocks.h"
#include "monitor/model/listeners.h"
#include "redis/connection.h"

#include <QHash>
#include <QObject>

#include <functional>

namespace lockkeeper::monitor {

// Reads from the server which channels of locks have subscribers, and how many (PUBSUB). A refusal is noted. Thread:
// the connection's. Connection and denials must outlive it.
class LOCKKEEPER_MONITOR_EXPORT WaiterCount : public QObject {
    Q_OBJECT
public:
    // known: if several names share a channel, the known ones are counted.
    WaiterCount(redis::Connection& connection, Denials& denials, const KnownLocks& known);

    // Completes when all is counted, the connection is lost, or `stop` is requested.
    [[nodiscard]] Task<void> count(std::stop_token stop);
    // With many channels a count is work for the server: true once the next one may be made.
    [[nodiscard]] bool isDue() const { return m_connection.clock().now() >= m_next; }
    // By the last count; empty if it failed.
    [[nodiscard]] const QHash<LockName, Listeners>& waiting() const noexcept { return m_waiting; }

Q_SIGNALS:
    // The server's whole list, read after countBegan.
    void counted(const QHash<lockkeeper::LockName, lockkeeper::monitor::Listeners>& waiting,
                 lockkeeper::SteadyTime countBegan);

private:
    using Waiting = QHash<LockName, Listeners>;

    Task<Result<Waiting>> askWhoWaits(std::stop_token stop);
    void add(Waiting& waiting, const QByteArray& channel, int clients) const;
    QList<LockName> locksMeantBy(const QByteArray& channel) const;

    redis::Connection& m_connection;
    Denials& m_denials;
    const KnownLocks& m_known;
    Waiting m_waiting;
    SteadyTime m_next{};
};

}  // namespace lockkeeper::monitor
