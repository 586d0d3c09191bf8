// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/changesources.h"

namespace lockkeeper::monitor {

using redis::Command;
using redis::Connection;
using redis::RespValue;

ChangeSources::ChangeSources(Connection& connection, redis::TransportFactory makeTransport, Denials& denials,
                             const NodeScope& scope)
    : m_connection(connection), m_makeTransport(std::move(makeTransport)), m_denials(denials), m_scope(scope) {
    connect(&connection, &Connection::pushReceived, this, &ChangeSources::onPush);
    listenOn(connection);
}

ChangeSources::~ChangeSources() = default;

void ChangeSources::close() {
    if (m_apart)
        m_apart->close();
}

std::optional<SteadyTime> ChangeSources::receivesSince(const LockName& name, const LastRead& lock) const {
    const std::optional<SteadyTime> plain = m_messages->receivesSince(lock.kind);
    if (!plain || !m_sharded->areNeeded())
        return plain;
    const std::optional<SteadyTime> sharded = m_sharded->receivesSince(name, lock);
    return sharded ? std::optional(std::max(*plain, *sharded)) : std::nullopt;
}

Task<Result<ObservationMode>> ChangeSources::choose(std::stop_token stop) {
    m_limit = {};
    if (m_connection.server().protocol < 3)
        co_return co_await chooseOverResp2(stop);
    co_return co_await chooseOverResp3(stop);
}

Task<Result<ObservationMode>> ChangeSources::chooseOverResp3(std::stop_token stop) {
    const Completion<RespValue> tracking = m_connection.send(Command("CLIENT", {"TRACKING", "ON"}));
    const Deadline never = Deadline::never(m_connection.clock());
    const Result<RespValue> tracked = co_await tracking.wait(never, stop);
    if (!tracked && tracked.error().code != ErrorCode::NotPermitted && tracked.error().code != ErrorCode::ServerReply)
        co_return tracked.error();
    if (!tracked) {
        m_denials.note(QStringLiteral("CLIENT TRACKING"), Consequence::LocksPolled);
        m_limit = {ObservationLimit::Kind::TrackingRefused, tracked.error()};
    }
    listenOn(m_connection);
    m_apart.reset();
    const Completion<Done> subscribing = m_messages->subscribe();
    const Result<Done> subscribed = co_await subscribing.wait(never, stop);
    if (!subscribed)
        co_return subscribed.error();
    if (tracked)
        co_return ObservationMode::Tracking;
    const bool eventsAreOn = co_await m_keyspaceEvents->areOn(stop);
    co_return eventsAreOn ? ObservationMode::KeyspaceEvents : ObservationMode::Polling;
}

Task<Result<ObservationMode>> ChangeSources::chooseOverResp2(std::stop_token stop) {
    m_limit = {ObservationLimit::Kind::NoResp3, {}};
    if (!m_apart)
        openApart();
    const bool eventsAreOn = co_await m_keyspaceEvents->areOn(stop);
    co_return eventsAreOn ? ObservationMode::KeyspaceEvents : ObservationMode::Polling;
}

void ChangeSources::openApart() {
    m_apart = std::make_unique<Connection>(m_connection.options(), m_makeTransport, m_connection.clock());
    connect(m_apart.get(), &Connection::stateChanged, this, [this](Connection::State state) {
        if (state == Connection::State::Ready)
            m_messages->subscribe();
    });
    listenOn(*m_apart);
    m_apart->open();
}

void ChangeSources::listenOn(Connection& listener) {
    if (m_listener == &listener)
        return;
    m_listener = &listener;
    m_sharded = std::make_unique<ShardedMessages>(listener, m_denials, m_scope);  // first: it finds repetitions
    m_messages = std::make_unique<UnlockMessages>(listener, m_denials);
    m_keyspaceEvents = std::make_unique<KeyspaceEvents>(m_connection, listener, m_denials);
    connect(m_sharded.get(), &ShardedMessages::received, this, &ChangeSources::messageReceived);
    connect(m_sharded.get(), &ShardedMessages::movedAway, this, &ChangeSources::movedAway);
    connect(m_messages.get(), &UnlockMessages::received, this, [this](const QList<LockName>& candidates) {
        if (!m_sharded->isRepetition())
            Q_EMIT messageReceived(candidates);
    });
    connect(m_keyspaceEvents.get(), &KeyspaceEvents::touched, this, &ChangeSources::touched);
    connect(m_keyspaceEvents.get(), &KeyspaceEvents::queueTouched, this, &ChangeSources::queueTouched);
    connect(m_keyspaceEvents.get(), &KeyspaceEvents::refused, this, &ChangeSources::eventsRefused);
    connect(m_keyspaceEvents.get(), &KeyspaceEvents::interrupted, this, &ChangeSources::eventsInterrupted);
}

void ChangeSources::onPush(const RespValue& push) {
    if (push.items.size() != 2 || push.items.front().bytes != "invalidate")
        return;
    if (push.items[1].isNull())
        Q_EMIT flushed();
    for (const RespValue& key : push.items[1].items)
        Q_EMIT invalidated(key.bytes);
}

}  // namespace lockkeeper::monitor

#include "moc_changesources.cpp"
