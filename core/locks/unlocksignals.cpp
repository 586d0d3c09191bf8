#include "locks/unlocksignals.h"

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

UnlockListener::UnlockListener(UnlockSignals& owner, QByteArray channel)
    : m_owner(&owner), m_channel(std::move(channel)) {
    owner.add(this);
}

UnlockListener::~UnlockListener() {
    if (!m_owner)
        return;
    UnlockSignals* owner = m_owner;
    const bool passOn = m_owed;
    owner->remove(this);
    if (passOn)
        owner->wakeOne(m_channel);
}

Completion<Done> UnlockListener::nextWake() {
    if (!m_owner)
        return Completion<Done>::completed(closedError());
    if (m_owed)
        return Completion<Done>::completed(Done());
    return m_wake.emplace();
}

UnlockSignals::UnlockSignals(redis::ConnectionOptions options, const redis::TransportFactory& makeTransport,
                             Clock& clock, QObject* parent)
    : QObject(parent), m_connection(namedForWaiting(std::move(options)), makeTransport, clock) {
    connect(&m_connection, &redis::Connection::stateChanged, this, &UnlockSignals::onStateChanged);
    connect(&m_connection, &redis::Connection::pushReceived, this, &UnlockSignals::onPush);
}

UnlockSignals::~UnlockSignals() {
    close();
}

std::shared_ptr<UnlockListener> UnlockSignals::listen(const QByteArray& channel) {
    return std::make_shared<UnlockListener>(*this, channel);
}

void UnlockSignals::close() {
    m_connection.close();
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
    m_connection.open();
    if (channel.state == SubscriptionState::Confirmed)
        listener->m_subscribed.complete(Done());
    else if (channel.state == SubscriptionState::Idle && m_connection.isReady())
        subscribe(listener->m_channel);
}

void UnlockSignals::remove(UnlockListener* listener) {
    const auto channel = m_channels.find(listener->m_channel);
    std::erase(channel->listeners, listener);
    if (!channel->listeners.empty())
        return;
    const bool subscribed = channel->state != SubscriptionState::Idle;
    m_channels.erase(channel);
    if (subscribed)
        m_connection.send(redis::Command("UNSUBSCRIBE").arg(listener->m_channel));
}

void UnlockSignals::subscribe(const QByteArray& channel) {
    const quint64 asked = ++m_lastAsked;
    m_channels[channel].state = SubscriptionState::Asked;
    m_channels[channel].asked = asked;
    m_connection.send(redis::Command("SUBSCRIBE").arg(channel))
        .then([this, alive = QPointer(this), channel, asked](const Result<redis::RespValue>& reply) {
            if (alive)
                onSubscribed(channel, asked, reply);
        });
}

void UnlockSignals::onSubscribed(const QByteArray& channel, quint64 asked, const Result<redis::RespValue>& reply) {
    const auto found = m_channels.find(channel);
    // All listeners are gone, or new ones came since: then an UNSUBSCRIBE was sent after this SUBSCRIBE, and only the
    // newest confirmation counts.
    if (found == m_channels.end() || found->asked != asked)
        return;
    if (!reply && reply.error().code == ErrorCode::ConnectionLost)
        return;  // the next connection subscribes again
    found->state = reply ? SubscriptionState::Confirmed : SubscriptionState::Idle;
    const bool missed = std::exchange(found->missed, false);
    std::vector<Completion<Done>> told;
    for (const UnlockListener* listener : found->listeners)
        told.push_back(listener->m_subscribed);
    for (const Completion<Done>& completion : told)
        completion.complete(reply ? Result<Done>(Done()) : Result<Done>(reply.error()));
    if (reply && missed)
        wakeAll(channel);
}

void UnlockSignals::onStateChanged(redis::Connection::State state) {
    if (state == redis::Connection::State::Waiting) {
        for (Channel& channel : m_channels) {
            channel.missed = channel.missed || channel.state == SubscriptionState::Confirmed;
            channel.state = SubscriptionState::Idle;
        }
    } else if (state == redis::Connection::State::Ready) {
        const QList<QByteArray> channels = m_channels.keys();
        for (const QByteArray& channel : channels) {
            if (m_channels.contains(channel))  // a refusal for an earlier channel may have removed listeners of this
                                               // one
                subscribe(channel);
        }
    }
}

void UnlockSignals::onPush(const redis::RespValue& push) {
    if (push.items.size() != 3 || push.items[0].bytes != "message")
        return;
    if (push.items[2].bytes == "1")
        wakeAll(push.items[1].bytes);
    else
        wakeOne(push.items[1].bytes);
}

void UnlockSignals::wakeOne(const QByteArray& channel) {
    const auto found = m_channels.constFind(channel);
    if (found == m_channels.cend())
        return;
    // Prefer a listener that sleeps. Otherwise choose one between its attempt and its sleep; it finds the wake-up then.
    const std::deque<UnlockListener*>& listeners = found->listeners;
    auto chosen =
        std::ranges::find_if(listeners, [](const UnlockListener* listener) { return listener->m_wake.has_value(); });
    if (chosen == listeners.end())
        chosen = std::ranges::find_if(listeners, [](const UnlockListener* listener) { return !listener->m_owed; });
    if (chosen != listeners.end())
        wake(**chosen);
}

void UnlockSignals::wakeAll(const QByteArray& channel) {
    // A listener that is woken may remove itself and others.
    const std::deque<UnlockListener*> listeners = m_channels.value(channel).listeners;
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
