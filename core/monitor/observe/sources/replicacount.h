// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/nodescope.h"
#include "monitor/observe/read/replication.h"
#include "redis/connection.h"
#include "topology/replicaroute.h"

#include <QSet>

#include <functional>
#include <map>

namespace lockkeeper::monitor {

struct UnansweredReplica {
    QString address;  // "host:port"
    Error why;
};

// Asks every replica of one master which waiters of fair locks are subscribed there, each to its own channel (PUBSUB),
// over read-only connections that exist only while it is wanted. No monitor subscribes to such channels, so nothing is to
// be subtracted. Which replicas there are is asked of the master each time, or known by the Cluster. A replica counts as
// asked only if it says that it has this master's data and no replicas of its own: another server may have its address
// here. Thread: the clock's. Connection, scope and route must outlive it.
class LOCKKEEPER_MONITOR_EXPORT ReplicaCount : public QObject {
public:
    // Of more none is asked.
    static constexpr qsizetype mostReplicas = 16;
    // How long the replicas may take to connect, and to say who they are.
    static constexpr Milliseconds patience{3000};

    // master: a connection to it. options: for the replicas; the address in it is not used.
    ReplicaCount(redis::Connection& master, redis::ConnectionOptions options, topology::ShardId shard, const NodeScope& scope);
    ~ReplicaCount() override;

    // The way to the replicas, while it is wanted. Null: the connections are closed, and what was counted is forgotten.
    void setWanted(const topology::ReplicaRoute* route);
    [[nodiscard]] bool isWanted() const noexcept { return m_route; }
    // Asks, and calls `done` at the end. While it asks already, and after stop(), nothing happens. With many channels an
    // answer is work for the server: a pause is made before the next question, as between two counts of waiters.
    void ask(std::function<void()> done);
    // Permanently.
    void stop();

    // The last time that they were asked.
    [[nodiscard]] bool haveAllAnswered() const noexcept { return m_haveAllAnswered; }
    // Subscribed at a replica then; empty if not all have answered.
    [[nodiscard]] const QSet<HolderId>& listening() const noexcept { return m_listening; }
    // The first one that has not answered as a replica of this master; nothing if all have, or if they are not known.
    [[nodiscard]] const std::optional<UnansweredReplica>& unanswered() const noexcept { return m_unanswered; }

private:
    struct Replica {
        std::unique_ptr<redis::Connection> connection;
        Completion<Done> reached;  // or not
        bool wasMissed = false;    // the last time: it is not waited for again until it is connected
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
    const topology::ReplicaRoute* m_route = nullptr;  // while it is wanted
    bool m_isAsking = false;
    bool m_haveAllAnswered = false;
    QSet<HolderId> m_listening;
    std::optional<UnansweredReplica> m_unanswered;
    std::map<QString, Replica> m_replicas;  // by address; the same as long as they are asked
    std::chrono::nanoseconds m_longest{};   // of the answers to one round of questions
    SteadyTime m_next{};
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::monitor
