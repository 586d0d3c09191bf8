#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "monitor/model/locksnapshot.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// Hears what clients publish when they give locks back, on one connection, by two patterns. A subscription ends with
// its connection: subscribe() again after each handshake. Thread: the connection's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT UnlockMessages : public QObject {
    Q_OBJECT
public:
    UnlockMessages(redis::Connection& connection, Denials& denials);

    // Ends when both patterns are answered for, refused ones included; fails only with the connection.
    Completion<Done> subscribe();
    // Since when each message about a lock of this kind has been heard; nothing while they are not.
    [[nodiscard]] std::optional<SteadyTime> hearsSince(LockKind kind) const;

    // Ends when every message that the server sent before this call has been heard; only needed for what was learned on
    // another connection. False when that cannot be known.
    [[nodiscard]] Task<bool> catchUp(std::stop_token stop);

Q_SIGNALS:
    // The locks that the message may be about, the likeliest first; never none.
    void heard(const QList<lockkeeper::LockName>& candidates);

private:
    Task<void> run(Completion<Done> answer);
    Task<Result<Done>> subscribeTo(QByteArray pattern, QString consequence);
    void onPush(const redis::RespValue& push);
    void onStateChanged(redis::Connection::State state);

    redis::Connection& m_connection;
    Denials& m_denials;
    std::optional<SteadyTime> m_plainSince;
    std::optional<SteadyTime> m_readWriteSince;
    TaskScope m_tasks;
};

}  // namespace lockkeeper::monitor
