// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/shardedmessages.h"

#include "locks/lockkeys.h"
#include "redis/replyerrors.h"

#include <QPointer>

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

namespace {

constexpr int firstVersion = 7;

QByteArray channelOf(const LockName& name, LockKind kind) {
    const locks::LockKeys keys(name);
    return kind == LockKind::ReadWrite ? keys.rwChannel() : keys.channel();
}

}  // namespace

bool mayPublishByShard(const NodeScope& scope, const redis::ServerInfo& server) {
    if (!scope.isInCluster())
        return false;
    const qsizetype point = server.version.indexOf('.');
    const QByteArrayView major = point < 0 ? server.version : QByteArrayView(server.version).first(point);
    return server.version.isEmpty() || major.toInt() >= firstVersion;
}

ShardedMessages::ShardedMessages(redis::Connection& connection, Denials& denials, const NodeScope& scope,
                                 qsizetype bound)
    : m_connection(connection), m_denials(denials), m_scope(scope), m_bound(bound) {
    connect(&connection, &redis::Connection::pushReceived, this, &ShardedMessages::onPush);
    connect(&connection, &redis::Connection::stateChanged, this, &ShardedMessages::onStateChanged);
}

void ShardedMessages::follow(const LockName& name, const LastRead& lock, Demand demand) {
    if (!m_connection.isReady() || m_isRefused || !areNeeded())
        return;
    const QByteArray channel = channelOf(name, lock.kind);
    const Precedence unwaited = lock.isHeld() ? Precedence::Held : Precedence::Free;
    const Precedence precedence = demand == Demand::WaitedFor ? Precedence::WaitedFor : unwaited;
    const bool isNew = !m_channels.contains(channel);
    if (isNew && m_channels.size() >= m_bound && !makeRoom(precedence))
        return;
    add(channel, precedence);
    if (isNew)
        m_tasks.spawn(subscribe(channel));
}

void ShardedMessages::unfollow(const LockName& name) {
    const locks::LockKeys keys(name);
    for (const QByteArray& channel : {keys.channel(), keys.rwChannel()}) {
        if (!m_channels.contains(channel))
            continue;
        if (m_scope.keeps(name))
            end(channel);
        else
            unsubscribe(channel);  // the server itself ends such a subscription
    }
}

void ShardedMessages::add(const QByteArray& channel, Precedence precedence) {
    Channel& followed = m_channels[channel];
    if (followed.place > 0 && followed.precedence == precedence)
        return;
    placesOf(followed.precedence).erase(followed.place);
    followed.precedence = precedence;
    followed.place = ++m_lastPlace;
    placesOf(precedence)[followed.place] = channel;
}

void ShardedMessages::remove(const QByteArray& channel) {
    const Channel followed = m_channels.take(channel);
    placesOf(followed.precedence).erase(followed.place);
}

bool ShardedMessages::makeRoom(Precedence wanted) {
    for (const Precedence lower : {Precedence::Free, Precedence::Held}) {
        if (lower >= wanted || placesOf(lower).empty())
            continue;
        const QByteArray longest = placesOf(lower).begin()->second;
        end(longest);
        return true;
    }
    return false;
}

void ShardedMessages::unsubscribe(const QByteArray& channel) {
    remove(channel);
    if (m_connection.isReady())
        m_leaving.insert(channel);
}

void ShardedMessages::end(const QByteArray& channel) {
    unsubscribe(channel);
    if (!m_connection.isReady())
        return;
    m_connection.send(Command("SUNSUBSCRIBE", {channel}))
        .then([alive = QPointer(this), channel](const Result<RespValue>&) {
            if (alive)
                alive->m_leaving.remove(channel);
        });
}

// One command for each channel: the server refuses channels of different slots in one command.
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
    remove(channel);
    if (redis::isRefusedByNode(reply.error()))
        m_scope.noteMovedKeys();
    if (!redis::isRefusal(reply.error()))
        co_return;
    m_isRefused = true;
    m_denials.note(QStringLiteral("SSUBSCRIBE"), Consequence::ReleasesUnknown);
}

// A fair lock's release may go to the channel of one waiter only.
std::optional<SteadyTime> ShardedMessages::receivesSince(const LockName& name, const LastRead& lock) const {
    const auto followed = m_channels.constFind(channelOf(name, lock.kind));
    return followed == m_channels.constEnd() || lock.kind == LockKind::Fair ? std::nullopt : followed->since;
}

ShardedMessages::Counted ShardedMessages::isCounted(const QByteArray& channel) const {
    if (m_leaving.contains(channel))
        return Counted::Unclear;
    const auto followed = m_channels.constFind(channel);
    if (followed == m_channels.constEnd())
        return Counted::No;
    return followed->since ? Counted::Yes : Counted::Unclear;
}

void ShardedMessages::onPush(const RespValue& push) {
    const QByteArray kind = push.items.empty() ? QByteArray() : push.items.front().bytes;
    const size_t channelAt = kind == "pmessage" ? 2 : 1;
    const QByteArray channel = push.items.size() > channelAt ? push.items[channelAt].bytes : QByteArray();
    noteMessage(kind, channel);
    const bool isOwn = m_channels.contains(channel);
    const bool isRelease =
        push.items.size() > channelAt + 1 && locks::announcesRelease(channel, push.items[channelAt + 1].bytes);
    if (kind == "smessage" && isOwn && isRelease && !m_isRepetition)
        Q_EMIT received(locks::locksOfChannel(channel));
    if (kind != "sunsubscribe")
        return;
    m_leaving.remove(channel);
    if (!isOwn)
        return;
    remove(channel);
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
    m_leaving.clear();
    m_places = {};
    m_isRefused = false;
    m_lastKind.clear();
    m_lastChannel.clear();
}

}  // namespace lockkeeper::monitor

#include "moc_shardedmessages.cpp"
