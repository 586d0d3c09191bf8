// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/movedsynchronizers.h"
#include "monitor/monitorednodes.h"
#include "monitor/monitorstatus.h"
#include "monitor/observe/waitertotals.h"
#include "monitor/store/lockstore.h"
#include "platform/memory.h"

namespace lockkeeper::monitor {

// Notices when a number has fallen to half of its highest value, and by at least `least`. A value.
class FallFromPeak {
public:
    explicit FallFromPeak(qsizetype least) : m_least(least) {}

    // Call it with each new value. Returns true once for each such fall; the next one is measured from this value on.
    [[nodiscard]] bool note(qsizetype value) {
        m_peak = std::max(m_peak, value);
        if (m_peak - value < std::max(m_least, m_peak / 2))
            return false;
        m_peak = value;
        return true;
    }

private:
    qsizetype m_least;
    qsizetype m_peak = 0;
};

// Watches all locks of a deployment, with a NodeWatch for each shard: finds the locks, follows them, and emits the
// changes in batches. It only reads: a read-only connection is enough, with the least rights of core/locks/protocol.md.
//
// Use once: start(), then stop() or the destructor. Both end everything at once and may be called from a slot of its
// signals. Thread: the clock's; signals come from its event loop. The clock must outlive it.
class LOCKKEEPER_MONITOR_EXPORT Monitor : public QObject {
    Q_OBJECT
public:
    // The shards must outlive it.
    Monitor(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock,
            MonitorOptions monitorOptions = {}, QObject* parent = nullptr);
    // For one server.
    Monitor(redis::ConnectionOptions options, redis::TransportFactory makeTransport, Clock& clock,
            MonitorOptions monitorOptions = {}, QObject* parent = nullptr);
    ~Monitor() override;

    // Call before start(). Without the route, no waiter of a fair lock is proven dead while the master has replicas.
    // The route must outlive this object.
    void askReplicasBy(const topology::ReplicaRoute& route) { m_replicaRoute = &route; }
    // Call before start(), see LockStore.
    void remember(RememberedHolds holds) { m_store.remember(std::move(holds)); }
    [[nodiscard]] QList<LockName> holdsToRecall(qsizetype most) const { return m_store.holdsToRecall(most); }
    void recall(RememberedHolds holds);
    void start();
    void stop();
    [[nodiscard]] const MonitorStatus& status() const noexcept { return m_status; }

    // A client of this program's own console, see OwnClientKnown.
    void noteOwnClient(const ClientId& client) { feed(OwnClientKnown{client}); }
    // See DumpKnown.
    void noteDump(const SharedDump& dump);
    // Reads the lock now, whatever the server reports; for a lock that this console has just changed. An unknown lock
    // becomes known.
    void readAgain(const LockName& name);
    // The known state is outdated for this reason: all nodes are Reconnecting until they are read again.
    void startOver(const Error& why);
    void setDiscovery(DiscoveryState state);
    // Ends the pauses between attempts to connect to the nodes.
    void retryNow();

    // Nothing if the lock is not known.
    [[nodiscard]] std::optional<LockRow> row(const LockName& name) const { return m_store.row(name); }
    // Whether this waiter of the lock's own queue is proven dead by now.
    [[nodiscard]] bool provesDead(const LockName& name, const HolderId& waiter) const {
        return m_store.provesDead(name, waiter);
    }

    // From now on the tap receives each input of the store, beginning with the first one after this call. Returns
    // inputs that lead a new store to the present rows of this one. The next batch has all figures again.
    [[nodiscard]] PresentInputs tapInputs(InputTap tap);
    void endTap() { m_tap = {}; }

Q_SIGNALS:
    void statusChanged(const lockkeeper::monitor::MonitorStatus& status);
    // The batch is never empty. Without changes no batch is emitted, except for the progress of sweeps.
    void batchReady(const lockkeeper::monitor::SharedBatch& batch);

private:
    // ownShards: null if the caller's are used.
    Monitor(redis::ConnectionOptions options, std::unique_ptr<topology::Shards> ownShards, topology::Shards* shards,
            Clock& clock, MonitorOptions monitorOptions, QObject* parent);

    void followShards();
    void onShardsFailed(const Error& error);
    NodeWatch& addNode(topology::ShardId shard);
    void connectTo(NodeWatch& node);
    void endNodesWithout(const QList<topology::ShardId>& shards);
    void onWaitersCounted(const NodeWatch& node, const WaiterTotals::Waiting& plain, SteadyTime countBegan,
                          const WaiterTotals::Waiting& sharded);
    void showWaiters();
    void feedWaiters(topology::ShardId keeper, WaiterTotals::Waiting waiting, SteadyTime countBegan);
    void endCount();
    void endSweepIfWhole();
    void showSynchronizers();

    void onNodeState(const NodeWatch& changed);
    void refreshStatus(const std::optional<Error>& error);
    void setStatus(MonitorStatus status);
    LockStore::Fed feed(StoreInput input);
    Stored learn(NodeWatch& node, const LockSnapshot& lock, const BetweenReads& between);

    void scheduleBatch();
    void sendBatch();
    void scheduleReads();
    void readDue();
    void scheduleCooling();
    void coolDown();
    void scheduleForget();
    void forgetFree();
    void scheduleStats();
    void refreshStats();
    MonitorStats stats() const;

    const redis::ConnectionOptions m_connectionOptions;
    Clock& m_clock;
    const MonitorOptions m_options;
    const std::unique_ptr<topology::Shards> m_ownShards;  // null: the caller's
    topology::Shards& m_shards;
    LockStore m_store;
    InputTap m_tap;  // null: nothing is recorded
    const topology::ReplicaRoute* m_replicaRoute = nullptr;
    MonitoredNodes m_nodes;
    WaiterTotals m_waiters;
    QMap<topology::ShardId, SynchronizerReading> m_synchronizers;
    MovedSynchronizers m_movedSynchronizers;
    DiscoveryState m_discovery = DiscoveryState::Running;
    MonitorStatus m_status;

    std::optional<MonitorStats> m_newStats;
    std::optional<SynchronizerReading> m_newSynchronizers;
    MonitorStats m_sentStats;
    SteadyTime m_lastBatch = SteadyTime::min();
    SteadyTime m_lastStats = SteadyTime::min();
    ClockTimer m_batchTimer{m_clock, [this] { sendBatch(); }};
    ClockTimer m_readTimer{m_clock, [this] { readDue(); }};  // one timer for all locks
    ClockTimer m_coolingTimer{m_clock, [this] { coolDown(); }};
    ClockTimer m_forgetTimer{m_clock, [this] { forgetFree(); }};
    ClockTimer m_statsTimer{m_clock, [this] { refreshStats(); }};
    FallFromPeak m_knownLocks{10'000};
    ClockTimer m_memoryTimer{m_clock, [] { platform::returnFreeMemory(); }};
};

}  // namespace lockkeeper::monitor
