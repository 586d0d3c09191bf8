// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/discover/discovery.h"
#include "monitor/discover/everywrite.h"
#include "monitor/discover/writtennames.h"
#include "monitor/monitoroptions.h"
#include "monitor/observe/infowatch.h"
#include "monitor/observe/latencywatch.h"
#include "monitor/observe/observer.h"
#include "monitor/observe/rightswatch.h"
#include "monitor/observe/silencewatch.h"
#include "monitor/observe/sources/replicacount.h"
#include "monitor/observe/synchronizerwatch.h"
#include "monitor/observe/waitertotals.h"
#include "topology/shards.h"

namespace lockkeeper::monitor {

// Watches the locks of one shard, on its master: finds them, follows them, and counts their waiters. It has its own
// connections, read budget and denials. Its owner decides what a lock's state means, for all shards. Use once: open(),
// then stop() or the destructor. Thread: the clock's. Shards, known locks and clock must outlive it.
class LOCKKEEPER_MONITOR_EXPORT NodeWatch : public QObject, public NodeScope {
    Q_OBJECT
public:
    // known: locks that are already known are not found again.
    NodeWatch(topology::ShardId shard, topology::Shards& shards, const redis::ConnectionOptions& options, Clock& clock,
              const MonitorOptions& monitorOptions, const KnownLocks& known);
    ~NodeWatch() override;

    void open() { m_observer.open(); }
    // The known state is outdated for this reason: ends the connection until open().
    void interrupt(const Error& why);
    // Ends everything at once and permanently.
    void stop();
    // Ends the pause between two attempts to connect.
    void retryNow();

    [[nodiscard]] topology::ShardId shard() const noexcept { return m_shard; }
    // The shard has another master now, or the master's address has become known.
    void noteMaster();
    // Null without a Cluster.
    [[nodiscard]] const NodePointer& node() const noexcept { return m_node; }
    [[nodiscard]] NodeStatus status() const;
    [[nodiscard]] bool isInCluster() const override { return m_shards.isCluster(); }
    [[nodiscard]] bool keeps(const LockName& name) const override;
    [[nodiscard]] QString master() const override { return m_shards.masterOf(m_shard); }
    void noteRead(const LockName& name, const std::optional<Error>& refusal) const override;
    void noteMovedKeys() const override { m_shards.refresh(); }
    // The outage that the shards report has changed, or the slots of this shard.
    void followOutage();

    [[nodiscard]] NodePhase phase() const noexcept { return m_phase; }
    // While Watching: why the node reads no keys now. The Cluster is down, or the node is cut off from it.
    [[nodiscard]] std::optional<Error> outage() const;
    // Why the node is Reconnecting; nothing in other phases.
    [[nodiscard]] const std::optional<Error>& error() const noexcept { return m_error; }
    // While Reconnecting: the time of the shown state, if there is one.
    [[nodiscard]] WallTime lastHeard() const noexcept { return m_lastHeard; }
    [[nodiscard]] Observer& observer() noexcept { return m_observer; }
    [[nodiscard]] const Observer& observer() const noexcept { return m_observer; }
    [[nodiscard]] Discovery& discovery() noexcept { return m_discovery; }
    [[nodiscard]] const Discovery& discovery() const noexcept { return m_discovery; }
    [[nodiscard]] const ReadBudget& budget() const noexcept { return m_budget; }
    // The locks of this node that clients wait for now, counted on all nodes.
    void noteWaitedFor(const QSet<LockName>& names);
    [[nodiscard]] const InfoWatch& info() const noexcept { return m_info; }
    // With a route each count of waiters also asks the replicas; null: the replicas are not asked.
    void askReplicas(const topology::ReplicaRoute* route);
    // Whether the last count has asked every server of this shard on which a client may be subscribed.
    [[nodiscard]] bool hasAskedEveryServer() const;
    // Waiters of fair locks that were subscribed at a replica in the last count.
    [[nodiscard]] const QSet<HolderId>& listeningAtReplicas() const noexcept { return m_replicas.listening(); }
    [[nodiscard]] WriteReports writeReports() const noexcept { return m_everyWrite.state(); }
    // A lock that was found is not kept, because there are too many.
    void noteNoRoom();
    // The refusals of the server, and whether there is no connection to scan with.
    [[nodiscard]] QList<Denial> denied() const;
    [[nodiscard]] quint64 keysInLastSweep() const noexcept { return m_keysInLastSweep; }

Q_SIGNALS:
    // phase(), outage(), error() or lastHeard() may have changed.
    void stateChanged();
    // In a Cluster: a read of this name has ended, see NodeScope::noteRead().
    void readEnded(const lockkeeper::LockName& name, const std::optional<lockkeeper::Error>& refusal) const;
    // A read of this name was refused because its slot is moving, or has moved.
    void readRefused(const lockkeeper::LockName& name);
    // A watched lock was read.
    void lockRead(const lockkeeper::monitor::LockSnapshot& lock, const lockkeeper::monitor::BetweenReads& between);
    // A lock that is not known yet. To watch it, call Observer::watch() at once.
    void lockFound(const lockkeeper::monitor::LockSnapshot& lock, const lockkeeper::monitor::BetweenReads& between,
                   lockkeeper::monitor::Confirmation confirmation);
    // The lock cannot be read any more and is no longer watched.
    void lostSightOf(const lockkeeper::LockName& name);
    // As WaiterCount::counted(), after the replicas have answered if they are asked.
    void waitersCounted(const QHash<lockkeeper::LockName, lockkeeper::monitor::Listeners>& waiting,
                        lockkeeper::SteadyTime countBegan,
                        const QHash<lockkeeper::LockName, lockkeeper::monitor::Listeners>& sharded);
    void synchronizersRead(const lockkeeper::monitor::SynchronizerReading& reading);
    void replicasCounted(const lockkeeper::monitor::Replicas& replicas);
    // A whole sweep has ended; keys: how many it scanned.
    void swept(quint64 keys);
    void figuresChanged();

private:
    [[nodiscard]] QString addressOfMaster() const;

    // A read that was refused because the node serves no keys.
    struct Refused {
        LockName name;
        Error error;
        bool isOfThisSweep = true;
    };

    void onConnectionState(redis::Connection::State state);
    void onScanConnectionState(redis::Connection::State state);
    void onReadEnded(const LockName& name, const std::optional<Error>& refusal);
    void setRefused(std::optional<Refused> refused);
    void showOutage();
    void onSwept(quint64 keys);
    void onBegan();
    void tryEverythingAgain();
    void readKnownNames();
    void onWaitersCounted(const WaiterTotals::Waiting& plain, SteadyTime countBegan,
                          const WaiterTotals::Waiting& sharded);
    void onTouched(const LockName& name);
    void onWritten(const QByteArrayList& keys);
    void onConfirmed(const LockSnapshot& lock, Confirmation confirmation);
    void onUnknownNameReported(const LockName& name);
    void onUnknownNameInvalidated(const LockName& name);
    void onUnknownNameRead(const LockName& name, const std::optional<LockSnapshot>& lock);

    const topology::ShardId m_shard;
    topology::Shards& m_shards;
    NodePointer m_node;
    const QList<LockName> m_knownNames;
    const KnownLocks& m_known;
    Clock& m_clock;
    ReadBudget m_budget;
    Denials m_denials;
    Observer m_observer;
    Discovery m_discovery;
    SynchronizerWatch m_synchronizers;            // uses the discovery's connection
    InfoWatch m_info;                             // likewise
    RightsWatch m_rights;                         // likewise
    ReplicaCount m_replicas;                      // likewise
    LatencyWatch m_latency;                       // likewise
    SilenceWatch m_silence;                       // likewise
    std::optional<BroadcastTracking> m_prefixes;  // if there are any
    EveryWrite m_everyWrite;
    WrittenNames m_writtenNames;  // uses the discovery's connection
    NodePhase m_phase = NodePhase::Connecting;
    std::optional<Error> m_error;
    bool m_wasWatched = false;
    std::optional<Error> m_scanError;  // why there is no connection to scan with
    std::optional<Refused> m_refused;  // the last refused read, unless a read was answered since
    bool m_wasRead = false;            // a name was read since the program began
    std::optional<WallTime> m_outageSince;
    WallTime m_lastHeard{};
    bool m_discovering = false;
    bool m_hadNoRoom = false;  // since the end of the last sweep
    quint64 m_keysInLastSweep = 0;
};

}  // namespace lockkeeper::monitor
