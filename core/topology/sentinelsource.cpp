// SPDX-License-Identifier: Apache-2.0
#include "topology/sentinelsource.h"

#include "base/logging.h"
#include "redis/replyerrors.h"

namespace lockkeeper::topology {

namespace {

using namespace std::chrono_literals;
using redis::Command;
using redis::RespValue;

// A little less than a connection may take to open, so that its error says why.
constexpr Milliseconds findTime = 4500ms;
// A Sentinel that does not answer for so long is left for the next one.
constexpr Milliseconds sentinelTime = 1500ms;

redis::ConnectionOptions sentinelOptions(const SentinelGroup& group) {
    redis::ConnectionOptions options;
    options.credentials = group.credentials;
    options.access = redis::AccessMode::ReadOnly;
    options.openTimeout = sentinelTime;
    options.commandTimeout = 3s;
    options.keepaliveInterval = 3s;  // a silent Sentinel would report no failover
    options.lastRetry = 1s;          // each attempt is another Sentinel's
    return options;
}

std::optional<Address> addressOf(const QByteArray& host, const QByteArray& port) {
    bool ok = false;
    const quint16 number = port.toUShort(&ok);
    return ok && number != 0 && !host.isEmpty() ? std::optional(Address{QString::fromUtf8(host), number})
                                                : std::nullopt;
}

}  // namespace

SentinelSource::SentinelSource(SentinelGroup group, redis::Endpoint server, Dialer dialer, Clock& clock)
    : m_group(std::move(group)),
      m_server(std::move(server)),
      m_dialer(std::move(dialer)),
      m_clock(clock),
      m_connection(
          sentinelOptions(m_group), [this] { return dialNext(); }, clock) {
    connect(&m_connection, &redis::Connection::stateChanged, this, &SentinelSource::onState);
    connect(&m_connection, &redis::Connection::pushReceived, this, &SentinelSource::onPush);
}

SentinelSource::~SentinelSource() {
    blockSignals(true);
}

std::unique_ptr<redis::Transport> SentinelSource::dialNext() {
    const Address sentinel = m_group.sentinels[m_next];
    m_next = (m_next + 1) % m_group.sentinels.size();
    return m_dialer.dial(serverAt(sentinel));
}

// ---- asking ----

Completion<redis::Endpoint> SentinelSource::find() {
    m_connection.open();
    Completion<redis::Endpoint> asked;
    m_asked.push_back(asked);
    if (m_asked.size() == 1)
        m_tasks.spawn(answerAll());
    return asked;
}

// No answer of one Sentinel counts as the last word: another one may know more.
Task<void> SentinelSource::answerAll() {
    const Deadline deadline = Deadline::in(m_clock, findTime);
    Result<redis::Endpoint> master = Error(ErrorCode::Timeout, Cause::NoSentinel);
    for (qsizetype tried = 0; tried < m_group.sentinels.size() && !deadline.hasPassed(); ++tried) {
        master = co_await ask(deadline);
        if (master || master.error().code == ErrorCode::Cancelled)
            break;
        tryNextSentinel();
    }
    if (master)
        noteMaster(*master);
    for (const Completion<redis::Endpoint>& asked : std::exchange(m_asked, {}))
        asked.complete(master);
}

Task<Result<redis::Endpoint>> SentinelSource::ask(Deadline deadline) {
    const Result<Done> ready = co_await m_connection.whenReady().wait(deadline, m_tasks.stopToken());
    if (!ready && ready.error().code == ErrorCode::Timeout)
        co_return m_failure.value_or(Error(ErrorCode::Timeout, Cause::NoSentinel));
    if (!ready)
        co_return ready.error();
    Command command("SENTINEL");
    command.arg("GET-MASTER-ADDR-BY-NAME").arg(m_group.masterName);
    const Result<RespValue> reply = co_await m_connection.send(command).wait(
        deadline.earlier(Deadline::in(m_clock, sentinelTime)), m_tasks.stopToken());
    if (!reply)
        co_return reply.error();
    if (reply->isNull())
        co_return Error(ErrorCode::InvalidArgument, Cause::MasterNotKnown, {QString::fromUtf8(m_group.masterName)});
    const std::optional<Address> address =
        reply->items.size() == 2 ? addressOf(reply->items[0].bytes, reply->items[1].bytes) : std::nullopt;
    if (!address)
        co_return redis::unexpectedReply(command, *reply);
    co_return serverAt(*address);
}

void SentinelSource::tryNextSentinel() {
    if (m_group.sentinels.size() == 1 || m_connection.state() != redis::Connection::State::Ready)
        return;
    m_connection.close();
    m_connection.open();
}

redis::Endpoint SentinelSource::serverAt(const Address& address) const {
    redis::Endpoint server = m_server;
    server.unixPath.clear();
    server.host = address.host;
    server.port = address.port;
    server.announcedNames = {address.host};
    return server;
}

// ---- following ----

void SentinelSource::onState(redis::Connection::State state) {
    if (state == redis::Connection::State::Waiting)
        m_failure = m_connection.lastError();
    if (state != redis::Connection::State::Ready)
        return;
    m_failure.reset();
    m_tasks.spawn(follow());
}

// Subscribes first and asks then, so that no change is missed in between.
Task<void> SentinelSource::follow() {
    const Deadline deadline = Deadline::in(m_clock, findTime);
    const Command subscribe("SUBSCRIBE", {"+switch-master"});
    const Result<RespValue> subscribed = co_await m_connection.send(subscribe).wait(deadline, m_tasks.stopToken());
    if (!subscribed) {
        qCWarning(logRedis) << "a Sentinel does not report changes of the master:" << subscribed.error().text;
        co_return;
    }
    const Result<redis::Endpoint> master = co_await ask(deadline);
    if (master)
        noteMaster(*master);
}

// "NAME OLD-HOST OLD-PORT NEW-HOST NEW-PORT", for every master that this Sentinel watches.
void SentinelSource::onPush(const RespValue& push) {
    if (push.items.size() != 3 || push.items[0].bytes != "message")
        return;
    const QByteArrayList words = push.items[2].bytes.split(' ');
    if (words.size() != 5 || words[0] != m_group.masterName)
        return;
    if (const std::optional<Address> address = addressOf(words[3], words[4]))
        noteMaster(serverAt(*address));
}

void SentinelSource::noteMaster(const redis::Endpoint& master) {
    if (m_master == master)
        return;
    m_master = master;
    Q_EMIT masterChanged(master);
}

}  // namespace lockkeeper::topology

#include "moc_sentinelsource.cpp"
