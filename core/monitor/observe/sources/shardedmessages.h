// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "monitor/model/nodescope.h"
#include "monitor/observe/lastread.h"
#include "redis/connection.h"

#include <QHash>
#include <QSet>

#include <array>
#include <map>

namespace lockkeeper::monitor {

// Whether clients of this node may publish on sharded channels: in a Cluster of Redis 7 or newer.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool mayPublishByShard(const NodeScope& scope, const redis::ServerInfo& server);

// Receives the release messages of a Cluster that are published by shard. A pattern does not cover these, so it
// subscribes to the channels of known locks, one by one, on the node that keeps them. Their number is bounded: a held
// lock replaces a free one, and a lock that clients wait for replaces both. It never subscribes to the channels of a
// fair lock's waiters, because Redisson publishes there for the waiter alone. Without a Cluster it sends nothing.
// Thread: the connection's. Connection, denials and scope must outlive it.
class LOCKKEEPER_MONITOR_EXPORT ShardedMessages : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype mostChannels = 5000;

    ShardedMessages(redis::Connection& connection, Denials& denials, const NodeScope& scope,
                    qsizetype bound = mostChannels);

    enum class Demand { None, WaitedFor };
    // Call after each read of a watched lock, and when clients begin or cease to wait for the lock.
    void follow(const LockName& name, const LastRead& lock, Demand demand = Demand::None);
    void unfollow(const LockName& name);

    // True if clients may publish what only follow() lets through.
    [[nodiscard]] bool areNeeded() const { return mayPublishByShard(m_scope, m_connection.server()); }
    // The time since which every such message about the lock has been received; nothing while messages may be missing.
    [[nodiscard]] std::optional<SteadyTime> receivesSince(const LockName& name, const LastRead& lock) const;

    // Whether the server counts this connection as a subscriber of the channel. Unclear: the subscription is about to
    // begin or to end.
    enum class Counted { No, Yes, Unclear };
    [[nodiscard]] Counted isCounted(const QByteArray& channel) const;

    // Whether the message that is being reported was published on both the sharded and the plain channel, and the other
    // copy came directly before. Clients that wake both old and new versions publish twice.
    [[nodiscard]] bool isRepetition() const noexcept { return m_isRepetition; }

Q_SIGNALS:
    // The locks that the message may be about, the likeliest first; never empty.
    void received(const QList<lockkeeper::LockName>& candidates);
    // The server has ended a subscription: another node keeps these locks now.
    void movedAway(const QList<lockkeeper::LockName>& candidates);

private:
    // Which channels are subscribed first: the later the value stands here, the sooner.
    enum class Precedence { Free, Held, WaitedFor };
    struct Channel {
        std::optional<SteadyTime> since;  // nothing: not confirmed yet
        Precedence precedence = Precedence::Free;
        quint64 place = 0;  // position in the list of its precedence
    };
    using Places = std::map<quint64, QByteArray>;

    Task<void> subscribe(QByteArray channel);
    void end(const QByteArray& channel);
    void unsubscribe(const QByteArray& channel);
    void remove(const QByteArray& channel);
    [[nodiscard]] bool makeRoom(Precedence wanted);
    void add(const QByteArray& channel, Precedence precedence);
    [[nodiscard]] Places& placesOf(Precedence precedence) { return m_places[static_cast<size_t>(precedence)]; }
    void onPush(const redis::RespValue& push);
    void noteMessage(const QByteArray& kind, const QByteArray& channel);
    void onStateChanged(redis::Connection::State state);

    redis::Connection& m_connection;
    Denials& m_denials;
    const NodeScope& m_scope;
    const qsizetype m_bound;
    QHash<QByteArray, Channel> m_channels;
    std::array<Places, 3> m_places;  // of each precedence, the longest first
    quint64 m_lastPlace = 0;
    QSet<QByteArray> m_leaving;  // no longer followed, but the server may still count the subscription
    bool m_isRefused = false;
    QByteArray m_lastKind;
    QByteArray m_lastChannel;
    bool m_isRepetition = false;
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
