// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/replicacount.h"

#include "async/pause.h"
#include "locks/lockkeys.h"
#include "monitor/observe/sources/shardedmessages.h"
#include "monitor/observe/sources/subscribers.h"
#include "redis/infofield.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

using redis::Connection;
using topology::Address;

redis::ConnectionOptions forReplicas(redis::ConnectionOptions options) {
    options.access = redis::AccessMode::ReadOnly;
    options.role = redis::WantedRole::Any;
    options.database = 0;  // channels do not belong to a database
    return options;
}

// The error for a server that is not a replica of this master, or that has replicas of its own.
Error otherServer() {
    return Error(ErrorCode::Protocol, Cause::UnexpectedReply,
                 {QStringLiteral("INFO"), QStringLiteral("master_replid")});
}

// The address in "ip=127.0.0.1,port=6380,state=online,offset=14,lag=1"; IPv6 without brackets.
std::optional<topology::Address> addressIn(const QByteArray& replica) {
    topology::Address address;
    for (const QByteArray& part : replica.split(',')) {
        if (part.startsWith("ip="))
            address.host = QString::fromUtf8(part.sliced(3));
        else if (part.startsWith("port="))
            address.port = part.sliced(5).toUShort();
    }
    return address.host.isEmpty() || address.port == 0 ? std::nullopt : std::optional(address);
}

}  // namespace

Replication parseReplication(QByteArrayView info) {
    const auto valueOf = [info](QByteArrayView name) {
        return redis::infoField(name, info).value_or(QByteArrayView()).toByteArray();
    };
    Replication found;
    found.isMaster = valueOf("role") == "master";
    found.runId = valueOf("run_id");
    found.replicationId = valueOf("master_replid");
    if (const std::optional<QByteArrayView> connected = redis::infoField("connected_slaves", info))
        found.connected = connected->toInt();
    const int listed = std::min(found.connected.value_or(0), Replication::mostListed);
    for (int i = 0; i < listed; ++i) {
        if (const auto address = addressIn(valueOf("slave" + QByteArray::number(i))))
            found.replicas += *address;
    }
    return found;
}

ReplicaCount::ReplicaCount(Connection& master, redis::ConnectionOptions options, topology::ShardId shard,
                           const NodeScope& scope)
    : m_master(master),
      m_options(forReplicas(std::move(options))),
      m_shard(shard),
      m_scope(scope),
      m_clock(master.clock()) {}

ReplicaCount::~ReplicaCount() {
    stop();
}

void ReplicaCount::stop() {
    m_tasks.stop();
    m_isAsking = false;
    m_route = nullptr;
    m_replicas.clear();
}

void ReplicaCount::setWanted(const topology::ReplicaRoute* route) {
    m_route = route;
    if (!m_route && !m_isAsking)
        forget();
}

// Closes the connections later, because one of them may be delivering an answer.
void ReplicaCount::forget() {
    m_haveAllAnswered = false;
    m_listening.clear();
    m_unanswered.reset();
    if (!m_replicas.empty())
        QMetaObject::invokeMethod(
            this, [this] { closeUnwanted(); }, Qt::QueuedConnection);
}

void ReplicaCount::closeUnwanted() {
    if (!m_route && !m_isAsking)
        m_replicas.clear();
}

void ReplicaCount::ask(std::function<void()> done) {
    if (m_isAsking || m_tasks.stopToken().stop_requested())
        return;
    m_isAsking = true;
    m_tasks.spawn(run(std::move(done)));
}

Task<void> ReplicaCount::run(std::function<void()> done) {
    const std::stop_token stop = m_tasks.stopToken();
    const bool goesOn = co_await pauseUntil(Deadline::in(m_clock, m_next - m_clock.now()), stop);
    if (!goesOn)
        co_return;
    m_longest = {};
    const Result<QSet<HolderId>> listening = co_await askAll();
    if (stop.stop_requested())
        co_return;
    m_haveAllAnswered = listening.ok();
    m_listening = listening ? *listening : QSet<HolderId>();
    m_next = m_clock.now() + restPerCount * m_longest;
    m_isAsking = false;
    if (!m_route)
        forget();
    done();
}

Task<Result<QSet<HolderId>>> ReplicaCount::askAll() {
    const Deadline deadline = Deadline::in(m_clock, patience);
    const Result<Replication> master = co_await readReplication(&m_master, deadline);
    const std::optional<QList<Address>> listed = master ? listedBy(*master) : std::nullopt;
    if (!listed) {
        m_unanswered.reset();
        co_return master ? otherServer() : master.error();
    }
    connectTo(*listed);
    QSet<QByteArray> servers{master->runId};
    QSet<HolderId> listening;
    for (const Address& address : *listed) {
        Replica* replica = &m_replicas.at(address.display());
        Result<Answer> answer = co_await askOne(replica, master->replicationId, deadline);
        // Two addresses may lead to the same server, so that another server is not asked.
        if (answer && servers.contains(answer->runId))
            answer = otherServer();
        if (!answer) {
            m_unanswered = UnansweredReplica{address.display(), answer.error()};
            co_return answer.error();
        }
        servers.insert(answer->runId);
        listening.unite(answer->listening);
    }
    m_unanswered.reset();
    co_return listening;
}

Task<Result<Replication>> ReplicaCount::readReplication(Connection* connection, Deadline deadline) {
    const redis::Command info("INFO");
    const Completion<redis::RespValue> answer = connection->send(info);
    const Result<redis::RespValue> text = co_await answer.wait(deadline, m_tasks.stopToken());
    if (!text)
        co_return text.error();
    co_return parseReplication(text->bytes);
}

// Nothing if not all replicas are known, or if there are too many.
std::optional<QList<Address>> ReplicaCount::listedBy(const Replication& master) const {
    if (!m_route || !master.isMaster || !master.connected || master.runId.isEmpty() || master.replicationId.isEmpty())
        return std::nullopt;
    const QList<Address> listed = m_route->replicasOf(m_shard).value_or(master.replicas);
    if (*master.connected > mostReplicas)
        return std::nullopt;
    if (listed.size() < *master.connected)
        m_scope.noteMovedKeys();  // the Cluster may know more replicas by now
    const bool isWhole = listed.size() >= *master.connected && listed.size() <= mostReplicas;
    return isWhole ? std::optional(listed) : std::nullopt;
}

void ReplicaCount::connectTo(const QList<Address>& replicas) {
    QSet<QString> listed;
    for (const Address& address : replicas)
        listed.insert(address.display());
    std::erase_if(m_replicas, [&listed](const auto& known) { return !listed.contains(known.first); });
    for (const Address& address : replicas) {
        Replica& replica = m_replicas[address.display()];
        if (!replica.connection)
            open(replica, address);
        else if (!replica.connection->isReady())
            replica.reached = Completion<Done>();
    }
}

void ReplicaCount::open(Replica& replica, const Address& address) {
    replica.connection = std::make_unique<Connection>(m_options, m_route->transportsTo(address), m_clock);
    connect(replica.connection.get(), &Connection::stateChanged, this, [&replica](Connection::State state) {
        if (state == Connection::State::Ready)
            replica.reached.complete(Done());
        else if (state == Connection::State::Waiting)
            replica.reached.complete(replica.connection->lastError());
    });
    replica.connection->open();
}

// The wait is limited, because all counts of waiters of the master wait meanwhile.
Task<Result<Done>> ReplicaCount::reach(Replica* replica, Deadline deadline) {
    const Connection& connection = *replica->connection;
    const bool isWaitedFor = !replica->wasMissed && connection.state() != Connection::State::Waiting;
    if (!connection.isReady() && isWaitedFor) {
        const Completion<Done> reaching = replica->reached;
        const Result<Done> reached = co_await reaching.wait(deadline, m_tasks.stopToken());
        Q_UNUSED(reached)
    }
    replica->wasMissed = !connection.isReady();
    if (!replica->wasMissed)
        co_return Done();
    // The first attempt to connect may last longer than this wait.
    co_return connection.lastError() == Error() ? Error(ErrorCode::Timeout, Cause::NoAnswerInTime)
                                                : connection.lastError();
}

Task<Result<ReplicaCount::Answer>> ReplicaCount::askOne(Replica* replica, QByteArray replicationId, Deadline deadline) {
    Connection* connection = replica->connection.get();
    const Result<Done> reached = co_await reach(replica, deadline);
    if (!reached)
        co_return reached.error();
    const Result<Replication> server = co_await readReplication(connection, deadline);
    if (!server)
        co_return server.error();
    const bool isItsReplica = !server->isMaster && !server->runId.isEmpty() && server->replicationId == replicationId;
    if (!isItsReplica || server->connected != 0)
        co_return otherServer();
    const Result<QSet<HolderId>> listening = co_await readListening(connection);
    if (!listening)
        co_return listening.error();
    co_return Answer{server->runId, *listening};
}

// The waiters by the channels that have a subscriber, under any name: the waiters of a queue may wait for a lock of
// another name.
Task<Result<QSet<HolderId>>> ReplicaCount::readListening(Connection* connection) {
    const QByteArrayList patterns{"redisson_lock__channel:*"};
    const std::stop_token stop = m_tasks.stopToken();
    const SteadyTime began = m_clock.now();
    const Result<QByteArrayList> plain = co_await subscribedChannels(connection, patterns, stop, ChannelKind::Plain);
    if (!plain)
        co_return plain.error();
    Result<QByteArrayList> sharded = QByteArrayList();
    if (mayPublishByShard(m_scope, connection->server()))
        sharded = co_await subscribedChannels(connection, patterns, stop, ChannelKind::Sharded);
    if (!sharded)
        co_return sharded.error();
    m_longest = std::max<std::chrono::nanoseconds>(m_longest, m_clock.now() - began);
    QSet<HolderId> listening;
    for (const QByteArray& channel : *plain + *sharded) {
        if (const std::optional<HolderId> waiter = locks::fairWaiterOfChannel(channel))
            listening.insert(*waiter);
    }
    co_return listening;
}

}  // namespace lockkeeper::monitor
