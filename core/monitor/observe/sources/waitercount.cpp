// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/waitercount.h"

#include "locks/lockkeys.h"
#include "monitor/observe/read/sweeppace.h"
#include "redis/replyerrors.h"

namespace lockkeeper::monitor {

WaiterCount::WaiterCount(redis::Connection& connection, Denials& denials, const KnownLocks& known,
                         const NodeScope& scope)
    : m_connection(connection), m_denials(denials), m_known(known), m_scope(scope) {}

Task<void> WaiterCount::count(std::stop_token stop) {
    const Clock& clock = m_connection.clock();
    const SteadyTime began = clock.now();
    m_next = SteadyTime::max();
    m_listing = {};
    m_waiting.clear();
    const Result<Waiting> waiting = co_await askWhoWaits(ChannelKind::Plain, stop);
    Result<Waiting> sharded = Waiting();
    if (waiting && mayPublishByShard(m_scope, m_connection.server())) {
        const bool onlyMonitors = co_await onlyMonitorsSubscribe(stop);
        if (onlyMonitors)
            m_lastSharded.clear();
        else
            sharded = co_await askWhoWaits(ChannelKind::Sharded, stop);
    }
    if (sharded && !sharded->isEmpty()) {
        co_await countOtherMonitors(stop);
        addMonitors(sharded.value());
    }
    if (waiting && !sharded && redis::isRefusal(sharded.error()))
        m_denials.note(QStringLiteral("PUBSUB SHARDCHANNELS"), Consequence::WaitersUnknown);
    if (waiting && sharded) {
        m_waiting = *waiting;
        for (auto [name, listeners] : sharded->asKeyValueRange()) {
            if (listeners.certain() > 0)
                m_waiting[name] = listeners;
        }
        Q_EMIT counted(*waiting, began, *sharded);
    } else if (!waiting && redis::isRefusal(waiting.error())) {
        m_denials.note(QStringLiteral("PUBSUB"), Consequence::WaitersUnknown);
    }
    m_next = std::max<SteadyTime>(began + SweepPace::startToStart, clock.now() + restPerCount * m_listing);
}

Task<Result<WaiterCount::Waiting>> WaiterCount::askWhoWaits(ChannelKind kind, std::stop_token stop) {
    const QByteArrayList patterns{"redisson_lock__channel:*", "redisson_rwlock:*"};
    const SteadyTime began = m_connection.clock().now();
    const Result<QByteArrayList> channels = co_await subscribedChannels(&m_connection, patterns, stop, kind);
    m_listing += m_connection.clock().now() - began;
    if (!channels)
        co_return channels.error();
    std::vector<ShardedMessages::Counted> own;  // of each channel, before the server counts
    for (const QByteArray& channel : kind == ChannelKind::Sharded ? *channels : QByteArrayList())
        own.push_back(isOwnCounted(channel));
    const Result<QHash<QByteArray, int>> clients = co_await countSubscribers(&m_connection, *channels, stop, kind);
    if (!clients)
        co_return clients.error();
    co_return kind == ChannelKind::Sharded ? shardedWaiting(*channels, *clients, own)
                                           : plainWaiting(*channels, *clients);
}

WaiterCount::Waiting WaiterCount::plainWaiting(const QByteArrayList& channels,
                                               const QHash<QByteArray, int>& clients) const {
    Waiting waiting;
    for (const QByteArray& channel : channels)
        add(waiting, channel, clients.value(channel));
    return waiting;
}

// Most channels have no subscriber but this monitor.
WaiterCount::Waiting WaiterCount::shardedWaiting(const QByteArrayList& channels, const QHash<QByteArray, int>& clients,
                                                 const std::vector<ShardedMessages::Counted>& ownBefore) {
    Waiting waiting;
    QHash<QByteArray, int> others;
    for (qsizetype i = 0; i < channels.size(); ++i) {
        const QByteArray& channel = channels[i];
        const int count = withoutOwn(channel, clients.value(channel), ownBefore[static_cast<size_t>(i)]);
        if (count <= 0)
            continue;
        others.insert(channel, count);
        add(waiting, channel, count);
    }
    m_lastSharded = others;
    return waiting;
}

Task<QList<ClientListEntry>> WaiterCount::listSubscribers(std::stop_token stop) {
    if (m_connection.options().clientName.isEmpty())
        co_return {};
    const SteadyTime began = m_connection.clock().now();
    const Completion<redis::RespValue> answer = m_connection.send(redis::Command("CLIENT", {"LIST", "TYPE", "PUBSUB"}));
    const Result<redis::RespValue> list = co_await answer.wait(Deadline::never(m_connection.clock()), stop);
    m_listing += m_connection.clock().now() - began;
    if (!list && redis::isRefusal(list.error()))
        m_denials.note(QStringLiteral("CLIENT LIST"), Consequence::OtherMonitorsUnknown);
    co_return list ? parseClientList(list->bytes) : QList<ClientListEntry>();
}

// Asked before the channels, because a monitor subscribes to thousands of them: to list and count those takes a server
// and this program milliseconds.
Task<bool> WaiterCount::onlyMonitorsSubscribe(std::stop_token stop) {
    const QList<ClientListEntry> clients = co_await listSubscribers(stop);
    const QByteArray& ourName = m_connection.options().clientName;
    co_return !clients.isEmpty() && std::ranges::all_of(clients, [&](const ClientListEntry& client) {
        return client.shardedSubscriptions && (*client.shardedSubscriptions == 0 || client.name == ourName);
    });
}

// Another monitor on this node subscribes to the sharded channels of the locks that it knows, as a waiter does. It
// subscribes to other channels by patterns, which no count of a channel contains. The list is read after the count, so
// that no monitor of the count is missing in it.
Task<void> WaiterCount::countOtherMonitors(std::stop_token stop) {
    const QList<ClientListEntry> clients = co_await listSubscribers(stop);
    const QByteArray& ourName = m_connection.options().clientName;
    const auto monitors = std::count_if(clients.begin(), clients.end(), [&](const ClientListEntry& client) {
        const bool isBroadcast = client.flags.contains('B');  // see BroadcastTracking: receives no messages
        return client.name == ourName && client.id != m_connection.server().connectionId && !isBroadcast;
    });
    constexpr int own = 1;  // the connection that receives messages
    m_otherMonitors = std::max(0, static_cast<int>(monitors) - own);
}

void WaiterCount::addMonitors(Waiting& sharded) const {
    for (auto [name, listeners] : sharded.asKeyValueRange())
        listeners.monitors = std::min(m_otherMonitors, listeners.clients);
}

ShardedMessages::Counted WaiterCount::isOwnCounted(const QByteArray& channel) const {
    return m_own ? m_own(channel) : ShardedMessages::Counted::No;
}

// If a subscription began or ended during the count, it is not known whether the server has counted it. The last count
// is then used.
int WaiterCount::withoutOwn(const QByteArray& channel, int clients, ShardedMessages::Counted before) const {
    const bool isSame = isOwnCounted(channel) == before;
    switch (isSame ? before : ShardedMessages::Counted::Unclear) {
        case ShardedMessages::Counted::No:
            return clients;
        case ShardedMessages::Counted::Yes:
            return clients - 1;
        case ShardedMessages::Counted::Unclear:
            return std::min(clients, m_lastSharded.value(channel));
    }
    return clients;
}

void WaiterCount::add(Waiting& waiting, const QByteArray& channel, int clients) const {
    if (clients <= 0)
        return;
    for (const LockName& name : locksMeantBy(channel)) {
        Listeners& listeners = waiting[name];
        listeners.clients += clients;
        if (const std::optional<HolderId> waiter = locks::fairWaiterOfChannel(channel))
            listeners.fairWaiters.append(*waiter);
    }
}

// Names may share a channel: returns the known names, or else the likeliest one.
QList<LockName> WaiterCount::locksMeantBy(const QByteArray& channel) const {
    const QList<LockName> candidates = locks::locksOfChannel(channel);
    QList<LockName> known;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(known),
                 [this](const LockName& name) { return m_known.knows(name); });
    return known.isEmpty() ? candidates.mid(0, 1) : known;
}

}  // namespace lockkeeper::monitor

#include "moc_waitercount.cpp"
