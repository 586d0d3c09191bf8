// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/shardedmessages.h"

#include "locks/lockkeys.h"
#include "redis/replyerrors.h"

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

namespace {

constexpr int firstVersion = 7;

QByteArray channelOf(const LockSnapshot& lock) {
    return lock.kind == LockKind::ReadWrite ? locks::LockKeys(lock.name).rwChannel : locks::unlockChannel(lock.name);
}

}  // namespace

bool mayPublishByShard(const NodeScope& scope, const redis::ServerInfo& server) {
    const bool isOlder = !server.version.isEmpty() && server.version.split('.').first().toInt() < firstVersion;
    return scope.isInCluster() && !isOlder;
}

ShardedMessages::ShardedMessages(redis::Connection& connection, Denials& denials, const NodeScope& scope,
                                 qsizetype bound)
    : m_connection(connection), m_denials(denials), m_scope(scope), m_bound(bound) {
    connect(&connection, &redis::Connection::pushReceived, this, &ShardedMessages::onPush);
    connect(&connection, &redis::Connection::stateChanged, this, &ShardedMessages::onStateChanged);
}

void ShardedMessages::follow(const LockSnapshot& lock) {
    if (!m_connection.isReady() || m_isRefused || !areNeeded())
        return;
    const QByteArray channel = channelOf(lock);
    if (m_channels.contains(channel))
        return noteHeld(channel, lock.isHeld());
    if (m_channels.size() >= m_bound && !(lock.isHeld() && makeRoom()))
        return;
    m_channels.insert(channel, {});
    noteHeld(channel, lock.isHeld());
    m_tasks.spawn(subscribe(channel));
}

void ShardedMessages::unfollow(const LockName& name) {
    const locks::LockKeys keys(name);
    for (const QByteArray& channel : {keys.channel, keys.rwChannel}) {
        if (!m_scope.keeps(name))
            m_channels.remove(channel);  // the server ends it by itself
        else if (m_channels.contains(channel))
            end(channel);
    }
}

void ShardedMessages::noteHeld(const QByteArray& channel, bool isHeld) {
    Channel& followed = m_channels[channel];
    followed.isHeld = isHeld;
    if (!isHeld && !std::exchange(followed.isListed, true))
        m_free.push_back(channel);
}

bool ShardedMessages::makeRoom() {
    while (!m_free.empty()) {
        const QByteArray channel = std::move(m_free.front());
        m_free.pop_front();
        const auto followed = m_channels.find(channel);
        if (followed == m_channels.end())
            continue;
        followed->isListed = false;
        if (followed->isHeld)
            continue;
        end(channel);
        return true;
    }
    return false;
}

void ShardedMessages::end(const QByteArray& channel) {
    m_channels.remove(channel);
    if (m_connection.isReady())
        m_connection.send(Command("SUNSUBSCRIBE", {channel}));
}

// One command for each channel: the server refuses channels of different slots in one.
Task<void> ShardedMessages::subscribe(QByteArray channel) {
    const Completion<RespValue> answer = m_connection.send(Command("SSUBSCRIBE", {channel}));
    const Result<RespValue> reply = co_await answer.wait(Deadline::never(m_connection.clock()), m_tasks.stopToken());
    const auto followed = m_channels.find(channel);
    if (followed == m_channels.end() || m_tasks.stopToken().stop_requested())
        co_return;
    if (reply) {
        followed->since = m_connection.clock().now();
        co_return;
    }
    m_channels.erase(followed);
    if (redis::isRefusedByNode(reply.error()))
        m_scope.noteMovedKeys();
    if (!redis::isRefusal(reply.error()))
        co_return;
    m_isRefused = true;
    m_denials.note(QStringLiteral("SSUBSCRIBE"), Consequence::ReleasesUnknown);
}

// A fair lock's release may go to the channel of one waiter only.
std::optional<SteadyTime> ShardedMessages::receivesSince(const LockSnapshot& lock) const {
    const auto followed = m_channels.constFind(channelOf(lock));
    return followed == m_channels.constEnd() || lock.kind == LockKind::Fair ? std::nullopt : followed->since;
}

ShardedMessages::Counted ShardedMessages::isCounted(const QByteArray& channel, SteadyTime asked) const {
    const auto followed = m_channels.constFind(channel);
    if (followed == m_channels.constEnd())
        return Counted::No;
    return followed->since && *followed->since < asked ? Counted::Yes : Counted::Unclear;
}

void ShardedMessages::onPush(const RespValue& push) {
    const QByteArray kind = push.items.empty() ? QByteArray() : push.items.front().bytes;
    const size_t channelAt = kind == "pmessage" ? 2 : 1;
    const QByteArray channel = push.items.size() > channelAt ? push.items[channelAt].bytes : QByteArray();
    noteMessage(kind, channel);
    const bool isOwn = m_channels.contains(channel);
    if (kind == "smessage" && isOwn && !m_isRepetition)
        Q_EMIT received(locks::locksOfChannel(channel));
    if (kind != "sunsubscribe" || !isOwn)
        return;
    m_channels.remove(channel);
    m_scope.noteMovedKeys();
    Q_EMIT movedAway(locks::locksOfChannel(channel));
}

void ShardedMessages::noteMessage(const QByteArray& kind, const QByteArray& channel) {
    const bool isMessage = kind == "smessage" || kind == "pmessage";
    m_isRepetition = isMessage && channel == m_lastChannel && kind != m_lastKind && !m_lastKind.isEmpty();
    const bool mayBeRepeated = isMessage && !m_isRepetition;
    m_lastKind = mayBeRepeated ? kind : QByteArray();
    m_lastChannel = mayBeRepeated ? channel : QByteArray();
}

void ShardedMessages::onStateChanged(redis::Connection::State state) {
    if (state == redis::Connection::State::Ready)
        return;
    m_channels.clear();
    m_free.clear();
    m_isRefused = false;
    m_lastKind.clear();
    m_lastChannel.clear();
}

}  // namespace lockkeeper::monitor

#include "moc_shardedmessages.cpp"
