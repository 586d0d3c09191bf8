// SPDX-License-Identifier: Apache-2.0
#include "locks/unlocksignals.h"

#include "redis/replyerrors.h"

#include <algorithm>

namespace lockkeeper::locks {

namespace {

const Error& closedError() {
    static const Error error(ErrorCode::ConnectionLost, Cause::LockClientClosed);
    return error;
}

redis::ConnectionOptions namedForWaiting(redis::ConnectionOptions options) {
    if (!options.clientName.isEmpty())
        options.clientName += "-waiting";
    return options;
}

}  // namespace

UnlockListener::UnlockListener(UnlockSignals& owner, QByteArray channel, std::optional<qint64> wants)
    : m_owner(&owner), m_channel(std::move(channel)), m_wants(wants) {
    owner.add(this);
}

UnlockListener::~UnlockListener() {
    if (!m_owner)
        return;
    UnlockSignals* owner = m_owner;
    const bool passOn = m_owed;
    owner->remove(this);
    if (passOn && m_wants)
        owner->offer(m_channel, m_offered);
    else if (passOn)
        owner->wakeOne(m_channel);
}

Completion<Done> UnlockListener::nextWake() {
    if (!m_owner)
        return Completion<Done>::completed(closedError());
    if (m_owed)
        return Completion<Done>::completed(Done());
    return m_wake.emplace();
}

UnlockSignals::UnlockSignals(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock, QObject* parent)
    : QObject(parent), m_connections(namedForWaiting(std::move(options)), shards, clock) {
    connect(&m_connections, &topology::ShardConnections::stateChanged, this, &UnlockSignals::onStateChanged);
    connect(&m_connections, &topology::ShardConnections::ownersChanged, this, &UnlockSignals::onOwnersChanged);
    connect(&m_connections, &topology::ShardConnections::pushReceived, this,
            [this](redis::Connection*, const redis::RespValue& push) { onPush(push); });
}

UnlockSignals::~UnlockSignals() {
    close();
}

std::shared_ptr<UnlockListener> UnlockSignals::listen(const QByteArray& channel, std::optional<qint64> wants) {
    return std::make_shared<UnlockListener>(*this, channel, wants);
}

void UnlockSignals::close() {
    m_connections.close();
    std::vector<UnlockListener*> listeners;
    for (const Channel& channel : std::as_const(m_channels))
        listeners.insert(listeners.end(), channel.listeners.begin(), channel.listeners.end());
    m_channels.clear();
    std::vector<Completion<Done>> ended;
    for (UnlockListener* listener : listeners) {
        listener->m_owner = nullptr;
        ended.push_back(listener->m_subscribed);
        if (listener->m_wake)
            ended.push_back(*listener->m_wake);
    }
    for (const Completion<Done>& completion : ended)
        completion.complete(closedError());
}

void UnlockSignals::add(UnlockListener* listener) {
    Channel& channel = m_channels[listener->m_channel];
    channel.listeners.push_back(listener);
    m_connections.open();
    if (channel.state == SubscriptionState::Confirmed)
        listener->m_subscribed.complete(Done());
    else
        subscribeIfPossible(listener->m_channel);
}

void UnlockSignals::remove(UnlockListener* listener) {
    const QByteArray name = listener->m_channel;
    const auto channel = m_channels.find(name);
    std::erase(channel->listeners, listener);
    if (!channel->listeners.empty())
        return;
    const Channel left = *channel;
    m_channels.erase(channel);
    unsubscribe(name, left);
}

// ---- subscriptions ----

void UnlockSignals::subscribe(const QByteArray& name) {
    Channel& channel = m_channels[name];
    channel.state = SubscriptionState::Asked;
    channel.at = m_connections.of(name);
    channel.asked = ++m_lastAsked;
    const QByteArrayList commands =
        m_connections.isSharded(*channel.at) ? QByteArrayList{"SUBSCRIBE", "SSUBSCRIBE"} : QByteArrayList{"SUBSCRIBE"};
    channel.unanswered = static_cast<int>(commands.size());
    for (const QByteArray& command : commands) {
        m_connections.send(name, redis::Command(command).arg(name))
            .then([this, alive = QPointer(this), name, asked = m_lastAsked](const Result<redis::RespValue>& reply) {
                if (alive)
                    onAnswer(name, asked, reply);
            });
    }
}

void UnlockSignals::onAnswer(const QByteArray& name, quint64 asked, const Result<redis::RespValue>& reply) {
    const auto found = m_channels.find(name);
    // All listeners are gone, or new ones came since: then an UNSUBSCRIBE was sent after this SUBSCRIBE, and only the
    // newest confirmation counts.
    if (found == m_channels.end() || found->asked != asked)
        return;
    if (!reply && reply.error().code == ErrorCode::ConnectionLost)
        return;  // the next connection subscribes again
    if (!reply && redis::isRefusedByNode(reply.error()))
        return subscribeElsewhere(name);
    if (!reply || --found->unanswered == 0)
        onSubscribed(name, reply);
}

void UnlockSignals::onSubscribed(const QByteArray& name, const Result<redis::RespValue>& reply) {
    Channel& channel = m_channels[name];
    channel.state = reply ? SubscriptionState::Confirmed : SubscriptionState::Idle;
    channel.asked = ++m_lastAsked;  // a new number, so that later answers to this subscription do not count
    if (!reply && channel.at && m_connections.isSharded(*channel.at))
        unsubscribe(name, channel);  // the server may accept the other kind of channel
    channel.refusals = 0;
    const bool missed = std::exchange(channel.missed, false);
    std::vector<Completion<Done>> told;
    for (const UnlockListener* listener : channel.listeners)
        told.push_back(listener->m_subscribed);
    for (const Completion<Done>& completion : told)
        completion.complete(reply ? Result<Done>(Done()) : Result<Done>(reply.error()));
    if (reply && missed)
        wakeAll(name);
}

// Unsubscribes at the connection with the subscription, which may differ from the present one. When a slot leaves a
// server, the server itself ends the subscriptions of the slot.
void UnlockSignals::unsubscribe(const QByteArray& name, const Channel& from) {
    if (from.state == SubscriptionState::Idle || !from.at)
        return;
    from.at->send(redis::Command("UNSUBSCRIBE").arg(name));
    if (m_connections.isSharded(*from.at) && m_connections.of(name) == from.at)
        from.at->send(redis::Command("SUNSUBSCRIBE").arg(name));
}

void UnlockSignals::interrupt(const QByteArray& name) {
    Channel& channel = m_channels[name];
    const Channel before = channel;
    channel.missed = channel.missed || channel.state == SubscriptionState::Confirmed;
    channel.state = SubscriptionState::Idle;
    channel.asked = ++m_lastAsked;
    unsubscribe(name, before);
}

// The slot has moved, or is not served now. The new owner may not be known yet, so the client subscribes again after a
// pause.
void UnlockSignals::subscribeElsewhere(const QByteArray& name) {
    constexpr int mostDoublings = 6;
    interrupt(name);
    m_connections.shards().refresh();
    Clock& clock = m_connections.clock();
    const Milliseconds pause = Milliseconds(10) * (1 << std::min(m_channels[name].refusals++, mostDoublings));
    (void)clock.schedule(clock.now() + pause, [this, alive = QPointer(this), name] {
        if (alive)
            subscribeIfPossible(name);
    });
}

void UnlockSignals::subscribeIfPossible(const QByteArray& name) {
    const auto channel = m_channels.constFind(name);
    if (channel != m_channels.cend() && channel->state == SubscriptionState::Idle && m_connections.isReady(name))
        subscribe(name);
}

void UnlockSignals::onStateChanged(const redis::Connection* connection, redis::Connection::State state) {
    const QList<QByteArray> names = m_channels.keys();
    for (const QByteArray& name : names) {
        const auto channel = m_channels.constFind(name);
        if (channel == m_channels.cend())
            continue;  // a refusal for an earlier channel may have removed listeners of this one
        if (state == redis::Connection::State::Waiting && channel->at == connection)
            interrupt(name);
        else if (state == redis::Connection::State::Ready)
            subscribeIfPossible(name);
    }
}

void UnlockSignals::onOwnersChanged() {
    const QList<QByteArray> names = m_channels.keys();
    for (const QByteArray& name : names) {
        const auto channel = m_channels.constFind(name);
        if (channel != m_channels.cend() && channel->at != m_connections.of(name))
            interrupt(name);
        subscribeIfPossible(name);
    }
}

// A server ends the subscriptions of a slot that leaves it, and reports that by a push.
void UnlockSignals::onPush(const redis::RespValue& push) {
    if (push.items.size() != 3)
        return;
    const QByteArray& kind = push.items[0].bytes;
    const QByteArray name = push.items[1].bytes;
    if (kind == "sunsubscribe" && m_channels.contains(name))
        subscribeElsewhere(name);
    else if (kind == "message" || kind == "smessage")
        onMessage(name, push.items[2].bytes);
}

void UnlockSignals::onMessage(const QByteArray& channel, const QByteArray& message) {
    const auto found = m_channels.constFind(channel);
    if (found == m_channels.cend())
        return;
    if (found->listeners.front()->m_wants)
        offer(channel, message.toLongLong());
    else if (message == "1")
        wakeAll(channel);
    else
        wakeOne(channel);
}

void UnlockSignals::wakeOne(const QByteArray& channel) {
    const auto found = m_channels.constFind(channel);
    if (found == m_channels.cend())
        return;
    // Prefers a listener that sleeps. Otherwise chooses one that is between its attempt and its sleep, and will find
    // the wake-up then.
    const std::deque<UnlockListener*>& listeners = found->listeners;
    auto chosen =
        std::ranges::find_if(listeners, [](const UnlockListener* listener) { return listener->m_wake.has_value(); });
    if (chosen == listeners.end())
        chosen = std::ranges::find_if(listeners, [](const UnlockListener* listener) { return !listener->m_owed; });
    if (chosen != listeners.end())
        wake(**chosen);
}

void UnlockSignals::wakeAll(const QByteArray& channel) {
    wakeThese(channel, m_channels.value(channel).listeners);
}

void UnlockSignals::offer(const QByteArray& channel, qint64 freePermits) {
    std::deque<UnlockListener*> chosen;
    qint64 left = freePermits;
    for (UnlockListener* listener : m_channels.value(channel).listeners) {
        const qint64 wanted = listener->m_wants.value_or(0);
        if (wanted > left)
            continue;
        left -= wanted;
        listener->m_offered = freePermits;
        chosen.push_back(listener);
    }
    wakeThese(channel, chosen);
}

// A woken listener may remove itself and others.
void UnlockSignals::wakeThese(const QByteArray& channel, const std::deque<UnlockListener*>& listeners) {
    for (UnlockListener* listener : listeners) {
        if (std::ranges::count(m_channels.value(channel).listeners, listener) > 0)
            wake(*listener);
    }
}

void UnlockSignals::wake(UnlockListener& listener) {
    listener.m_owed = true;
    if (const std::optional<Completion<Done>> sleeping = std::exchange(listener.m_wake, std::nullopt))
        sleeping->complete(Done());
}

}  // namespace lockkeeper::locks

#include "moc_unlocksignals.cpp"
