// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/postedsignal.h"
#include "async/taskscope.h"
#include "base/clocktimer.h"
#include "redis/connection.h"
#include "topology/clusterview.h"
#include "topology/dialer.h"
#include "topology/mastersource.h"
#include "topology/replicaroute.h"
#include "topology/shards.h"

#include <memory>
#include <vector>

namespace lockkeeper::topology {

// The shards of a Redis Cluster. It asks the nodes which of them serves which slots: at the beginning, every minute,
// and whenever an answer shows that this knowledge is old. An answer of a node that knows less than was known before (a
// lower epoch, or too few masters in sight) is not used as long as another node answers. Thread: the clock's.
class LOCKKEEPER_EXPORT ClusterSource final : public Shards, public ReplicaRoute {
    Q_OBJECT
public:
    // nodes: some nodes of the Cluster, at least one. options: for the connection to each node; the address in it is
    // not used.
    ClusterSource(QList<Address> nodes, redis::ConnectionOptions options, Dialer dialer, Clock& clock);
    ~ClusterSource() override;

    void open() override;
    [[nodiscard]] QList<ShardId> all() const override;
    [[nodiscard]] std::optional<ShardId> shardOf(HashSlot slot) const override;
    [[nodiscard]] QString masterOf(ShardId shard) const override;
    [[nodiscard]] redis::TransportFactory transports(ShardId shard) const override;
    [[nodiscard]] std::optional<QList<Address>> replicasOf(ShardId shard) const override;
    [[nodiscard]] redis::TransportFactory transportsTo(const Address& announced) const override;
    [[nodiscard]] bool isCluster() const override { return true; }
    [[nodiscard]] QList<SlotRange> unservedSlots() const override;
    [[nodiscard]] std::optional<Error> outage() const override;
    void refresh() override;
    void noteMoved(HashSlot slot, const QString& address) override;
    [[nodiscard]] std::optional<ShardId> shardAt(const QString& address) const override;

private:
    class ShardMaster;
    struct Shard {
        ShardId id{};
        ClusterShard view;
        std::unique_ptr<ShardMaster> master;
    };

    // The owner of a slot by a MOVED, which is newer than the view that another node may give just after it.
    struct Hint {
        ShardId shard{};
        SteadyTime until{};
    };

    std::unique_ptr<redis::Transport> dialNext();
    [[nodiscard]] QList<Address> nodesToAsk() const;
    [[nodiscard]] ClusterNode nodeAt(const Address& address) const;
    void onState(redis::Connection::State state);
    void refreshAt(SteadyTime when);
    // Completes after the next answer of a node, or with the error if there is none.
    Completion<Done> ask();
    Task<void> askNodes();
    Completion<Done> reachNode();
    Task<Result<ClusterView>> askOne(Deadline deadline);
    Task<Result<redis::RespValue>> answerTo(redis::Command command, Deadline deadline);
    void askAnotherNode();
    bool apply(const ClusterView& view);
    bool applyShards(const ClusterView& view);
    bool serveSlots();
    void reportChange();
    [[nodiscard]] const Shard* find(ShardId id) const;
    [[nodiscard]] redis::Endpoint endpointOf(const ClusterNode& node) const;

    const QList<Address> m_nodes;
    const redis::ConnectionOptions m_options;
    const Dialer m_dialer;
    Clock& m_clock;
    Address m_asked;       // the node of the present connection
    qsizetype m_next = 0;  // index in nodesToAsk() of the node to try next
    redis::Connection m_connection;
    qsizetype m_refusals = 0;    // nodes tried in vain since a node was reached
    Completion<Done> m_reached;  // completes when a node is reached, or no node can be
    quint32 m_lastId = 0;
    quint64 m_epoch = 0;
    bool m_isUp = true;
    std::vector<Shard> m_shards;
    std::vector<std::optional<ShardId>> m_owners;  // by slot
    QHash<HashSlot, Hint> m_hints;
    std::vector<Completion<Done>> m_waiting;  // for the answer to a question that was sent
    SteadyTime m_answeredAt{};
    Milliseconds m_pause;  // between two answers; grows while they bring nothing new
    ClockTimer m_timer{m_clock, [this] { ask(); }};
    Error m_failure;  // why no node answered last
    PostedSignal m_changed{*this, [this] { reportChange(); }};
    PostedSignal m_failed{*this, [this] { Q_EMIT failed(Error(m_failure)); }};
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::topology
