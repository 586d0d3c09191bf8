// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/observe/sources/keyspaceevents.h"
#include "monitor/observe/sources/shardedmessages.h"
#include "monitor/observe/sources/unlockmessages.h"

namespace lockkeeper::monitor {

// What the server reports about locks, in the best way that this connection and its rights allow: tracked keys (CLIENT
// TRACKING), else keyspace events if they are already published, else nothing. In each case it also receives the
// messages of clients that release locks. Over RESP2 a subscribed connection accepts no other commands, so
// subscriptions use a second connection. Thread: the connection's. Connection, denials and scope must outlive it.
class LOCKKEEPER_MONITOR_EXPORT ChangeSources : public QObject {
    Q_OBJECT
public:
    ChangeSources(redis::Connection& connection, redis::TransportFactory makeTransport, Denials& denials,
                  const NodeScope& scope);
    ~ChangeSources() override;

    // Call it after each handshake: subscribes and returns the best mode. Fails only with the connection, or when
    // `stop` is requested.
    [[nodiscard]] Task<Result<ObservationMode>> choose(std::stop_token stop);
    // Why no better mode is used.
    [[nodiscard]] const ObservationLimit& limit() const noexcept { return m_limit; }
    void close();

    // A followed lock gets keyspace events until the connection is lost. Without effect in other modes.
    void follow(const LockName& name) { m_keyspaceEvents->follow(name); }
    void unfollow(const LockName& name) {
        m_keyspaceEvents->unfollow(name);
        m_sharded->unfollow(name);
    }
    // A followed lock was read. In a Cluster its messages may need a subscription.
    void noteRead(const LockName& name, const LastRead& lock,
                  ShardedMessages::Demand demand = ShardedMessages::Demand::None) {
        m_sharded->follow(name, lock, demand);
    }
    [[nodiscard]] ShardedMessages::Counted isCounted(const QByteArray& channel) const {
        return m_sharded->isCounted(channel);
    }
    // Whether keyspace events also report changes of a fair lock's queue.
    [[nodiscard]] bool noticesFairQueues() const { return m_keyspaceEvents->noticesFairQueues(); }

    // Whether subscriptions use another connection than reads: the order of their answers is then undefined.
    [[nodiscard]] bool isApart() const noexcept { return m_listener != &m_connection; }
    // The time since which every message about the lock has been received; nothing while messages may be missing.
    [[nodiscard]] std::optional<SteadyTime> receivesSince(const LockName& name, const LastRead& lock) const;
    // Completes when every message that the server sent before this call has been received; only needed if isApart().
    // False if this cannot be known.
    [[nodiscard]] Task<bool> catchUp(std::stop_token stop) { return m_messages->catchUp(std::move(stop)); }

Q_SIGNALS:
    // A tracked key changed: a lock's hash or one of its helper keys.
    void invalidated(const QByteArray& key);
    void flushed();
    // Keyspace events: touched() for a followed lock's hash, queueTouched() for any fair lock's queue.
    void touched(const lockkeeper::LockName& name);
    void queueTouched(const lockkeeper::LockName& name);
    // The locks that a message may be about, the likeliest first; never empty.
    void messageReceived(const QList<lockkeeper::LockName>& candidates);
    // The node does not keep these locks any more.
    void movedAway(const QList<lockkeeper::LockName>& candidates);
    // This user may not subscribe to the events of a lock. Then no lock is followed and all are polled: mixing both
    // would show some locks late. Emitted once a session.
    void eventsRefused();
    // Keyspace events come again after an interruption; every lock must be followed again.
    void eventsInterrupted();

private:
    [[nodiscard]] Task<Result<ObservationMode>> chooseOverResp3(std::stop_token stop);
    [[nodiscard]] Task<Result<ObservationMode>> chooseOverResp2(std::stop_token stop);
    void openApart();
    void listenOn(redis::Connection& listener);
    void onPush(const redis::RespValue& push);

    redis::Connection& m_connection;
    const redis::TransportFactory m_makeTransport;
    Denials& m_denials;
    const NodeScope& m_scope;
    std::unique_ptr<redis::Connection> m_apart;  // only over RESP2
    redis::Connection* m_listener = nullptr;
    std::unique_ptr<ShardedMessages> m_sharded;
    std::unique_ptr<UnlockMessages> m_messages;
    std::unique_ptr<KeyspaceEvents> m_keyspaceEvents;
    ObservationLimit m_limit;
};

}  // namespace lockkeeper::monitor
