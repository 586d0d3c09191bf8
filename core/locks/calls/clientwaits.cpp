// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/clientwaits.h"

#include "async/pause.h"
#include "locks/lockclientstate.h"
#include "redis/replyerrors.h"

#include <QPointer>

namespace lockkeeper::locks {

namespace {

// The text also has the last error of the connection, for the log.
Error notConnected(const Error& last) {
    Error error(ErrorCode::ConnectionLost, Cause::NotConnected);
    error.text += QLatin1String(": ") + last.text;
    return error;
}

// For waits that end with the client.
std::function<void()> endOf(const Completion<Done>& wait) {
    return [wait] { wait.complete(Error(ErrorCode::ConnectionLost, Cause::LockClientClosed)); };
}

}  // namespace

Task<Result<Done>> ClientWaits::whenReady(LockClient* client, LockName name, Deadline waitUntil, std::stop_token stop) {
    const Deadline command = Deadline::in(client->clock(), client->options().commandTimeout);
    const Deadline later = waitUntil.time() > command.time() ? waitUntil : command;
    Result<Done> ready = co_await client->connections().whenReady(name.bytes()).wait(later, stop);
    if (!ready && ready.error().code == ErrorCode::Timeout)
        co_return notConnected(client->connections().lastError(name.bytes()));
    co_return ready;
}

Task<Error> ClientWaits::pauseWhileOpen(LockClient* client, Deadline next, std::stop_token stop) {
    const Completion<Done> pause;
    const std::stop_callback onClosed(client->state().scope().stopToken(), endOf(pause));
    const Result<Done> paused = co_await pause.wait(next, stop);
    co_return paused.error();
}

Task<Result<Done>> ClientWaits::whenReported(LockClient* client, std::stop_token stop) {
    const Completion<Done> reported = client->state().whenReported();
    const std::stop_callback onClosed(client->state().scope().stopToken(), endOf(reported));
    co_return co_await reported.wait(Deadline::never(client->clock()), stop);
}

Task<Result<redis::RespValue>> ClientWaits::ask(LockClient* client, LockName name, redis::Command command) {
    constexpr Milliseconds pause{20};
    const Deadline deadline = Deadline::in(client->clock(), client->options().commandTimeout);
    const QPointer<LockClient> alive(client);
    const std::stop_token noStop;
    for (;;) {
        const Completion<redis::RespValue> reply = client->connections().send(name.bytes(), command);
        const Result<redis::RespValue> answer = co_await reply.wait(deadline);
        if (answer || !redis::isRefusedByNode(answer.error()) || deadline.hasPassed() || !alive)
            co_return answer;
        (void)co_await pauseUntil(deadline.earlier(Deadline::in(client->clock(), pause)), noStop);
        if (!alive)
            co_return answer;
    }
}

}  // namespace lockkeeper::locks
