#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/observe/sources/keyspaceevents.h"
#include "monitor/observe/sources/unlockmessages.h"

namespace lockkeeper::monitor {

// What the server tells by itself about locks, in the best way that this connection and its rights allow: tracked keys
// (CLIENT TRACKING), else keyspace events where they are published already, else nothing; and the messages of clients
// that give locks back. Over RESP2, where a subscribed connection takes no other commands, what is subscribed to comes
// on a connection of its own. Thread: the connection's, which must outlive it, as denials must.
class LOCKKEEPER_MONITOR_EXPORT ChangeSources : public QObject {
    Q_OBJECT
public:
    ChangeSources(redis::Connection& connection, redis::TransportFactory makeTransport, Denials& denials);
    ~ChangeSources() override;

    // After each handshake, anew: begins to listen, and answers the best way there is. Fails only with the connection,
    // or when the token asks.
    [[nodiscard]] Task<Result<ObservationMode>> choose(std::stop_token stop);
    // Why not the better mode; empty when it is the best.
    [[nodiscard]] const QString& reason() const noexcept { return m_reason; }
    void close();

    // Keyspace events come for locks that are followed, until the connection is lost. Nothing happens in other modes.
    void follow(const LockName& name) { m_keyspaceEvents->follow(name); }
    void unfollow(const LockName& name) { m_keyspaceEvents->unfollow(name); }
    // Keyspace events: who joins or leaves the queue of a fair lock is heard too.
    [[nodiscard]] bool hearsFairQueues() const { return m_keyspaceEvents->hearsFairQueues(); }

    // What is subscribed to comes on another connection than looks do: either may be ahead of the other.
    [[nodiscard]] bool isApart() const noexcept { return m_listener != &m_connection; }
    // Since when each message about a lock of this kind has been heard; nothing while they are not.
    [[nodiscard]] std::optional<SteadyTime> hearsSince(LockKind kind) const { return m_messages->hearsSince(kind); }
    // Ends when every message that the server sent before this call has been heard; only needed apart. False when that
    // cannot be known.
    [[nodiscard]] Task<bool> catchUp(std::stop_token stop) { return m_messages->catchUp(std::move(stop)); }

Q_SIGNALS:
    // A tracked key was changed: of a lock, or one of its helper keys.
    void invalidated(const QByteArray& key);
    void flushed();
    // Keyspace events: of a followed lock's hash, and of any fair lock's queue.
    void touched(const lockkeeper::LockName& name);
    void queueTouched(const lockkeeper::LockName& name);
    // The locks that a message may be about, the likeliest first; never none.
    void messageHeard(const QList<lockkeeper::LockName>& candidates);
    // Some lock may not be followed: then none is, and polling sees them all alike. Once a session.
    void eventsRefused();
    // Keyspace events are heard again after a time in which they were not; what was followed is to be followed anew.
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
    std::unique_ptr<redis::Connection> m_apart;  // where it is needed
    redis::Connection* m_listener = nullptr;
    std::unique_ptr<UnlockMessages> m_messages;
    std::unique_ptr<KeyspaceEvents> m_keyspaceEvents;
    QString m_reason;
};

}  // namespace lockkeeper::monitor
