#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/lockevent.h"
#include "monitor/model/lockrow.h"
#include "monitor/model/synchronizer.h"
#include "monitor/model/tokenlitter.h"

#include <QMetaType>

#include <vector>

namespace lockkeeper::monitor {

// How changes are noticed on the present connection.
enum class ObservationMode { None, Tracking, KeyspaceEvents, Polling };

// Whether the keyspace is being swept for locks that nobody knows yet. Refused: by the server, which does not let this
// user scan.
enum class DiscoveryState { Running, Paused, Refused };

// What watching costs and how far it has come; for the status bar.
struct MonitorStats {
    ObservationMode observation = ObservationMode::None;
    QString observationReason;       // why not the better mode; empty when it is the best
    bool hearsFairQueues = false;    // who joins or leaves a fair lock's queue is noticed at once
    bool hearsNewNames = false;      // a lock of a new name is noticed at once (subkey notifications)
    int knownLocks = 0;              // rows, free ones included
    int heldLocks = 0;
    int faultyLocks = 0;             // with a diagnosis that is more than information
    double readsPerSecond = 0;       // over the last second, all reads of locks together
    int readBudgetPerSecond = 0;
    DiscoveryState discovery = DiscoveryState::Running;
    quint64 sweepsDone = 0;
    quint64 keysInLastSweep = 0;
    quint64 keysThisSweep = 0;       // looked at so far in the sweep under way
    qint64 databaseSize = 0;         // DBSIZE at the start of the sweep under way
    QStringList denied;              // commands the server refused, each with what cannot be seen because of it
    std::optional<TokenLitter> tokenLitter;  // of the last whole sweep in which there was any
    quint64 eventsDropped = 0;       // events that did not fit into a bounded queue

    friend bool operator==(const MonitorStats&, const MonitorStats&) = default;
};

// Coalesced changes since the last batch: at most one row per lock however often it changed, every event in order.
struct MonitorBatch {
    bool reset = false;                    // forget all rows first: another server or database
    std::vector<LockRow> changed;          // new or changed rows
    std::vector<LockName> removed;         // rows to forget
    std::vector<LockEvent> events;         // oldest first
    std::optional<MonitorStats> stats;     // when they changed
    std::optional<SynchronizerLook> synchronizers;  // when they changed; replaces the ones before

    [[nodiscard]] bool isEmpty() const noexcept {
        return !reset && changed.empty() && removed.empty() && events.empty() && !stats && !synchronizers;
    }
};

// Most events that wait in a batch which nobody takes; older ones are dropped and counted.
constexpr size_t mostWaitingEvents = 20000;

// Puts `next` behind `batch`, as if both had been one: the newest row of each lock, all events in order up to the bound.
// Answers how many events had to be dropped. In one batch a lock is either changed or removed.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT quint64 append(MonitorBatch& batch, const MonitorBatch& next);

}  // namespace lockkeeper::monitor

Q_DECLARE_METATYPE(lockkeeper::monitor::MonitorBatch)
