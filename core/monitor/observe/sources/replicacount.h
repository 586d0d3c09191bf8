// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/nodescope.h"
#include "redis/connection.h"
#include "topology/deployment.h"
#include "topology/replicaroute.h"

#include <QSet>

#include <functional>
#include <map>

namespace lockkeeper::monitor {

struct UnansweredReplica {
    QString address;  // "host:port"
    Error why;
};

// The server's place in replication by the answer to INFO. A field that the server does not report is empty or absent.
struct Replication {
    static constexpr int mostListed = 64;  // of a server's replicas

    bool isMaster = false;
    QByteArray runId;                   // of this server, since its start
    QByteArray replicationId;           // of the data: a master and its replicas have the same one
    std::optional<int> connected;       // replicas of this server
    QList<topology::Address> replicas;  // of the listed ones, those with an address

    friend bool operator==(const Replication&, const Replication&) = default;
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Replication parseReplication(QByteArrayView info);

// Asks every replica of one master which waiters of fair locks are subscribed there, each to its own channel (PUBSUB).
// It uses read-only connections that exist only while they are wanted. No monitor subscribes to such channels, so no
// subscribers are subtracted. The master is asked for its replicas each time; a Cluster knows them itself. A replica
// counts as asked only if it reports that it has this master's data and no replicas of its own, because another server
// may have its address here. Thread: the clock's. Connection, scope and route must outlive it.
class LOCKKEEPER_MONITOR_EXPORT ReplicaCount : public QObject {
public:
    // With more replicas than this, none is asked.
    static constexpr qsizetype mostReplicas = 16;
    // How long the replicas may take to connect and to identify themselves.
    static constexpr Milliseconds patience{3000};

    // master: a connection to it. options: for the replicas; the address in it is not used.
    ReplicaCount(redis::Connection& master, redis::ConnectionOptions options, topology::ShardId shard,
                 const NodeScope& scope);
    ~ReplicaCount() override;

    // route: the way to the replicas while they are to be asked. Null: closes the connections, and forgets what was
    // counted.
    void setWanted(const topology::ReplicaRoute* route);
    [[nodiscard]] bool isWanted() const noexcept { return m_route; }
    // Asks the replicas, and calls `done` at the end. Does nothing while it is asking already, and after stop(). With
    // many channels an answer is work for the server, so a pause follows before the next question, as between two
    // counts of waiters.
    void ask(std::function<void()> done);
    // Stops permanently.
    void stop();

    // Whether all replicas have answered the last time.
    [[nodiscard]] bool haveAllAnswered() const noexcept { return m_haveAllAnswered; }
    // The waiters that were subscribed at a replica the last time; empty if not all replicas have answered.
    [[nodiscard]] const QSet<HolderId>& listening() const noexcept { return m_listening; }
    // The first server that has not answered as a replica of this master; nothing if all have answered, or if the
    // replicas are not known.
    [[nodiscard]] const std::optional<UnansweredReplica>& unanswered() const noexcept { return m_unanswered; }

private:
    struct Replica {
        std::unique_ptr<redis::Connection> connection;
        Completion<Done> reached;  // completes when the replica is reached, or cannot be
        bool wasMissed = false;    // missed the last time: it is not waited for again until it is connected
    };
    struct Answer {
        QByteArray runId;
        QSet<HolderId> listening;
    };

    Task<void> run(std::function<void()> done);
    Task<Result<QSet<HolderId>>> askAll();
    Task<Result<Done>> reach(Replica* replica, Deadline deadline);
    Task<Result<Answer>> askOne(Replica* replica, QByteArray replicationId, Deadline deadline);
    Task<Result<QSet<HolderId>>> readListening(redis::Connection* connection);
    Task<Result<Replication>> readReplication(redis::Connection* connection, Deadline deadline);
    [[nodiscard]] std::optional<QList<topology::Address>> listedBy(const Replication& master) const;
    void connectTo(const QList<topology::Address>& replicas);
    void open(Replica& replica, const topology::Address& address);
    void forget();
    void closeUnwanted();

    redis::Connection& m_master;
    const redis::ConnectionOptions m_options;
    const topology::ShardId m_shard;
    const NodeScope& m_scope;
    Clock& m_clock;
    const topology::ReplicaRoute* m_route = nullptr;  // null while the replicas are not to be asked
    bool m_isAsking = false;
    bool m_haveAllAnswered = false;
    QSet<HolderId> m_listening;
    std::optional<UnansweredReplica> m_unanswered;
    std::map<QString, Replica> m_replicas;  // by address; the same object as long as the replica is asked
    std::chrono::nanoseconds m_longest{};   // the longest answer in one round of questions
    SteadyTime m_next{};
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
