// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/beforesendingagain.h"
#include "redis/connection.h"
#include "topology/shards.h"

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace lockkeeper::redis {
class ScriptCall;
}

namespace lockkeeper::topology {

class RedirectedCall;

// One connection to the master of each shard, made when it is first needed. A command goes to the master that keeps its
// key, also when that master changes. A slot connected to its signals may delete it or call it, or run an event loop.
// They come from the event loop, except that open() and close() emit stateChanged() themselves. Thread: the clock's.
class LOCKKEEPER_EXPORT ShardConnections : public QObject {
    Q_OBJECT
public:
    // shards and clock must outlive this object.
    ShardConnections(redis::ConnectionOptions options, Shards& shards, Clock& clock, QObject* parent = nullptr);
    ~ShardConnections() override;

    void open();
    // Closes all connections and ends every call.
    void close();
    [[nodiscard]] Clock& clock() const noexcept { return m_clock; }
    [[nodiscard]] Shards& shards() const noexcept { return m_shards; }

    // Whether messages of locks are published by shard on this connection's server: in a Cluster of Redis 7 or newer.
    [[nodiscard]] bool isSharded(const redis::Connection& connection) const;

    // CLIENT TRACKING OPTIN is on for this connection. From now on tracked scripts are sent as such there, until the
    // connection ends.
    void noteTracking(const redis::Connection& connection) { m_tracking.insert(&connection); }
    [[nodiscard]] bool isTracking(const redis::Connection& connection) const {
        return m_tracking.contains(&connection);
    }

    // The connection to the master that keeps this key. Null while that master is not known; never null without a
    // Cluster. When the shard is gone, the connection is deleted, but not in the same turn of the event loop.
    [[nodiscard]] redis::Connection* of(QByteArrayView key);
    // The connection to the master that announces itself with this "host:port"; null if it is not known.
    [[nodiscard]] redis::Connection* at(const QString& address);

    [[nodiscard]] bool isReady(QByteArrayView key);
    // Completes when a command about this key can be sent. Always wait with a deadline.
    [[nodiscard]] Completion<Done> whenReady(QByteArrayView key);
    // Why a command about this key cannot be sent; only meaningful while that is so.
    [[nodiscard]] Error lastError(QByteArrayView key);

    // Runs a script by EVALSHA, as redis::runScript(). In a Cluster a refusal that does not concern the script (MOVED,
    // ASK, TRYAGAIN, ...) is not the answer. The server has executed nothing, so the script is sent again to the right
    // node, or after a pause, until `patience` or as long as the caller waits. If the script is still refused then, the
    // refusal is the answer, and nothing was executed. key: one of the call's keys.
    [[nodiscard]] Completion<redis::RespValue> run(QByteArrayView key, redis::ScriptCall call, Deadline patience,
                                                   redis::BeforeSendingAgain beforeAgain = {});
    // Sends the command once, to the master that keeps the key. After MOVED the next command goes to the right node.
    [[nodiscard]] Completion<redis::RespValue> send(QByteArrayView key, const redis::Command& command);
    // As send(), for a script by its SHA.
    [[nodiscard]] Completion<redis::RespValue> evalShaOnce(QByteArrayView key, const redis::ScriptCall& call);
    // As send(), for the whole text of a script. The script is not sent again.
    [[nodiscard]] Completion<redis::RespValue> evalOnce(QByteArrayView key, const redis::ScriptCall& call);
    // As evalOnce(), but to the node that an ASK named: the key is moving to that node.
    [[nodiscard]] Completion<redis::RespValue> evalAsking(const QString& address, const redis::ScriptCall& call);

Q_SIGNALS:
    void stateChanged(lockkeeper::redis::Connection* connection, lockkeeper::redis::Connection::State state);
    void pushReceived(lockkeeper::redis::Connection* connection, const lockkeeper::redis::RespValue& push);
    // redis::Connection::denied() of one of the connections.
    void denied(const lockkeeper::Error& why);
    // of() answers differently now for some keys.
    void ownersChanged();

private:
    // Yes: the command is sent after ASKING, to a node that does not serve the slot yet.
    enum class Asking { No, Yes };

    struct Waiter {
        HashSlot slot = 0;
        Completion<Done> ready;
    };

    friend class RedirectedCall;

    // Passes to the shards what a refusal shows: the node of a MOVED, or that they are outdated (CLUSTERDOWN).
    static void noteRedirect(Shards& shards, const Error& refusal);
    // Returns the answer, and calls noteRedirect() if it is a refusal.
    [[nodiscard]] Completion<redis::RespValue> noteRedirects(const Completion<redis::RespValue>& answer);
    [[nodiscard]] Completion<redis::RespValue> sendForm(redis::Connection& connection, const redis::ScriptCall& call,
                                                        const redis::Command& form);
    // The form of the script for the channels of this server. It is tracked where possible: a command can follow either
    // ASKING or CLIENT CACHING, not both.
    [[nodiscard]] redis::ScriptCall formFor(const redis::Connection& connection, const redis::ScriptCall& call,
                                            Asking asking = Asking::No) const;
    [[nodiscard]] std::vector<QPointer<redis::Connection>> connections() const;
    void openConnections();
    redis::Connection* ofShard(ShardId shard);
    redis::Connection* ofSlot(HashSlot slot);
    std::unique_ptr<redis::Connection> make(ShardId shard);
    void onShardsChanged();
    void retryAtNewMasters();
    void tellWaiters();
    void endWaits(const std::vector<Waiter>& waiters, const Result<Done>& answer);

    const redis::ConnectionOptions m_options;
    Shards& m_shards;
    Clock& m_clock;
    bool m_isOpen = false;
    Error m_failure;  // why the shards are not known
    std::map<ShardId, std::unique_ptr<redis::Connection>> m_connections;
    std::set<const redis::Connection*> m_tracking;
    std::map<ShardId, QString> m_masters;  // as last known
    std::vector<Waiter> m_waiters;         // only in a Cluster
    std::set<std::shared_ptr<RedirectedCall>> m_paused;
};

}  // namespace lockkeeper::topology
