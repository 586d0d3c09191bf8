// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/subkeyevents.h"

#include "monitor/observe/sources/keyspaceevents.h"
#include "redis/replyerrors.h"

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

namespace {

// Separates key and field in a channel. The server publishes nothing for a key with this character in its name.
constexpr char separator = '\n';
// A field that begins with a client's UUID: UUID:THREAD, or UUID:THREAD:write.
QByteArray holderGlob() {
    const QByteArray four(4, '?');
    return QByteArrayList{four + four, four, four, four, four + four + four}.join('-') + ":*";
}

// I: by key and field; h: hashes. A includes all classes of events, but no type of channel.
bool coverFields(const QByteArray& flags) {
    return flags.contains('I') && (flags.contains('h') || flags.contains('A'));
}

}  // namespace

SubkeyEvents::SubkeyEvents(redis::Connection& connection, Denials& denials)
    : m_connection(connection),
      m_denials(denials),
      m_channelPrefix("__subkeyspaceitem@" + QByteArray::number(connection.options().database) + "__:") {
    connect(&connection, &redis::Connection::stateChanged, this, &SubkeyEvents::onStateChanged);
    connect(&connection, &redis::Connection::pushReceived, this, &SubkeyEvents::onPush);
}

void SubkeyEvents::onStateChanged(redis::Connection::State state) {
    m_areReceived = false;
    if (state == redis::Connection::State::Ready && m_connection.server().protocol >= 3)
        m_tasks.spawn(begin());
}

// KeyspaceEvents notes a refused CONFIG instead, because it needs the setting more: few servers publish fields.
Task<void> SubkeyEvents::begin() {
    const Result<QByteArray> flags = co_await notifyFlags(&m_connection, m_tasks.stopToken());
    if (!flags || !coverFields(*flags))
        co_return;
    const QByteArray pattern = m_channelPrefix + '*' + separator + holderGlob();
    const Completion<RespValue> subscribing = m_connection.send(Command("PSUBSCRIBE", {pattern}));
    const Deadline never = Deadline::never(m_connection.clock());
    const Result<RespValue> subscribed = co_await subscribing.wait(never, m_tasks.stopToken());
    if (!subscribed && redis::isRefusal(subscribed.error()))
        m_denials.note(QStringLiteral("PSUBSCRIBE ") + QString::fromLatin1(m_channelPrefix) + QLatin1Char('*'),
                       Consequence::NewFieldsNotReceived);
    if (!subscribed)
        co_return;
    m_areReceived = true;
    Q_EMIT began();
}

void SubkeyEvents::onPush(const RespValue& push) {
    constexpr size_t channelOfMessage = 2;  // pmessage, pattern, channel, event
    if (push.items.size() <= channelOfMessage || push.items.front().bytes != "pmessage")
        return;
    const QByteArray& channel = push.items[channelOfMessage].bytes;
    const qsizetype end = channel.indexOf(separator);
    if (channel.startsWith(m_channelPrefix) && end >= 0)
        Q_EMIT touched(LockName(channel.sliced(m_channelPrefix.size(), end - m_channelPrefix.size())));
}

}  // namespace lockkeeper::monitor

#include "moc_subkeyevents.cpp"
