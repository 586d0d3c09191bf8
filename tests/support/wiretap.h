// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connection.h"
#include "redis/sockettransport.h"
#include "support/redisserver.h"
#include "support/taskwait.h"

#include <QObject>

namespace lockkeeper::test {

// Receives every message on every channel of a server, as an independent subscribed client.
class Wiretap : public QObject {
public:
    Wiretap(const RedisServer& server, Clock& clock)
        : m_connection(
              server.options(), [endpoint = server.options().endpoint] { return redis::makeSocketTransport(endpoint); },
              clock) {
        connect(&m_connection, &redis::Connection::pushReceived, this, [this](const redis::RespValue& push) {
            if (push.items.size() == 4 && push.items[0].bytes == "pmessage")
                m_messages += QString::fromUtf8(push.items[2].bytes + ' ' + push.items[3].bytes);
        });
        m_connection.open();
        [this] { QTRY_VERIFY(m_connection.isReady()); }();
        ask(redis::Command("PSUBSCRIBE", {"*"}));
    }

    // "CHANNEL MESSAGE" for each one published since the last call.
    [[nodiscard]] QStringList takeMessages() {
        ask(redis::Command("PING"));  // every message published before arrives before its answer
        return std::exchange(m_messages, {});
    }

private:
    static Task<bool> answer(redis::Connection* connection, redis::Command command) {
        const Completion<redis::RespValue> reply = connection->send(command);
        const Result<redis::RespValue> answered = co_await reply.wait(Deadline::never(connection->clock()));
        co_return answered.ok();
    }
    void ask(const redis::Command& command) {
        if (!test::waitFor(answer(&m_connection, command)))
            qFatal("the server does not answer %s", command.name().constData());
    }

    redis::Connection m_connection;
    QStringList m_messages;
};

}  // namespace lockkeeper::test
