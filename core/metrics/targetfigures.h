// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/eventcounters.h"
#include "metrics/lockgroups.h"
#include "metrics/presentlocks.h"
#include "metrics/samples.h"
#include "metrics/singlelocks.h"
#include "monitor/model/monitorbatch.h"
#include "session/connectionstatus.h"

#include <QSet>

namespace lockkeeper::metrics {

// The figures of one target: follows what its session reports, and writes samples without asking the server anything.
// Counters grow with each event, and are never computed from a list that has lost its beginning. A gauge of what is not
// known is not written; one that is 0 only if isComplete(). Times are steady, so that a clock that is set has no
// effect. Thread: one.
class TargetFigures {
public:
    // name: the label `target`, without secrets. now: since when it is to be watched.
    TargetFigures(const QByteArray& name, const FigureOptions& options, SteadyTime now);

    // now: when the batch was received.
    void apply(const monitor::MonitorBatch& batch, SteadyTime now);
    void apply(const ConnectionStatus& status, SteadyTime now);

    void write(Samples& samples, SteadyTime now) const;

    // Also free ones.
    [[nodiscard]] qsizetype knownLocks() const { return m_locks.size(); }
    [[nodiscard]] const ConnectionStatus& status() const noexcept { return m_status; }
    // Whether every server of the target is watched and was searched once, so that what is not found is not there.
    [[nodiscard]] bool isComplete() const;

private:
    // A lock, by its last row and the events since.
    struct Known {
        LockShare share;
        bool isCounted = false;           // `share` is part of the sums
        std::optional<SteadyTime> began;  // of the present hold, if its begin was seen
        quint64 releasesReceived = 0;
    };
    using Sums = std::map<std::pair<topology::ShardId, int>, PresentSums>;  // by the group

    void reset();
    void count(const monitor::LockEvent& event, SteadyTime at);
    void endHold(Known& known, EventCounters& counters, SteadyTime at);
    void put(const monitor::LockRow& row);
    void remove(const LockName& name);
    void forgetShare(Known& known);
    [[nodiscard]] LockGroups::Place placeOf(const LockName& name);
    void takeStats(const monitor::MonitorStats& stats, SteadyTime now);
    void noteWatching(SteadyTime now);
    [[nodiscard]] bool isLive() const { return lockkeeper::isLive(m_status); }
    [[nodiscard]] bool areAllWatched() const;

    // What is known at the moment of a scrape, decided once for all samples.
    struct Sight {
        bool isComplete = false;
        bool isWhole = false;             // outside a Cluster: the one server is watched
        QSet<topology::ShardId> watched;  // of a Cluster

        [[nodiscard]] bool has(topology::ShardId shard) const { return isWhole || watched.contains(shard); }
    };
    [[nodiscard]] Sight sight() const;
    [[nodiscard]] Labels labelsOf(int group) const;
    // By the group.
    [[nodiscard]] std::vector<PresentSums> sumsOf(const Sight& sight) const;
    void writeNodes(Samples& samples) const;
    void writePresent(Samples& samples, const Sight& sight, SteadyTime now) const;
    static void writeLocks(Samples& samples, const Labels& group, const PresentSums& sums, const Sight& sight);
    void writeDiagnoses(Samples& samples, const std::vector<PresentSums>& sums, const Sight& sight) const;
    void writeClients(Samples& samples) const;
    void writeSynchronizers(Samples& samples) const;
    void writeCounters(Samples& samples, SteadyTime now) const;
    void writeStats(Samples& samples) const;

    const FigureOptions m_options;
    const Labels m_target;
    LockGroups m_groups;
    std::vector<EventCounters> m_counters;  // by the group
    Sums m_sums;
    QHash<LockName, Known> m_locks;
    SingleLocks m_singles;
    qint64 m_leftOutOfGroups = 0;
    QHash<ClientId, monitor::SharedClient> m_clients;
    monitor::SynchronizerReading m_synchronizers;
    std::set<std::pair<int, DiagnosisKey>> m_diagnosed;  // by the group: once seen, so 0 means that it has ended
    std::map<QByteArray, quint64> m_notWatched;          // by the reason
    std::optional<monitor::MonitorStats> m_stats;        // nothing: not known yet
    ConnectionStatus m_status;
    quint64 m_sweeps = 0;
    quint64 m_eventsDropped = 0;
    std::optional<SteadyTime::duration> m_sweepTime;
    SteadyTime m_sweepBegan;
    SteadyTime::duration m_unwatched{};
    std::optional<SteadyTime> m_unwatchedSince;
};

}  // namespace lockkeeper::metrics
