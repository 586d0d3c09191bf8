// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"
#include "redis/command.h"
#include "redis/respvalue.h"

namespace lockkeeper::redis {

// Separates pushes from replies on one connection. RESP3 marks pushes. In RESP2 a pub/sub message is an array, and a
// line of MONITOR is a status reply.
class LOCKKEEPER_EXPORT PushFilter {
public:
    // The confirmation that answers a command which changes a subscription, e.g. "ssubscribe CHANNEL"; empty for other
    // commands.
    [[nodiscard]] static QByteArray confirmationOf(const Command& command, Effect effect);

    void noteSent(const Command& command, Effect effect);
    // Call with the answer to a sent command, unless it is an error. protocol: 2 or 3.
    void noteAnswered(Effect effect, const RespValue& reply, int protocol);

    // Whether the connection has sent SUBSCRIBE, CLIENT TRACKING, MONITOR or a similar command: only then does a server
    // push.
    [[nodiscard]] bool expectsPushes() const noexcept { return m_expectsPushes; }
    // awaited: the confirmation that the oldest unanswered command waits for.
    [[nodiscard]] bool isPush(const RespValue& message, const QByteArray& awaited) const;

private:
    bool m_expectsPushes = false;
    bool m_monitoring = false;
    // RESP2 only: while there are subscriptions, an array in the form of a pub/sub message is a push. The server counts
    // subscriptions to shard channels separately.
    bool m_hasSubscriptions = false;
    bool m_hasShardSubscriptions = false;
};

}  // namespace lockkeeper::redis
