// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/holderfinder.h"

#include "monitor/analyse/who/monitorline.h"
#include "monitor/model/monitorcause.h"

namespace lockkeeper::monitor {

using redis::Command;
using redis::Connection;
using redis::RespValue;

namespace {

using namespace std::chrono_literals;

// Nearly every line is about something else: skip it without parsing.
std::optional<QByteArray> addressOf(const ClientId& client, const RespValue& push) {
    if (!push.bytes.contains(client.bytes()))
        return std::nullopt;
    const std::optional<MonitorLine> line = MonitorLine::parse(push.bytes);
    return line && actsAs(client, *line) ? std::optional(line->address) : std::nullopt;
}

redis::ConnectionOptions optionsFor(redis::ConnectionOptions options) {
    if (!options.clientName.isEmpty())
        options.clientName += "-who";
    options.limits.longLines = redis::RespLimits::LongLines::Cut;
    return options;
}

Error lostWith(Error error) {
    error.code = ErrorCode::ConnectionLost;
    return error;
}

// A time-out of the server. The end of the search's own time is not an error.
Error noAnswer(const Error& error) {
    return error.code == ErrorCode::Timeout ? Error(ErrorCode::ConnectionLost, Cause::NoAnswerInTime) : error;
}

}  // namespace

HolderFinder::HolderFinder(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock, QObject* parent)
    : QObject(parent), m_options(optionsFor(std::move(options))), m_shards(shards), m_clock(clock) {}

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
    Connection connection(m_options, makeTransport, m_clock);
    // The user waits for the result, so there is only one attempt, and its error is returned.
    connect(&connection, &Connection::stateChanged, &connection, [&connection](Connection::State state) {
        if (state == Connection::State::Waiting)
            connection.close();
    });
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

Task<Result<Done>> HolderFinder::open(Connection* connection) {
    connection->open();
    const Completion<Done> ready = connection->whenReady();
    const Result<Done> answer = co_await ready.wait(Deadline::never(m_clock), m_scope.stopToken());
    const bool refused =
        !answer && answer.error().code == ErrorCode::ConnectionLost && !connection->lastError().text.isEmpty();
    co_return refused ? Result<Done>(noAnswer(connection->lastError())) : answer;
}

Task<Result<QByteArray>> HolderFinder::listen(Connection* connection, HolderSearch search) {
    const Result<Done> opened = co_await open(connection);
    if (!opened)
        co_return opened.error();
    connect(connection, &Connection::pushReceived, connection,
            [address = m_address, client = search.client](const RespValue& push) {
                if (const std::optional<QByteArray> from = addressOf(client, push))
                    address.complete(*from);
            });
    connect(connection, &Connection::stateChanged, connection, [address = m_address, connection] {
        if (!connection->isReady())
            address.complete(lostWith(connection->lastError()));
    });
    if (!m_address.isCompleted()) {  // otherwise it was cancelled meanwhile
        const Completion<RespValue> begun = connection->send(Command("MONITOR"));
        const Result<RespValue> answer = co_await begun.wait(Deadline::never(m_clock), m_scope.stopToken());
        if (!answer)
            co_return answer.error();
    }
    const Result<QByteArray> address =
        co_await m_address.wait(Deadline::in(m_clock, search.limit), m_scope.stopToken());
    co_return address;
}

// On a new connection: before Redis 6.2, MONITOR cannot be stopped on its connection.
Task<QList<ClientListEntry>> HolderFinder::listClients(Connection* connection) {
    const Result<Done> opened = co_await open(connection);
    if (!opened)
        co_return QList<ClientListEntry>();
    const Completion<RespValue> list = connection->send(Command("CLIENT", {"LIST"}));
    const Result<RespValue> answer = co_await list.wait(Deadline::never(m_clock), m_scope.stopToken());
    connection->close();
    if (!answer)
        co_return QList<ClientListEntry>();
    co_return parseClientList(answer->bytes);
}

}  // namespace lockkeeper::monitor

#include "moc_holderfinder.cpp"
