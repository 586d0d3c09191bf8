#include "monitor/observe/sources/prefixtracking.h"

#include "locks/lockkeys.h"

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
    for (const QByteArray& prefix : prefixes)
        command.arg("PREFIX").arg(prefix);
    return command;
}

}  // namespace

PrefixTracking::PrefixTracking(const redis::ConnectionOptions& options, const redis::TransportFactory& makeTransport,
                               Clock& clock, Denials& denials, const QByteArrayList& prefixes)
    : m_denials(denials), m_prefixes(withoutOverlaps(prefixes)), m_connection(options, makeTransport, clock) {
    connect(&m_connection, &redis::Connection::stateChanged, this, &PrefixTracking::onStateChanged);
    connect(&m_connection, &redis::Connection::pushReceived, this, &PrefixTracking::onPush);
}

void PrefixTracking::open() {
    if (!m_prefixes.isEmpty())
        m_connection.open();
}

void PrefixTracking::stop() {
    m_tasks.stop();
    m_connection.close();
}

void PrefixTracking::onStateChanged(redis::Connection::State state) {
    if (state == redis::Connection::State::Ready)
        m_tasks.spawn(begin());
}

Task<void> PrefixTracking::begin() {
    const Completion<RespValue> answer = m_connection.send(trackingCommand(m_prefixes));
    const Result<RespValue> reply = co_await answer.wait(Deadline::never(m_connection.clock()), m_tasks.stopToken());
    const bool refused =
        !reply && (reply.error().code == ErrorCode::NotPermitted || reply.error().code == ErrorCode::ServerReply);
    if (refused)
        m_denials.note(QStringLiteral("CLIENT TRACKING BCAST"), Consequence::PrefixesNotTracked);
}

// A flush has no names; the other connections receive it too.
void PrefixTracking::onPush(const RespValue& push) {
    if (push.items.size() != 2 || push.items.front().bytes != "invalidate")
        return;
    for (const RespValue& key : push.items[1].items)
        Q_EMIT touched(locks::lockOfHelperKey(key.bytes).value_or(LockName(key.bytes)));
}

}  // namespace lockkeeper::monitor

#include "moc_prefixtracking.cpp"
