// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/holderfinder.h"

#include "monitor/analyse/who/monitorconnection.h"
#include "monitor/analyse/who/monitorline.h"
#include "monitor/model/monitorcause.h"

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

namespace {

// Nearly every line is about something else: skip it without parsing.
std::optional<QByteArray> addressOf(const ClientId& client, const QByteArray& text) {
    if (!text.contains(client.bytes()))
        return std::nullopt;
    const std::optional<MonitorLine> line = MonitorLine::parse(text);
    return line && actsAs(client, *line) ? std::optional(line->address) : std::nullopt;
}

}  // namespace

HolderFinder::HolderFinder(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock, QObject* parent)
    : QObject(parent), m_options(std::move(options)), m_shards(shards), m_clock(clock) {}

HolderFinder::~HolderFinder() {
    m_scope.stop();
}

void HolderFinder::find(OperationId id, const HolderSearch& search) {
    const std::optional<topology::ShardId> shard = m_shards.shardOfKey(search.lock.bytes());
    if (m_current || !shard) {
        const Error busy(ErrorCode::Overloaded, MonitorCause::MonitorUnderWay);
        const Error unknown(ErrorCode::ConnectionLost, Cause::NotConnected);
        Q_EMIT finished(id, unknownIdentity(search.client, m_current ? busy : unknown));
        return;
    }
    m_current = id;
    m_address = Completion<QByteArray>();
    m_scope.spawn(run(id, search, m_shards.transports(*shard)));
}

void HolderFinder::cancel(OperationId id) {
    if (m_current == id)
        m_address.complete(Error(ErrorCode::Cancelled, Cause::Cancelled));
}

Task<void> HolderFinder::run(OperationId id, HolderSearch search, redis::TransportFactory makeTransport) {
    HolderIdentity identity;
    identity.client = search.client;
    MonitorConnection connection(m_options, makeTransport, m_clock);
    const Result<QByteArray> address = co_await listen(&connection, search);
    connection.close();  // ends MONITOR as early as possible: it costs the server time
    identity.at = m_clock.wallNow();
    if (!address && address.error().code != ErrorCode::Timeout)
        identity.error = address.error();
    const bool cancelled = !address && address.error().code == ErrorCode::Cancelled;
    QList<ClientListEntry> clients;
    if (!cancelled)
        clients = co_await listClients(&connection);
    if (address) {
        identity.basis = IdentityBasis::Monitor;
        identity.address = *address;
        addNameAndUser(identity, clients);
    } else {
        guess(identity, clients);
    }
    m_current.reset();
    Q_EMIT finished(id, identity);
}

Task<Result<QByteArray>> HolderFinder::listen(MonitorConnection* connection, HolderSearch search) {
    const Result<Done> opened = co_await connection->open(m_scope.stopToken());
    if (!opened)
        co_return opened.error();
    connection->listen(
        [address = m_address, client = search.client](const QByteArray& line) {
            if (const std::optional<QByteArray> from = addressOf(client, line))
                address.complete(*from);
        },
        [address = m_address](const Error& error) { address.complete(error); });
    if (!m_address.isCompleted()) {  // otherwise it was cancelled meanwhile
        const Result<Done> begun = co_await connection->begin(m_scope.stopToken());
        if (!begun)
            co_return begun.error();
    }
    const Result<QByteArray> address =
        co_await m_address.wait(Deadline::in(m_clock, search.limit), m_scope.stopToken());
    co_return address;
}

// On a new connection: before Redis 6.2, MONITOR cannot be stopped on its connection.
Task<QList<ClientListEntry>> HolderFinder::listClients(MonitorConnection* connection) {
    const Result<Done> opened = co_await connection->open(m_scope.stopToken());
    if (!opened)
        co_return QList<ClientListEntry>();
    const Completion<RespValue> list = connection->connection().send(Command("CLIENT", {"LIST"}));
    const Result<RespValue> answer = co_await list.wait(Deadline::never(m_clock), m_scope.stopToken());
    connection->close();
    if (!answer)
        co_return QList<ClientListEntry>();
    co_return parseClientList(answer->bytes);
}

}  // namespace lockkeeper::monitor

#include "moc_holderfinder.cpp"
