// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "monitor/model/knownlocks.h"
#include "monitor/model/listeners.h"
#include "monitor/model/nodescope.h"
#include "monitor/observe/read/clientlist.h"
#include "monitor/observe/sources/shardedmessages.h"
#include "monitor/observe/sources/subscribers.h"
#include "redis/connection.h"

#include <QHash>
#include <QObject>

#include <functional>

namespace lockkeeper::monitor {

// Reads from the server which channels of locks have subscribers, and how many (PUBSUB); in a Cluster also which
// sharded channels. A refusal is noted. Thread: the connection's. Connection, denials and scope must outlive it.
class LOCKKEEPER_MONITOR_EXPORT WaiterCount : public QObject {
    Q_OBJECT
public:
    // known: if several names share a channel, the subscribers count for the known ones.
    WaiterCount(redis::Connection& connection, Denials& denials, const KnownLocks& known, const NodeScope& scope);

    // Whether a monitor of this program is among the subscribers of a sharded channel; it is then not counted.
    using IsCounted = std::function<ShardedMessages::Counted(const QByteArray& channel)>;
    void subtract(IsCounted own) { m_own = std::move(own); }

    // Completes when everything is counted, the connection is lost, or `stop` is requested.
    [[nodiscard]] Task<void> count(std::stop_token stop);
    // Whether the next count may be made. With many channels a count is work for the server, so a pause follows it.
    [[nodiscard]] bool isDue() const { return m_connection.clock().now() >= m_next; }
    // The last count on channels of both kinds, without subscribers that may be other monitors only; empty if the count
    // failed.
    [[nodiscard]] const QHash<LockName, Listeners>& waiting() const noexcept { return m_waiting; }

Q_SIGNALS:
    // The server's whole list, read after countBegan. sharded: by sharded channels, which only a Cluster has.
    void counted(const QHash<lockkeeper::LockName, lockkeeper::monitor::Listeners>& waiting,
                 lockkeeper::SteadyTime countBegan,
                 const QHash<lockkeeper::LockName, lockkeeper::monitor::Listeners>& sharded);

private:
    using Waiting = QHash<LockName, Listeners>;

    Task<Result<Waiting>> askWhoWaits(ChannelKind kind, std::stop_token stop);
    [[nodiscard]] Waiting plainWaiting(const QByteArrayList& channels, const QHash<QByteArray, int>& clients) const;
    Waiting shardedWaiting(const QByteArrayList& channels, const QHash<QByteArray, int>& clients,
                           const std::vector<ShardedMessages::Counted>& ownBefore);
    // The connections that subscribe to channels; empty if the server does not say.
    Task<QList<ClientListEntry>> listSubscribers(std::stop_token stop);
    // Whether no client but monitors of this program subscribes to sharded channels; false if that is not known.
    Task<bool> onlyMonitorsSubscribe(std::stop_token stop);
    Task<void> countOtherMonitors(std::stop_token stop);
    void addMonitors(Waiting& sharded) const;
    void add(Waiting& waiting, const QByteArray& channel, int clients) const;
    [[nodiscard]] ShardedMessages::Counted isOwnCounted(const QByteArray& channel) const;
    [[nodiscard]] int withoutOwn(const QByteArray& channel, int clients, ShardedMessages::Counted before) const;
    QList<LockName> locksMeantBy(const QByteArray& channel) const;

    redis::Connection& m_connection;
    Denials& m_denials;
    const KnownLocks& m_known;
    const NodeScope& m_scope;
    IsCounted m_own;
    Waiting m_waiting;
    int m_otherMonitors = 0;
    QHash<QByteArray, int> m_lastSharded;  // by channel, without our own subscriptions; only channels that have others
    SteadyTime::duration m_listing{};      // how long the server listed channels and clients for this count
    SteadyTime m_next{};
};

}  // namespace lockkeeper::monitor
