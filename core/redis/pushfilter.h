// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"
#include "redis/command.h"
#include "redis/respvalue.h"

namespace lockkeeper::redis {

// Which of the messages on one connection are pushes, and which are replies. Over RESP3 the server marks pushes; over
// RESP2 messages have the form of an array, and lines of MONITOR that of a status reply.
class LOCKKEEPER_EXPORT PushFilter {
public:
    // What the answer to a command that changes a subscription names, e.g. "ssubscribe CHANNEL"; empty for others.
    [[nodiscard]] static QByteArray confirmationOf(const Command& command, Effect effect);

    void noteSent(const Command& command, Effect effect);
    // The answer to such a command, which was no error. protocol: 2 or 3.
    void noteAnswered(Effect effect, const RespValue& reply, int protocol);

    // Whether it has sent SUBSCRIBE, CLIENT TRACKING, MONITOR or such: only then a server pushes.
    [[nodiscard]] bool expectsPushes() const noexcept { return m_expectsPushes; }
    // awaited: the confirmation that the oldest unanswered command waits for.
    [[nodiscard]] bool isPush(const RespValue& message, const QByteArray& awaited) const;

private:
    bool m_expectsPushes = false;
    bool m_monitoring = false;
    // RESP2 only: while there are subscriptions, arrays that have the form of messages are messages. The server counts
    // those to channels of shards apart from the others.
    bool m_hasSubscriptions = false;
    bool m_hasShardSubscriptions = false;
};

}  // namespace lockkeeper::redis
