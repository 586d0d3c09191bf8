// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/broadcasttracking.h"

#include "redis/replyerrors.h"

#include <algorithm>

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

namespace {

// The server refuses a prefix that begins with another one of the list.
QByteArrayList withoutOverlaps(QByteArrayList prefixes) {
    std::sort(prefixes.begin(), prefixes.end());
    QByteArrayList distinct;
    for (const QByteArray& prefix : std::as_const(prefixes)) {
        if (distinct.isEmpty() || !prefix.startsWith(distinct.last()))
            distinct += prefix;
    }
    return distinct;
}

Command trackingCommand(const QByteArrayList& prefixes) {
    Command command("CLIENT", {"TRACKING", "ON", "BCAST"});
    for (const QByteArray& prefix : withoutOverlaps(prefixes))
        command.arg("PREFIX").arg(prefix);
    return command;
}

// The answer is "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60". For each class of clients it
// names the bytes at which the server ends a connection, fewer bytes at which it does so after some time, and this
// time. 0: never.
std::optional<quint64> pubsubLimit(const RespValue& setting) {
    const QByteArrayList words = setting.items.size() == 2 ? setting.items[1].bytes.split(' ') : QByteArrayList();
    bool isNumber = false;
    const quint64 bytes = words.value(words.indexOf("pubsub") + 1).toULongLong(&isNumber);
    return words.contains("pubsub") && isNumber ? std::optional(bytes) : std::nullopt;
}

}  // namespace

BroadcastTracking::BroadcastTracking(const redis::ConnectionOptions& options,
                                     const redis::TransportFactory& makeTransport, Clock& clock,
                                     const QByteArrayList& prefixes)
    : m_command(trackingCommand(prefixes)), m_connection(options, makeTransport, clock) {
    connect(&m_connection, &redis::Connection::stateChanged, this, &BroadcastTracking::onStateChanged);
    connect(&m_connection, &redis::Connection::pushReceived, this, &BroadcastTracking::onPush);
}

void BroadcastTracking::onStateChanged(redis::Connection::State state) {
    if (state == redis::Connection::State::Ready) {
        m_tasks.spawn(begin(++m_session));
        return;
    }
    ++m_session;
    if (std::exchange(m_isOn, false))
        Q_EMIT interrupted();
}

Task<void> BroadcastTracking::begin(quint64 session) {
    const std::optional<Obstacle> obstacle = co_await findObstacle();
    if (session != m_session || m_tasks.stopToken().stop_requested())
        co_return;
    if (obstacle) {
        refuse(*obstacle);
        co_return;
    }
    m_isOn = true;
    Q_EMIT began();
}

void BroadcastTracking::refuse(Obstacle obstacle) {
    m_isOn = false;  // set first, so that the close is not an interruption
    m_connection.close();
    Q_EMIT refused(obstacle);
}

void BroadcastTracking::checkLimit() {
    if (m_isOn && !std::exchange(m_isChecking, true))
        m_tasks.spawn(check(m_session));
}

// A lost connection is not an obstacle; the next connection checks again.
Task<void> BroadcastTracking::check(quint64 session) {
    const std::optional<Obstacle> obstacle = co_await obstacleOfLimit();
    m_isChecking = false;
    if (obstacle && session == m_session && m_connection.isReady())
        refuse(*obstacle);
}

// Checks one condition after the other, so that nothing is tracked before the limit applies.
Task<std::optional<BroadcastTracking::Obstacle>> BroadcastTracking::findObstacle() {
    if (m_connection.server().protocol < 3)
        co_return Obstacle::NoResp3;
    const std::optional<Obstacle> unlimited = co_await obstacleOfLimit();
    if (unlimited)
        co_return unlimited;
    const Command subscribe("SUBSCRIBE", {ownChannel()});
    const bool isSubscribed = co_await isDone(subscribe);
    if (!isSubscribed)
        co_return Obstacle::Refused;
    const bool isTracked = co_await isDone(m_command);
    co_return isTracked ? std::nullopt : std::optional(Obstacle::Refused);
}

Task<std::optional<BroadcastTracking::Obstacle>> BroadcastTracking::obstacleOfLimit() {
    const Completion<RespValue> asked = m_connection.send(Command("CONFIG", {"GET", "client-output-buffer-limit"}));
    const Deadline never = Deadline::never(m_connection.clock());
    const Result<RespValue> setting = co_await asked.wait(never, m_tasks.stopToken());
    const std::optional<quint64> limit = setting ? pubsubLimit(*setting) : std::nullopt;
    if (!limit)
        co_return Obstacle::LimitUnknown;
    co_return *limit == 0 ? std::optional(Obstacle::Unlimited) : std::nullopt;
}

Task<bool> BroadcastTracking::isDone(Command command) {
    const Completion<RespValue> answer = m_connection.send(command);
    const Result<RespValue> reply = co_await answer.wait(Deadline::never(m_connection.clock()), m_tasks.stopToken());
    co_return reply.ok();
}

// A push without names reports a flush, which the other connections receive, too.
void BroadcastTracking::onPush(const RespValue& push) {
    if (!m_isOn || push.items.size() != 2 || push.items.front().bytes != "invalidate" || push.items[1].items.empty())
        return;
    QByteArrayList keys;
    keys.reserve(static_cast<qsizetype>(push.items[1].items.size()));
    for (const RespValue& key : push.items[1].items)
        keys += key.bytes;
    Q_EMIT written(keys);
}

QString nameOf(BroadcastTracking::Obstacle obstacle) {
    switch (obstacle) {
        case BroadcastTracking::Obstacle::LimitUnknown:
            return QStringLiteral("CONFIG GET client-output-buffer-limit");
        case BroadcastTracking::Obstacle::Unlimited:
            return QStringLiteral("client-output-buffer-limit pubsub 0");
        case BroadcastTracking::Obstacle::NoResp3:
        case BroadcastTracking::Obstacle::Refused:
            return QStringLiteral("CLIENT TRACKING BCAST");
    }
    return {};
}

}  // namespace lockkeeper::monitor

#include "moc_broadcasttracking.cpp"
