// SPDX-License-Identifier: Apache-2.0
#include "topology/shardconnections.h"

#include "topology/redirectedcall.h"

#include <algorithm>
#include <iterator>

namespace lockkeeper::topology {

using redis::Connection;
using redis::RespValue;

ShardConnections::ShardConnections(redis::ConnectionOptions options, Shards& shards, Clock& clock, QObject* parent)
    : QObject(parent),
      m_options(std::move(options)),
      m_shards(shards),
      m_clock(clock),
      m_failure(ErrorCode::ConnectionLost, Cause::NotConnected) {
    connect(&m_shards, &Shards::changed, this, &ShardConnections::onShardsChanged);
    connect(&m_shards, &Shards::failed, this, [this](const Error& error) { m_failure = error; });
    if (!m_shards.isCluster())
        ofShard(OneShard::id);
}

ShardConnections::~ShardConnections() {
    blockSignals(true);
    close();
}

void ShardConnections::open() {
    if (std::exchange(m_isOpen, true))
        return;
    m_shards.open();
    openConnections();
}

void ShardConnections::close() {
    m_isOpen = false;
    const QPointer<ShardConnections> alive(this);
    for (const QPointer<Connection>& connection : connections()) {
        if (connection)
            connection->close();
    }
    if (alive)
        endWaits(std::vector<Waiter>(m_waiters), Error(ErrorCode::ConnectionLost, Cause::ConnectionClosed));
    while (alive && !m_paused.empty())
        m_paused.extract(m_paused.begin()).value()->end();
}

// ---- connections ----

// For calls that emit signals: a slot may delete this object, or change the connections.
std::vector<QPointer<Connection>> ShardConnections::connections() const {
    std::vector<QPointer<Connection>> all;
    for (const auto& [shard, connection] : m_connections)
        all.emplace_back(connection.get());
    return all;
}

void ShardConnections::openConnections() {
    for (const QPointer<Connection>& connection : connections()) {
        if (connection)
            connection->open();
    }
}

Connection* ShardConnections::of(QByteArrayView key) {
    return m_shards.isCluster() ? ofSlot(hashSlotOf(key)) : m_connections.begin()->second.get();
}

Connection* ShardConnections::ofSlot(HashSlot slot) {
    const std::optional<ShardId> shard = m_shards.shardOf(slot);
    return shard ? ofShard(*shard) : nullptr;
}

Connection* ShardConnections::at(const QString& address) {
    const std::optional<ShardId> shard = m_shards.shardAt(address);
    return shard ? ofShard(*shard) : nullptr;
}

Connection* ShardConnections::ofShard(ShardId shard) {
    std::unique_ptr<Connection>& connection = m_connections[shard];
    if (!connection) {
        connection = make(shard);
        // Queued: a task may be asking, and a receiver of stateChanged() may delete the owner of that task.
        const auto openLater = [this] {
            if (m_isOpen)
                openConnections();
        };
        if (m_isOpen)
            QMetaObject::invokeMethod(this, openLater, Qt::QueuedConnection);
    }
    return connection.get();
}

std::unique_ptr<Connection> ShardConnections::make(ShardId shard) {
    auto connection = std::make_unique<Connection>(m_options, m_shards.transports(shard), m_clock);
    Connection* const made = connection.get();
    connect(made, &Connection::stateChanged, this, [this, made](Connection::State state) {
        const QPointer<ShardConnections> alive(this);
        m_tracking.erase(made);
        Q_EMIT stateChanged(made, state);
        if (alive && state == Connection::State::Ready)
            tellWaiters();
    });
    connect(made, &Connection::denied, this, &ShardConnections::denied);
    connect(made, &Connection::pushReceived, this,
            [this, made](const RespValue& push) { Q_EMIT pushReceived(made, push); });
    return connection;
}

// A connection to a gone shard stays in its place until its calls have ended: each may delete this object. It is
// deleted later, because the answer that led here may have come from it.
void ShardConnections::onShardsChanged() {
    const QList<ShardId> shards = m_shards.all();
    std::vector<std::pair<ShardId, QPointer<Connection>>> gone;
    for (const auto& [shard, connection] : m_connections) {
        if (!shards.contains(shard))
            gone.emplace_back(shard, connection.get());
    }
    const QPointer<ShardConnections> alive(this);
    for (const auto& [shard, connection] : gone) {
        if (connection)
            connection->close();
        if (!alive)
            return;
        if (auto closed = m_connections.extract(shard))
            closed.mapped().release()->deleteLater();
        m_masters.erase(shard);
    }
    retryAtNewMasters();
    Q_EMIT ownersChanged();
    if (alive)
        tellWaiters();
}

// If the master is unchanged, attempts to reach it keep their pauses: moving slots cause many changes.
void ShardConnections::retryAtNewMasters() {
    for (const auto& [shard, connection] : m_connections) {
        const QString master = m_shards.masterOf(shard);
        if (std::exchange(m_masters[shard], master) != master)
            connection->retryNow();
    }
}

// ---- readiness ----

bool ShardConnections::isReady(QByteArrayView key) {
    const Connection* connection = of(key);
    return connection && connection->isReady();
}

Completion<Done> ShardConnections::whenReady(QByteArrayView key) {
    Connection* connection = of(key);
    if (!m_shards.isCluster() || (connection && connection->isReady()))
        return connection->whenReady();
    if (!m_isOpen)
        return Completion<Done>::completed(Error(ErrorCode::ConnectionLost, Cause::ConnectionClosed));
    std::erase_if(m_waiters, [](const Waiter& waiter) { return waiter.ready.isAbandoned(); });
    if (m_waiters.size() >= static_cast<size_t>(m_options.maxPending))
        return Completion<Done>::completed(Error(ErrorCode::Overloaded, Cause::TooManyWaiters));
    m_waiters.push_back({hashSlotOf(key), {}});
    return m_waiters.back().ready;
}

void ShardConnections::tellWaiters() {
    std::vector<Waiter> ready;
    std::ranges::copy_if(m_waiters, std::back_inserter(ready), [this](const Waiter& waiter) {
        const Connection* connection = ofSlot(waiter.slot);
        return connection && connection->isReady();
    });
    endWaits(ready, Done());
}

// One by one: each may delete this object, and then the destructor ends the others.
void ShardConnections::endWaits(const std::vector<Waiter>& waiters, const Result<Done>& answer) {
    const QPointer<ShardConnections> alive(this);
    for (const Waiter& waiter : waiters) {
        if (!alive)
            return;
        waiter.ready.complete(answer);
    }
    if (alive)
        std::erase_if(m_waiters, [](const Waiter& waiter) { return waiter.ready.isCompleted(); });
}

Error ShardConnections::lastError(QByteArrayView key) {
    const Connection* connection = of(key);
    return connection ? connection->lastError() : m_failure;
}

// ---- commands ----

bool ShardConnections::isSharded(const Connection& connection) const {
    return m_shards.hasShardChannels(connection.server());
}

// While a slot is moving, its shard channels are still on the node that serves it. Waiters there get a message from the
// other node only on the plain channel.
redis::ScriptCall ShardConnections::formFor(const Connection& connection, const redis::ScriptCall& call,
                                            Asking asking) const {
    const bool isMoving = asking == Asking::Yes && isSharded(connection);
    redis::ScriptCall form =
        call.formFor(isMoving ? redis::Publishing::PlainAndSharded : m_shards.publishingOn(connection.server()));
    form.setTracked(call.isTracked() && asking == Asking::No && isTracking(connection));
    return form;
}

void ShardConnections::noteRedirect(Shards& shards, const Error& refusal) {
    if (refusal.reply == ReplyKind::Moved)
        shards.noteMoved(refusal.arguments.value(0).toUShort(), refusal.arguments.value(1));
    else if (refusal.reply == ReplyKind::ClusterDown)
        shards.refresh();
}

Completion<RespValue> ShardConnections::noteRedirects(const Completion<RespValue>& answer) {
    Completion<RespValue> passedOn;
    answer.then([passedOn, shards = QPointer(&m_shards)](Result<RespValue> reply) {
        if (shards && !reply)
            noteRedirect(*shards, reply.error());
        passedOn.complete(std::move(reply));
    });
    return passedOn;
}

Completion<RespValue> ShardConnections::run(QByteArrayView key, redis::ScriptCall call, Deadline patience,
                                            redis::BeforeSendingAgain beforeAgain) {
    if (!m_shards.isCluster()) {
        Connection* connection = of(key);
        call.setTracked(call.isTracked() && isTracking(*connection));
        return redis::runScript(*connection, std::move(call), std::move(beforeAgain));
    }
    return RedirectedCall::start(*this, key, std::move(call), patience, std::move(beforeAgain));
}

Completion<RespValue> ShardConnections::send(QByteArrayView key, const redis::Command& command) {
    Connection* connection = of(key);
    if (!connection)
        return Completion<RespValue>::completed(m_failure);
    const Completion<RespValue> answer = connection->send(command);
    return m_shards.isCluster() ? noteRedirects(answer) : answer;
}

Completion<RespValue> ShardConnections::sendForm(Connection& connection, const redis::ScriptCall& call,
                                                 const redis::Command& form) {
    const Completion<RespValue> answer = redis::sendScript(connection, call, form);
    return m_shards.isCluster() ? noteRedirects(answer) : answer;
}

Completion<RespValue> ShardConnections::evalShaOnce(QByteArrayView key, const redis::ScriptCall& call) {
    Connection* connection = of(key);
    if (!connection)
        return Completion<RespValue>::completed(m_failure);
    const redis::ScriptCall form = formFor(*connection, call);
    return sendForm(*connection, form, form.evalSha());
}

Completion<RespValue> ShardConnections::evalOnce(QByteArrayView key, const redis::ScriptCall& call) {
    Connection* connection = of(key);
    if (!connection)
        return Completion<RespValue>::completed(m_failure);
    const redis::ScriptCall form = formFor(*connection, call);
    return sendForm(*connection, form, form.eval());
}

Completion<RespValue> ShardConnections::evalAsking(const QString& address, const redis::ScriptCall& call) {
    Connection* connection = at(address);
    if (!connection)
        return Completion<RespValue>::completed(m_failure);
    const redis::Command asking("ASKING");
    (void)connection->send(asking);
    return noteRedirects(connection->send(formFor(*connection, call, Asking::Yes).eval()));
}

}  // namespace lockkeeper::topology

#include "moc_shardconnections.cpp"
