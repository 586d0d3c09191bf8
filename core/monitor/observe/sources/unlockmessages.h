// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "monitor/model/locksnapshot.h"
#include "redis/connection.h"

namespace lockkeeper::monitor {

// Receives the messages that clients publish when they release locks, on one connection, by two patterns. A
// subscription ends with its connection: call subscribe() after each handshake. Thread: the connection's, which must
// outlive it.
class LOCKKEEPER_MONITOR_EXPORT UnlockMessages : public QObject {
    Q_OBJECT
public:
    UnlockMessages(redis::Connection& connection, Denials& denials);

    // Completes when both patterns are answered, also by a refusal; fails only with the connection.
    Completion<Done> subscribe();
    // The time since which every message about a lock of this kind has been received; nothing while messages may be
    // missing.
    [[nodiscard]] std::optional<SteadyTime> receivesSince(LockKind kind) const;

    // Completes when every message that the server sent before this call has been received; only needed for a change
    // that was seen on another connection. False if this cannot be known.
    [[nodiscard]] Task<bool> catchUp(std::stop_token stop);

Q_SIGNALS:
    // The locks that the message may be about, the likeliest first; never empty.
    void received(const QList<lockkeeper::LockName>& candidates);

private:
    Task<void> run(Completion<Done> answer);
    Task<Result<Done>> subscribeTo(QByteArray pattern, Consequence consequence);
    void onPush(const redis::RespValue& push);
    void onStateChanged(redis::Connection::State state);

    redis::Connection& m_connection;
    Denials& m_denials;
    std::optional<SteadyTime> m_plainSince;
    std::optional<SteadyTime> m_readWriteSince;
    TaskScope m_tasks;
};

}  // namespace lockkeeper::monitor
