// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/shardconnections.h"

#include <QHash>
#include <QObject>

#include <deque>
#include <memory>

namespace lockkeeper::locks {

class UnlockSignals;

// One waiter's subscription to one unlock channel. The client is subscribed to a channel as long as any listener of it
// lives; the server counts a client once, however many of its threads wait. If a listener is destroyed after a wake-up
// without having tried the lock, the next listener gets the wake-up. Otherwise a cancelled waiter could leave the
// others asleep although the lock is free.
class LOCKKEEPER_EXPORT UnlockListener {
public:
    // wants: how many free permits of a semaphore the listener waits for; nothing: it waits for a message of a lock.
    UnlockListener(UnlockSignals& owner, QByteArray channel, std::optional<qint64> wants = std::nullopt);
    UnlockListener(const UnlockListener&) = delete;
    UnlockListener& operator=(const UnlockListener&) = delete;
    ~UnlockListener();

    // Completes when the server has confirmed the subscription; await it once. Fails if the server refuses it or the
    // client closes.
    [[nodiscard]] Completion<Done> subscribed() const { return m_subscribed; }
    // Completes with the next message for this waiter; at once if one came since the last call. Also completes, as a
    // reason to try again, when a lost subscription is restored. Fails if the client closes.
    [[nodiscard]] Completion<Done> nextWake();
    // Call before the lock is tried. Consumes a wake-up and returns whether there was one. A wake-up that comes before
    // the answer counts for the next attempt.
    [[nodiscard]] bool takeWake() noexcept { return std::exchange(m_owed, false); }
    // The attempt for which takeWake() was called did not take place.
    void returnWake() noexcept { m_owed = true; }

private:
    friend class UnlockSignals;

    UnlockSignals* m_owner;
    const QByteArray m_channel;
    const std::optional<qint64> m_wants;
    qint64 m_offered = 0;  // the free permits of the last wake-up
    Completion<Done> m_subscribed;
    std::optional<Completion<Done>> m_wake;
    bool m_owed = false;  // a wake-up has arrived and is not consumed
};

// A client's subscriptions to unlock channels, on their own connections. On the channel of a lock the message `0` wakes
// one waiter of this client, `1` wakes all of them (core/locks/protocol.md, "Release"). On the channel of a semaphore
// the message is the number of free permits, and wakes as many waiters as these are enough for. A waiter of a latch
// wants no permits.
//
// In a Cluster of Redis 7 or newer the client also subscribes to the shard channel, at the master that serves its slot.
// When the slot moves, the client subscribes at the new master and wakes the waiters, because a message may have been
// missed. Thread: the connections'.
class LOCKKEEPER_EXPORT UnlockSignals : public QObject {
    Q_OBJECT
public:
    UnlockSignals(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock, QObject* parent = nullptr);
    ~UnlockSignals() override;

    // A connection is opened with the first listener: a client that never waits needs only one connection a server.
    [[nodiscard]] std::shared_ptr<UnlockListener> listen(const QByteArray& channel,
                                                         std::optional<qint64> wants = std::nullopt);
    // Wakes as many of a semaphore's waiters as this number of free permits is enough for, the first ones first.
    // Waiters that are already awake count, too.
    void offer(const QByteArray& channel, qint64 freePermits);
    // Ends every listener with an error.
    void close();
    [[nodiscard]] qsizetype channelCount() const noexcept { return m_channels.size(); }
    [[nodiscard]] topology::ShardConnections& connections() noexcept { return m_connections; }

private:
    friend class UnlockListener;

    enum class SubscriptionState { Idle, Asked, Confirmed };
    struct Channel {
        std::deque<UnlockListener*> listeners;
        SubscriptionState state = SubscriptionState::Idle;
        quint64 asked = 0;               // the number of the subscription whose answers count
        int unanswered = 0;              // commands of this subscription without an answer
        QPointer<redis::Connection> at;  // the connection with the subscription
        int refusals = 0;                // refusals by nodes that do not serve its slot, since the last confirmation
        bool missed = false;             // the subscription was interrupted: messages may have been lost
    };

    void add(UnlockListener* listener);
    void remove(UnlockListener* listener);
    void subscribe(const QByteArray& name);
    void subscribeIfPossible(const QByteArray& name);
    void subscribeElsewhere(const QByteArray& name);
    void onAnswer(const QByteArray& name, quint64 asked, const Result<redis::RespValue>& reply);
    void onSubscribed(const QByteArray& name, const Result<redis::RespValue>& reply);
    void unsubscribe(const QByteArray& name, const Channel& from);
    void interrupt(const QByteArray& name);
    void onStateChanged(const redis::Connection* connection, redis::Connection::State state);
    void onOwnersChanged();
    void onPush(const redis::RespValue& push);
    void onMessage(const QByteArray& channel, const QByteArray& message);
    void wakeOne(const QByteArray& channel);
    void wakeAll(const QByteArray& channel);
    void wakeThese(const QByteArray& channel, const std::deque<UnlockListener*>& listeners);
    static void wake(UnlockListener& listener);

    topology::ShardConnections m_connections;
    QHash<QByteArray, Channel> m_channels;
    quint64 m_lastAsked = 0;
};

}  // namespace lockkeeper::locks
