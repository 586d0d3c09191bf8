#include "monitor/watch/waitercount.h"

#include "locks/lockkeys.h"
#include "monitor/watch/sweeppace.h"
#include "redis/replyerrors.h"

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

namespace {

constexpr qsizetype channelsPerCount = 500;
constexpr int restPerCount = 20;  // so many times as long as it takes

}  // namespace

WaiterCount::WaiterCount(redis::Connection& connection, Denials& denials, IsKnown isKnown)
    : m_connection(connection), m_denials(denials), m_isKnown(std::move(isKnown)) {}

Task<void> WaiterCount::count(std::stop_token stop) {
    const SteadyTime began = m_connection.clock().now();
    m_next = SteadyTime::max();
    co_await countAll(began, stop);
    const SteadyTime::duration took = m_connection.clock().now() - began;
    m_next = began + std::max<SteadyTime::duration>(SweepPace::startToStart, restPerCount * took);
}

Task<void> WaiterCount::countAll(SteadyTime began, std::stop_token stop) {
    m_waiting.clear();
    const Result<QByteArrayList> channels = co_await contendedChannels(stop);
    if (!channels)
        co_return;
    const auto waiting = std::make_shared<Waiting>();
    for (qsizetype i = 0; i < channels->size(); i += channelsPerCount) {
        const QByteArrayList some = channels->mid(i, channelsPerCount);
        const bool answered = co_await countSubscribers(some, waiting, stop);
        if (!answered)
            co_return;
    }
    m_waiting = *waiting;
    Q_EMIT counted(m_waiting, began);
}

Task<Result<QByteArrayList>> WaiterCount::contendedChannels(std::stop_token stop) {
    QByteArrayList channels;
    for (const char* pattern : {"redisson_lock__channel:*", "redisson_rwlock:*"}) {
        const Command command("PUBSUB", {"CHANNELS", pattern});
        const Result<RespValue> reply = co_await ask(command, stop);
        if (!reply)
            co_return reply.error();
        for (const RespValue& channel : reply->items)
            channels.append(channel.bytes);
    }
    co_return channels;
}

Task<bool> WaiterCount::countSubscribers(QByteArrayList channels, std::shared_ptr<Waiting> waiting,
                                         std::stop_token stop) {
    const Command command("PUBSUB", QByteArrayList{"NUMSUB"} + channels);
    const Result<RespValue> reply = co_await ask(command, stop);
    if (!reply)
        co_return false;
    for (size_t i = 0; i + 1 < reply->items.size(); i += 2) {
        const QByteArray& channel = reply->items[i].bytes;
        const qint64 clients = reply->items[i + 1].integer;
        if (clients <= 0)
            continue;
        for (const LockName& name : locksMeantBy(channel)) {
            Listeners& listeners = (*waiting)[name];
            listeners.clients += static_cast<int>(clients);
            if (const std::optional<HolderId> waiter = locks::fairWaiterOfChannel(channel))
                listeners.fairWaiters.append(*waiter);
        }
    }
    co_return true;
}

// Names that share a channel: those that are known, or else the likeliest.
QList<LockName> WaiterCount::locksMeantBy(const QByteArray& channel) const {
    const QList<LockName> candidates = locks::locksOfChannel(channel);
    QList<LockName> known;
    std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(known), m_isKnown);
    return known.isEmpty() ? candidates.mid(0, 1) : known;
}

Task<Result<RespValue>> WaiterCount::ask(Command command, std::stop_token stop) {
    const Completion<RespValue> answer = m_connection.send(command);
    Result<RespValue> reply = co_await answer.wait(Deadline::never(m_connection.clock()), std::move(stop));
    if (!reply && redis::isRefusal(reply.error()))
        m_denials.note(QStringLiteral("PUBSUB"),
                       QStringLiteral("who waits for a lock is not known, except in a fair lock's queue"));
    co_return reply;
}

}  // namespace lockkeeper::monitor
