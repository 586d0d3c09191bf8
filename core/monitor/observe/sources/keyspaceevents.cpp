// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/keyspaceevents.h"

#include "locks/lockkeys.h"
#include "redis/replyerrors.h"

#include <utility>

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

namespace {

// K: by key; g: DEL, EXPIRE, RENAME; h: hashes; x: expired. A stands for all classes.
bool coverLocks(const QByteArray& flags) {
    if (!flags.contains('K'))
        return false;
    return flags.contains('A') || (flags.contains('g') && flags.contains('h') && flags.contains('x'));
}

// l: lists.
bool coverLists(const QByteArray& flags) {
    return flags.contains('A') || flags.contains('l');
}

}  // namespace

Task<Result<QByteArray>> notifyFlags(redis::Connection* connection, std::stop_token stop) {
    const Completion<RespValue> answer = connection->send(Command("CONFIG", {"GET", "notify-keyspace-events"}));
    const Result<RespValue> reply = co_await answer.wait(Deadline::never(connection->clock()), std::move(stop));
    if (!reply)
        co_return reply.error();
    co_return reply->items.size() == 2 ? reply->items[1].bytes : QByteArray();
}

KeyspaceEvents::KeyspaceEvents(redis::Connection& connection, redis::Connection& listener, Denials& denials)
    : m_connection(connection),
      m_listener(listener),
      m_denials(denials),
      m_channelPrefix("__keyspace@" + QByteArray::number(connection.options().database) + "__:") {
    connect(&connection, &redis::Connection::stateChanged, this, &KeyspaceEvents::onStateChanged);
    connect(&listener, &redis::Connection::pushReceived, this, &KeyspaceEvents::onPush);
    if (isApart())
        connect(&listener, &redis::Connection::stateChanged, this, &KeyspaceEvents::onListenerStateChanged);
}

void KeyspaceEvents::onStateChanged(redis::Connection::State state) {
    if (state == redis::Connection::State::Ready)
        return;
    m_on = false;
    m_noticesFairQueues = false;
}

void KeyspaceEvents::onListenerStateChanged(redis::Connection::State state) {
    m_noticesFairQueues = false;
    if (!m_on || state != redis::Connection::State::Ready)
        return;
    m_tasks.spawn(subscribeToFairQueues());
    Q_EMIT interrupted();
}

Task<bool> KeyspaceEvents::areOn(std::stop_token stop) {
    const Result<QByteArray> flags = co_await notifyFlags(&m_connection, stop);
    if (!flags && redis::isRefusal(flags.error()))
        m_denials.note(QStringLiteral("CONFIG GET"), Consequence::PublishingUnknown);
    m_on = flags && coverLocks(*flags);
    m_listsAreOn = flags && coverLists(*flags);
    if (m_on && m_listener.isReady())
        m_tasks.spawn(subscribeToFairQueues());
    co_return m_on;
}

void KeyspaceEvents::follow(const LockName& name) {
    if (m_on && m_listener.isReady())
        m_tasks.spawn(subscribe(m_channelPrefix + name.bytes()));
}

void KeyspaceEvents::unfollow(const LockName& name) {
    if (m_on && m_listener.isReady())
        m_listener.send(Command("UNSUBSCRIBE", {m_channelPrefix + name.bytes()}));
}

Task<void> KeyspaceEvents::subscribe(QByteArray channel) {
    const Completion<RespValue> answer = m_listener.send(Command("SUBSCRIBE", {channel}));
    const Result<RespValue> reply = co_await answer.wait(Deadline::never(m_listener.clock()), m_tasks.stopToken());
    const bool isRefused = !reply && redis::isRefusal(reply.error());
    if (!isRefused || !std::exchange(m_on, false))
        co_return;
    m_denials.note(QStringLiteral("SUBSCRIBE ") + QString::fromLatin1(m_channelPrefix) + QLatin1Char('*'),
                   Consequence::KeyChangesNotReceived);
    Q_EMIT refused();
}

// One pattern for all queues, because often only its queue shows that a lock is a fair one.
Task<void> KeyspaceEvents::subscribeToFairQueues() {
    if (!m_listsAreOn)
        co_return;
    const QByteArray pattern = m_channelPrefix + "redisson_lock_queue:*";
    const Completion<RespValue> answer = m_listener.send(Command("PSUBSCRIBE", {pattern}));
    const Result<RespValue> reply = co_await answer.wait(Deadline::never(m_listener.clock()), m_tasks.stopToken());
    m_noticesFairQueues = reply.ok();
    if (!reply && redis::isRefusal(reply.error()))
        m_denials.note(QStringLiteral("PSUBSCRIBE ") + QString::fromLatin1(pattern), Consequence::QueuesSeenLate);
}

void KeyspaceEvents::onPush(const RespValue& push) {
    constexpr size_t kind = 0;
    const bool byPattern = !push.items.empty() && push.items[kind].bytes == "pmessage";
    // message, channel, event; or pmessage, pattern, channel, event
    const size_t channelAt = byPattern ? 2 : 1;
    if (push.items.size() != channelAt + 2 || (!byPattern && push.items[kind].bytes != "message"))
        return;
    const QByteArray& channel = push.items[channelAt].bytes;
    if (!channel.startsWith(m_channelPrefix))
        return;
    const QByteArray key = channel.sliced(m_channelPrefix.size());
    if (!byPattern)
        Q_EMIT touched(LockName(key));
    else if (const std::optional<LockName> lock = locks::lockOfHelperKey(key))
        Q_EMIT queueTouched(*lock);
}

}  // namespace lockkeeper::monitor

#include "moc_keyspaceevents.cpp"
