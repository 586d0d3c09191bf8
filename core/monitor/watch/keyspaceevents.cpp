#include "monitor/watch/keyspaceevents.h"

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

}  // namespace

KeyspaceEvents::KeyspaceEvents(redis::Connection& connection, Denials& denials)
    : m_connection(connection),
      m_denials(denials),
      m_channelPrefix("__keyspace@" + QByteArray::number(connection.options().database) + "__:") {
    connect(&connection, &redis::Connection::stateChanged, this, &KeyspaceEvents::onStateChanged);
    connect(&connection, &redis::Connection::pushReceived, this, &KeyspaceEvents::onPush);
}

void KeyspaceEvents::onStateChanged(redis::Connection::State state) {
    if (state != redis::Connection::State::Ready)
        m_on = false;
}

Task<bool> KeyspaceEvents::areOn() {
    const Completion<RespValue> answer = m_connection.send(Command("CONFIG", {"GET", "notify-keyspace-events"}));
    const Result<RespValue> reply = co_await answer.wait(Deadline::never(m_connection.clock()), m_tasks.stopToken());
    if (!reply && reply.error().code == ErrorCode::NotPermitted)
        m_denials.note(QStringLiteral("CONFIG GET"),
                       QStringLiteral("whether the server publishes changes of keys is not known"));
    m_on = reply && reply->items.size() == 2 && coverLocks(reply->items[1].bytes);
    co_return m_on;
}

void KeyspaceEvents::follow(const LockName& name) {
    if (m_on)
        m_tasks.spawn(subscribe(m_channelPrefix + name.bytes()));
}

void KeyspaceEvents::unfollow(const LockName& name) {
    if (m_on)
        m_connection.send(Command("UNSUBSCRIBE", {m_channelPrefix + name.bytes()}));
}

Task<void> KeyspaceEvents::subscribe(QByteArray channel) {
    const Completion<RespValue> answer = m_connection.send(Command("SUBSCRIBE", {channel}));
    const Result<RespValue> reply = co_await answer.wait(Deadline::never(m_connection.clock()), m_tasks.stopToken());
    const bool isRefused = !reply && reply.error().code == ErrorCode::NotPermitted;
    if (!isRefused || !std::exchange(m_on, false))
        co_return;
    m_denials.note(QStringLiteral("SUBSCRIBE ") + QString::fromLatin1(m_channelPrefix) + QLatin1Char('*'),
                   QStringLiteral("changes of keys that the server publishes are not heard"));
    Q_EMIT refused();
}

void KeyspaceEvents::onPush(const RespValue& push) {
    constexpr size_t parts = 3;  // message, channel, event
    if (push.items.size() != parts || push.items.front().bytes != "message")
        return;
    const QByteArray& channel = push.items[1].bytes;
    if (channel.startsWith(m_channelPrefix))
        Q_EMIT touched(LockName(channel.sliced(m_channelPrefix.size())));
}

}  // namespace lockkeeper::monitor
