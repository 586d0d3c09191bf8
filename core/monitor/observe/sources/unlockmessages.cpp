// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/unlockmessages.h"

#include "locks/lockkeys.h"

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

UnlockMessages::UnlockMessages(redis::Connection& connection, Denials& denials)
    : m_connection(connection), m_denials(denials) {
    connect(&connection, &redis::Connection::pushReceived, this, &UnlockMessages::onPush);
    connect(&connection, &redis::Connection::stateChanged, this, &UnlockMessages::onStateChanged);
}

Completion<Done> UnlockMessages::subscribe() {
    Completion<Done> answer;
    m_tasks.spawn(run(answer));
    return answer;
}

Task<void> UnlockMessages::run(Completion<Done> answer) {
    const QByteArray plainPattern = QByteArrayLiteral("redisson_lock__channel:*");
    const QByteArray readWritePattern = QByteArrayLiteral("redisson_rwlock:*");
    const Result<Done> plain = co_await subscribeTo(plainPattern, Consequence::ReleasesUnknown);
    if (plain)
        m_plainSince = m_connection.clock().now();
    const Result<Done> readWrite = co_await subscribeTo(readWritePattern, Consequence::ReadWriteReleasesUnknown);
    if (readWrite)
        m_readWriteSince = m_connection.clock().now();
    const bool ended = !m_connection.isReady() || m_tasks.stopToken().stop_requested();
    answer.complete(ended ? Result<Done>(Error(ErrorCode::ConnectionLost, Cause::NotConnected)) : Result<Done>(Done()));
}

Task<Result<Done>> UnlockMessages::subscribeTo(QByteArray pattern, Consequence consequence) {
    const Completion<RespValue> answer = m_connection.send(Command("PSUBSCRIBE", {pattern}));
    const Result<RespValue> reply = co_await answer.wait(Deadline::never(m_connection.clock()), m_tasks.stopToken());
    if (reply)
        co_return Done();
    const bool refused = reply.error().code == ErrorCode::NotPermitted || reply.error().code == ErrorCode::ServerReply;
    if (refused)
        m_denials.note(QStringLiteral("PSUBSCRIBE ") + QString::fromLatin1(pattern), consequence);
    co_return reply.error();
}

std::optional<SteadyTime> UnlockMessages::receivesSince(LockKind kind) const {
    return kind == LockKind::ReadWrite ? m_readWriteSince : m_plainSince;
}

Task<bool> UnlockMessages::catchUp(std::stop_token stop) {
    if (!m_connection.isReady())
        co_return false;
    const Completion<RespValue> answer = m_connection.send(Command("PING"));
    const Result<RespValue> reply = co_await answer.wait(Deadline::never(m_connection.clock()), stop);
    co_return reply.ok();
}

void UnlockMessages::onPush(const RespValue& push) {
    constexpr size_t channelOfMessage = 2;  // pmessage, pattern, channel, text
    constexpr size_t textOfMessage = 3;
    if (push.items.size() <= textOfMessage || push.items.front().bytes != "pmessage")
        return;
    const QByteArray& channel = push.items[channelOfMessage].bytes;
    const QList<LockName> candidates = locks::locksOfChannel(channel);
    if (!candidates.isEmpty() && locks::announcesRelease(channel, push.items[textOfMessage].bytes))
        Q_EMIT received(candidates);
}

void UnlockMessages::onStateChanged(redis::Connection::State state) {
    if (state == redis::Connection::State::Ready)
        return;
    m_plainSince.reset();
    m_readWriteSince.reset();
}

}  // namespace lockkeeper::monitor

#include "moc_unlockmessages.cpp"
