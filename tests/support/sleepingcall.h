// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/lockattempt.h"
#include "locks/lockclient.h"
#include "support/lockkinds.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "topology/shardconnections.h"

// For integration tests: what a client has done by now.
namespace lockkeeper::test {

// Ends a turn of the event loop: commands are written at its end.
inline void endTurn() {
    QCoreApplication::processEvents();
}

namespace detail {
inline Task<bool> ping(redis::Connection* connection) {
    const Completion<redis::RespValue> pong = connection->send(redis::Command("PING"));
    const Result<redis::RespValue> answer = co_await pong.wait(Deadline::in(connection->clock(), Milliseconds(10000)));
    co_return answer.ok();
}
}  // namespace detail

// Waits until the server has answered all commands that were sent on this connection before, and the client has these
// answers; false if it is not connected.
[[nodiscard]] inline bool isAnswered(redis::Connection& connection) {
    return test::waitFor(detail::ping(&connection));
}

// The same for the connection on which this client sends commands about the key.
[[nodiscard]] inline bool isAnswered(locks::LockClient& client, QByteArrayView key = {}) {
    return isAnswered(*client.connections().of(key));
}

// Waits until a call that waits for a lock of this server sleeps, and only a message, a TTL or a further attempt of the
// kinds without messages wakes it. The client has the confirmation of a subscription when it has an answer to a later
// command, and has then sent the attempt that follows the confirmation.
[[nodiscard]] inline bool fallsAsleep(Kind kind, RedisServer& server, locks::LockClient& client,
                                      QByteArrayView key = {}) {
    const bool isListening = kind == Kind::Spin || becomesTrue([&server] { return ServerHand(server).hasWaiters(); });
    return isListening && isAnswered(client, key) && isAnswered(client, key);
}

}  // namespace lockkeeper::test
