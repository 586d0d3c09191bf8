// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/sources/waitercount.h"

#include "locks/lockkeys.h"
#include "monitor/observe/read/sweeppace.h"
#include "monitor/observe/sources/subscribers.h"
#include "redis/replyerrors.h"

namespace lockkeeper::monitor {

WaiterCount::WaiterCount(redis::Connection& connection, Denials& denials, const KnownLocks& known)
    : m_connection(connection), m_denials(denials), m_known(known) {}

Task<void> WaiterCount::count(std::stop_token stop) {
    const Clock& clock = m_connection.clock();
    const SteadyTime began = clock.now();
    m_next = SteadyTime::max();
    m_waiting.clear();
    const Result<Waiting> waiting = co_await askWhoWaits(stop);
    if (waiting) {
        m_waiting = *waiting;
        Q_EMIT counted(m_waiting, began);
    } else if (redis::isRefusal(waiting.error())) {
        m_denials.note(QStringLiteral("PUBSUB"), Consequence::WaitersUnknown);
    }
    m_next = began + std::max<SteadyTime::duration>(SweepPace::startToStart, restPerCount * (clock.now() - began));
}

Task<Result<WaiterCount::Waiting>> WaiterCount::askWhoWaits(std::stop_token stop) {
    const QByteArrayList patterns{"redisson_lock__channel:*", "redisson_rwlock:*"};
    const Result<QByteArrayList> channels = co_await subscribedChannels(&m_connection, patterns, stop);
    if (!channels)
        co_return channels.error();
    const Result<QHash<QByteArray, int>> clients = co_await countSubscribers(&m_connection, *channels, stop);
    if (!clients)
        co_return clients.error();
    Waiting waiting;
    for (const QByteArray& channel : *channels)
        add(waiting, channel, clients->value(channel));
    co_return waiting;
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
