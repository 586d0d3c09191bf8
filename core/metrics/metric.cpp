// SPDX-License-Identifier: Apache-2.0
#include "metrics/metric.h"

namespace lockkeeper::metrics {

namespace {

using Type = MetricType;

constexpr std::array<MetricFamily, metricCount> families{{
    {Metric::BuildInfo, "lockkeeper_build_info", Type::Gauge, "", "-,version,qt",
     "Always 1. The version of Lockkeeper, and of Qt."},
    {Metric::Up, "lockkeeper_up", Type::Gauge, "", "",
     "1 if at least one server of the target is watched now, else 0."},
    {Metric::Complete, "lockkeeper_complete", Type::Gauge, "", "",
     "1 if every server of the target is watched and was searched once for locks. Only then a gauge is written that is 0."},
    {Metric::NodeUp, "lockkeeper_node_up", Type::Gauge, "", "node",
     "1 if this master is watched now, else 0: what is known of its locks is old, and not counted."},
    {Metric::NodeSilence, "lockkeeper_node_silence_seconds", Type::Gauge, "seconds", "node",
     "For how long the master has not answered although it is connected."},
    {Metric::NodeLocks, "lockkeeper_node_locks", Type::Gauge, "", "node", "Known locks of this master, free ones too."},
    {Metric::Locks, "lockkeeper_locks", Type::Gauge, "", "group,kind,state",
     "Known locks that are held, or free. A free lock is forgotten after a minute."},
    {Metric::Waiters, "lockkeeper_waiters", Type::Gauge, "", "group",
     "Client instances that wait for locks. Absent if the server does not let them be counted."},
    {Metric::Clients, "lockkeeper_clients", Type::Gauge, "", "state",
     "Known clients: holding a lock, waiting in a queue of a fair lock, or idle. A client that does both is holding."},
    {Metric::OldestHold, "lockkeeper_oldest_hold_seconds", Type::Gauge, "seconds", "group",
     "How long the lock that is held longest is held at least. Absent if none is held."},
    {Metric::Diagnoses, "lockkeeper_diagnoses", Type::Gauge, "", "group,diagnosis,certainty",
     "Present diagnoses of locks, semaphores and clients. Those of clients have no group."},
    {Metric::Acquired, "lockkeeper_acquired", Type::Counter, "", "group",
     "Acquisitions that were seen. A lock that changes faster than it is read has more of them."},
    {Metric::Released, "lockkeeper_released", Type::Counter, "", "group,how",
     "Releases that were seen: announced by a message, unannounced, inferred from a queue, or unknown how."},
    {Metric::ReleaseMessages, "lockkeeper_release_messages", Type::Counter, "", "group",
     "Release messages that were received: also those of holds that were too short to be read."},
    {Metric::Expired, "lockkeeper_expired", Type::Counter, "", "group", "Locks that expired while they were held."},
    {Metric::Renewals, "lockkeeper_renewals", Type::Counter, "", "group",
     "Renewals of leases that were seen, by a watchdog or by hand."},
    {Metric::HandedOver, "lockkeeper_handed_over", Type::Counter, "", "group",
     "Locks that had another holder than at the read before, without a free moment that was seen."},
    {Metric::Lost, "lockkeeper_lost", Type::Counter, "", "group,how",
     "Holds that ended without a release by their holder: expired, deleted, or taken over without an explanation."},
    {Metric::HoldTime, "lockkeeper_hold_seconds", Type::Histogram, "seconds", "group",
     "How long locks were held whose begin and end were seen. Of readers: from the first to the last."},
    {Metric::WaitTime, "lockkeeper_wait_seconds", Type::Histogram, "seconds", "group",
     "How long clients waited at least until they had a lock, of waits seen from begin to end."},
    {Metric::Synchronizers, "lockkeeper_synchronizers", Type::Gauge, "", "group,kind",
     "Known semaphores and latches, at most 1,000."},
    {Metric::SemaphorePermits, "lockkeeper_semaphore_permits", Type::Gauge, "", "group,state",
     "Permits of the known semaphores: free, or leased."},
    {Metric::SynchronizerWaiters, "lockkeeper_synchronizer_waiters", Type::Gauge, "", "group",
     "Client instances that wait for semaphores and latches."},
    {Metric::LockHeld, "lockkeeper_lock_held", Type::Gauge, "", "lock",
     "1 if this lock is held, else 0. Only of locks that --lock names."},
    {Metric::LockHoldTime, "lockkeeper_lock_hold_seconds", Type::Gauge, "seconds", "lock",
     "How long this lock is held at least. Absent if it is free."},
    {Metric::LockWaiters, "lockkeeper_lock_waiters", Type::Gauge, "", "lock",
     "Client instances that wait for this lock. Absent if that is not known."},
    {Metric::LockDiagnoses, "lockkeeper_lock_diagnoses", Type::Gauge, "", "lock,diagnosis,certainty",
     "Present diagnoses of this lock."},
    {Metric::LockAcquired, "lockkeeper_lock_acquired", Type::Counter, "", "lock",
     "Acquisitions of this lock that were seen."},
    {Metric::LeftOut, "lockkeeper_left_out_locks", Type::Gauge, "", "from",
     "Locks beyond a limit: of groups, counted in the group other; of locks, named by --lock without a series."},
    {Metric::Unwatched, "lockkeeper_unwatched_seconds", Type::Counter, "seconds", "",
     "Time since the start of the exporter in which not every server of the target was watched."},
    {Metric::NotWatched, "lockkeeper_not_watched", Type::Counter, "", "reason",
     "Gaps in the observation of single locks, by their reason."},
    {Metric::EventsDropped, "lockkeeper_events_dropped", Type::Counter, "", "",
     "Events that were not counted because too many came at once."},
    {Metric::Denials, "lockkeeper_denials", Type::Gauge, "", "",
     "What the server refuses to Lockkeeper, or what a limit leaves out: see lockkeeper check."},
    {Metric::ReadRate, "lockkeeper_read_rate", Type::Gauge, "", "", "Reads of locks in the last second."},
    {Metric::ReadBudget, "lockkeeper_read_budget", Type::Gauge, "", "", "Most reads of locks in a second."},
    {Metric::Sweeps, "lockkeeper_sweeps", Type::Counter, "", "", "Whole searches of the database for locks."},
    {Metric::SweepProgress, "lockkeeper_sweep_progress_ratio", Type::Gauge, "ratio", "",
     "How much of the database the present search has passed, 0 to 1."},
    {Metric::SweepTime, "lockkeeper_sweep_seconds", Type::Gauge, "seconds", "",
     "Time between the ends of the last two searches; of the first one, since the connection."},
    {Metric::SweptKeys, "lockkeeper_swept_keys", Type::Gauge, "", "", "Keys that the last search has passed."},
    {Metric::TokenLitter, "lockkeeper_token_litter_keys", Type::Gauge, "", "",
     "About how many token keys of fenced locks stay in the database for ever."},
    {Metric::ScriptStorms, "lockkeeper_script_storms", Type::Gauge, "", "",
     "Nodes that clients ask again and again for a script that is not there."},
    {Metric::Requests, "lockkeeper_http_requests", Type::Counter, "", "-,code",
     "Answers of the exporter, by their status."},
    {Metric::RefusedConnections, "lockkeeper_http_refused_connections", Type::Counter, "", "-",
     "Connections that the exporter has closed at once, because too many were open."},
    {Metric::ProcessCpu, "process_cpu_seconds", Type::Counter, "seconds", "-",
     "Processor time of the exporter, of user and system."},
    {Metric::ProcessResident, "process_resident_memory_bytes", Type::Gauge, "bytes", "-",
     "Resident memory of the exporter."},
    {Metric::ProcessVirtual, "process_virtual_memory_bytes", Type::Gauge, "bytes", "-",
     "Virtual memory of the exporter."},
    {Metric::ProcessOpenFiles, "process_open_fds", Type::Gauge, "", "-", "Open file descriptors of the exporter."},
    {Metric::ProcessMostFiles, "process_max_fds", Type::Gauge, "", "-",
     "Most file descriptors that the exporter may have."},
    {Metric::ProcessStart, "process_start_time_seconds", Type::Gauge, "seconds", "-",
     "When the exporter was started, in seconds since 1970."},
}};

consteval bool areInOrder() {
    for (size_t i = 0; i < families.size(); ++i) {
        if (families[i].metric != static_cast<Metric>(i))
            return false;
    }
    return true;
}
static_assert(areInOrder());

}  // namespace

const std::array<MetricFamily, metricCount>& metricFamilies() {
    return families;
}

}  // namespace lockkeeper::metrics
