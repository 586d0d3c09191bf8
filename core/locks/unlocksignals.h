#pragma once

#include "redis/connection.h"

#include <QHash>
#include <QObject>

#include <deque>
#include <memory>

namespace lockkeeper::locks {

class UnlockSignals;

// One waiter's ear on one unlock channel. While any listener of a channel lives, the client is subscribed to it; the
// server counts a client once, however many of its threads wait. A wake-up that reached a listener which then leaves
// without having tried the lock goes on to the next one: otherwise a cancelled waiter would let the others sleep beside
// a free lock.
class LOCKKEEPER_EXPORT UnlockListener {
public:
    UnlockListener(UnlockSignals& owner, QByteArray channel);
    UnlockListener(const UnlockListener&) = delete;
    UnlockListener& operator=(const UnlockListener&) = delete;
    ~UnlockListener();

    // Ends when the server has confirmed the subscription; await it once. Fails when it refuses, or the client closes.
    [[nodiscard]] Completion<Done> subscribed() const { return m_subscribed; }
    // Ends with the next message for this waiter; at once when one came since the last call. Also ends, as a reason to
    // look again, when the subscription was lost and is back. Fails when the client closes.
    [[nodiscard]] Completion<Done> nextWake();
    // To be called before the lock is tried: uses a wake-up up, and says whether there was one. One that comes while
    // the answer is under way counts for the next try.
    [[nodiscard]] bool takeWake() noexcept { return std::exchange(m_owed, false); }
    // The try that takeWake() was for did not happen.
    void returnWake() noexcept { m_owed = true; }

private:
    friend class UnlockSignals;

    UnlockSignals* m_owner;
    const QByteArray m_channel;
    Completion<Done> m_subscribed;
    std::optional<Completion<Done>> m_wake;
    bool m_owed = false;  // woken, and not taken yet
};

// A client's subscriptions to unlock channels, on a connection of their own. A message `0` wakes one waiter of this
// client, `1` all of them (protocol.md, "Release"). Thread: the connection's.
class LOCKKEEPER_EXPORT UnlockSignals : public QObject {
    Q_OBJECT
public:
    UnlockSignals(redis::ConnectionOptions options, const redis::TransportFactory& makeTransport, Clock& clock,
                  QObject* parent = nullptr);
    ~UnlockSignals() override;

    // The connection is made with the first listener: a client that never waits costs the server one connection.
    [[nodiscard]] std::shared_ptr<UnlockListener> listen(const QByteArray& channel);
    // Ends every listener with an error.
    void close();
    [[nodiscard]] qsizetype channelCount() const noexcept { return m_channels.size(); }
    [[nodiscard]] redis::Connection& connection() noexcept { return m_connection; }

private:
    friend class UnlockListener;

    enum class SubscriptionState { Idle, Asked, Confirmed };
    struct Channel {
        std::deque<UnlockListener*> listeners;
        SubscriptionState state = SubscriptionState::Idle;
        quint64 asked = 0;    // the number of the SUBSCRIBE whose answer counts
        bool missed = false;  // there was a gap: messages may have been lost
    };

    void add(UnlockListener* listener);
    void remove(UnlockListener* listener);
    void subscribe(const QByteArray& channel);
    void onSubscribed(const QByteArray& channel, quint64 asked, const Result<redis::RespValue>& reply);
    void onStateChanged(redis::Connection::State state);
    void onPush(const redis::RespValue& push);
    void wakeOne(const QByteArray& channel);
    void wakeAll(const QByteArray& channel);
    static void wake(UnlockListener& listener);

    redis::Connection m_connection;
    QHash<QByteArray, Channel> m_channels;
    quint64 m_lastAsked = 0;
};

}  // namespace lockkeeper::locks
