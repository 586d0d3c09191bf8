// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/clientflags.h"

#include "redis/replyerrors.h"

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

ClientFlags::ClientFlags(redis::Connection& connection, Denials& denials)
    : m_connection(connection), m_denials(denials) {
    connect(&connection, &redis::Connection::stateChanged, this, &ClientFlags::onStateChanged);
}

void ClientFlags::onStateChanged(redis::Connection::State state) {
    // Servers without RESP3 have neither command.
    if (state != redis::Connection::State::Ready || m_connection.server().protocol < 3)
        return;
    m_tasks.spawn(ask("NO-EVICT", Consequence::ConnectionMayBeEvicted));
    m_tasks.spawn(ask("NO-TOUCH", Consequence::ReadsCountAsUse));
}

Task<void> ClientFlags::ask(QByteArray flag, Consequence consequence) {
    const Completion<RespValue> answer = m_connection.send(Command("CLIENT", {flag, "ON"}));
    const Result<RespValue> reply = co_await answer.wait(Deadline::never(m_connection.clock()), m_tasks.stopToken());
    if (!reply && redis::isRefusal(reply.error()))
        m_denials.note(QStringLiteral("CLIENT ") + QString::fromLatin1(flag), consequence);
}

}  // namespace lockkeeper::monitor

#include "moc_clientflags.cpp"
