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
    m_waiting.clear();
    const Result<Waiting> waiting = co_await askWhoWaits(ChannelKind::Plain, stop);
    Result<Waiting> sharded = Waiting();
    if (waiting && mayPublishByShard(m_scope, m_connection.server()))
        sharded = co_await askWhoWaits(ChannelKind::Sharded, stop);
    if (waiting && !sharded && redis::isRefusal(sharded.error()))
        m_denials.note(QStringLiteral("PUBSUB SHARDCHANNELS"), Consequence::WaitersUnknown);
    if (waiting && sharded) {
        m_waiting = *sharded;
        m_waiting.insert(*waiting);
        Q_EMIT counted(*waiting, began, *sharded);
    } else if (!waiting && redis::isRefusal(waiting.error())) {
        m_denials.note(QStringLiteral("PUBSUB"), Consequence::WaitersUnknown);
    }
    m_next = began + std::max<SteadyTime::duration>(SweepPace::startToStart, restPerCount * (clock.now() - began));
}

Task<Result<WaiterCount::Waiting>> WaiterCount::askWhoWaits(ChannelKind kind, std::stop_token stop) {
    const QByteArrayList patterns{"redisson_lock__channel:*", "redisson_rwlock:*"};
    const Result<QByteArrayList> channels = co_await subscribedChannels(&m_connection, patterns, stop, kind);
    if (!channels)
        co_return channels.error();
    const SteadyTime asked = m_connection.clock().now();
    const Result<QHash<QByteArray, int>> clients = co_await countSubscribers(&m_connection, *channels, stop, kind);
    if (!clients)
        co_return clients.error();
    QHash<QByteArray, int> counts = *clients;
    if (kind == ChannelKind::Sharded) {
        for (auto [channel, count] : counts.asKeyValueRange())
            count = withoutOwn(channel, count, asked);
        m_lastSharded = counts;
    }
    Waiting waiting;
    for (const QByteArray& channel : *channels)
        add(waiting, channel, counts.value(channel));
    co_return waiting;
}

// Of a subscription that was made meanwhile it is not known whether the server has counted it: then the last count
// stands.
int WaiterCount::withoutOwn(const QByteArray& channel, int clients, SteadyTime asked) {
    switch (m_own ? m_own(channel, asked) : ShardedMessages::Counted::No) {
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

// Names may share a channel: returns the known ones, or else the likeliest.
QList<LockName> WaiterCount::locksMeantBy(const QByteArray& channel) const {
    const QList<LockName> candidates = locks::locksOfChannel(channel);
    QList<LockName> known;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(known),
                 [this](const LockName& name) { return m_known.knows(name); });
    return known.isEmpty() ? candidates.mid(0, 1) : known;
}

}  // namespace lockkeeper::monitor

#include "moc_waitercount.cpp"
