// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/clientrow.h"
#include "monitor/model/denials.h"
#include "monitor/model/lockevent.h"
#include "monitor/model/lockrow.h"
#include "monitor/model/scriptstorm.h"
#include "monitor/model/synchronizer.h"
#include "monitor/model/tokenlitter.h"
#include "monitor/model/writereports.h"
#include "topology/hashslot.h"

#include <QMetaType>

#include <memory>
#include <vector>

namespace lockkeeper::monitor {

// How changes are noticed on the present connection.
enum class ObservationMode { None, Tracking, KeyspaceEvents, Polling };

// Why changes are not noticed in a better way.
struct ObservationLimit {
    enum class Kind { None, NoResp3, TrackingRefused };

    Kind kind = Kind::None;
    Error error;  // the server's refusal of CLIENT TRACKING

    friend bool operator==(const ObservationLimit&, const ObservationLimit&) = default;
};

// Whether the keyspace is being swept for locks that are not known yet. Refused: this user may not SCAN.
enum class DiscoveryState { Running, Paused, Refused };

// Cost and progress of watching, for the status bar.
struct MonitorStats {
    ObservationMode observation = ObservationMode::None;
    ObservationLimit observationLimit;  // why no better mode is used
    bool noticesFairQueues = false;     // changes of a fair lock's queue are noticed at once
    bool noticesNewNames = false;       // a lock with a new name is noticed at once (subkey notifications)
    WriteReports writeReports = WriteReports::NotYet;  // the worst of all nodes
    int knownLocks = 0;                                // rows, including free locks
    int heldLocks = 0;
    int faultyLocks = 0;        // with a diagnosis that is more than information
    double readsPerSecond = 0;  // all reads of locks during the last second
    int readBudgetPerSecond = 0;
    DiscoveryState discovery = DiscoveryState::Running;
    quint64 sweepsDone = 0;
    quint64 keysInLastSweep = 0;
    quint64 keysThisSweep = 0;                 // keys scanned so far in the present sweep
    qint64 databaseSize = 0;                   // DBSIZE at the start of the present sweep
    QList<Denial> denied;                      // what limits the monitor
    std::optional<TokenLitter> tokenLitter;    // of the last whole sweep that found any
    std::optional<LeaseLitter> leaseLitter;    // of the last sweep that found many; not part of a recording
    QList<ScriptStorm> scriptStorms;           // at most one for each node
    quint64 eventsDropped = 0;                 // events that did not fit into a bounded queue
    QList<NodeStatus> nodes;                   // of a Cluster; else empty
    std::optional<NodeStatus> master;          // outside a Cluster: the server that is watched
    QList<topology::SlotRange> unservedSlots;  // of a Cluster: no master serves them, so their locks are not watched
    QList<LockName> notRead;  // of a Cluster: names that no node reads now, because their slots are moving

    friend bool operator==(const MonitorStats&, const MonitorStats&) = default;
};

// What a source of changes cannot see, even when it works correctly.
enum class BlindSpot {
    FastChanges,   // changes between the server's report of a change and the read after it
    FairQueues,    // clients that join or leave a fair lock's queue, until the lock itself changes
    BetweenPolls,  // changes between two polls
    UnknownNames,  // a lock with a name that is not known yet, until a sweep, a waiter or a message shows it
    ShortNewLocks  // of a lock with a new name that ends before it is read: its holder, or all of it. And, for up to a
                   // minute, a lock whose key was something else just before
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<BlindSpot> blindSpotsOf(const MonitorStats& stats);

// Changes since the last batch: at most one row for each lock, however often it changed, and every event in order.
struct MonitorBatch {
    WallTime at{};                                     // when it was sent
    bool reset = false;                                // forget all rows first: another server or database
    std::vector<SharedRow> changed;                    // new or changed rows; never null
    std::vector<LockName> removed;                     // rows to forget
    std::vector<LockEvent> events;                     // oldest first
    std::vector<EndedWait> endedWaits;                 // oldest first; the newest are dropped if there are too many
    std::vector<SharedClient> clients;                 // new or changed; never null
    std::vector<ClientId> removedClients;              // clients to forget
    bool forgetStats = false;                          // a replay went back: the known figures are of a later time
    std::optional<MonitorStats> stats;                 // if they changed
    std::optional<SynchronizerReading> synchronizers;  // if they changed; replaces the earlier ones

    [[nodiscard]] bool isEmpty() const noexcept {
        return !reset && changed.empty() && removed.empty() && events.empty() && endedWaits.empty() &&
               clients.empty() && removedClients.empty() && !changesStats() && !synchronizers;
    }
    // Whether the figures change: to those of the batch, or to none.
    [[nodiscard]] bool changesStats() const noexcept { return forgetStats || stats; }
};

// A batch as it is passed on, to several receivers on several threads, without copies.
using SharedBatch = std::shared_ptr<const MonitorBatch>;

// The most events in a batch that is not fetched; the oldest ones are dropped and counted.
constexpr size_t mostWaitingEvents = 20000;

// Appends `next` to `batch`, as if both were one batch: the newest row of each lock, all events in order up to the
// limit. Returns the number of dropped events. In one batch a lock is either changed or removed.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT quint64 append(MonitorBatch& batch, const MonitorBatch& next);

}  // namespace lockkeeper::monitor

Q_DECLARE_METATYPE(lockkeeper::monitor::MonitorBatch)
Q_DECLARE_METATYPE(lockkeeper::monitor::SharedBatch)
