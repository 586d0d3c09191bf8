// SPDX-License-Identifier: Apache-2.0
#include "metrics/targetfigures.h"

#include <algorithm>

namespace lockkeeper::metrics {

namespace {

using monitor::EventType;
using monitor::LockKind;

constexpr std::array lockKinds{LockKind::Unknown,   LockKind::Reentrant, LockKind::Fair,
                               LockKind::ReadWrite, LockKind::Fenced,    LockKind::FasterMulti};

double secondsOf(SteadyTime::duration time) {
    return std::max(0.0, std::chrono::duration<double>(time).count());
}

QByteArray wordOf(const QString& word) {
    return word.toLatin1();
}

ReleasedHow releasedHow(monitor::ReleaseSign sign) {
    switch (sign) {
        case monitor::ReleaseSign::Message:
            return ReleasedHow::Announced;
        case monitor::ReleaseSign::NoMessage:
            return ReleasedHow::Unannounced;
        case monitor::ReleaseSign::Inferred:
            return ReleasedHow::Inferred;
    }
    return ReleasedHow::Unknown;
}

// Every kind with every certainty.
std::vector<DiagnosisKey> allDiagnoses() {
    std::vector<DiagnosisKey> keys;
    for (int kind = 0; kind <= static_cast<int>(monitor::DiagnosisKind::FixedLease); ++kind) {
        for (const auto certainty :
             {monitor::Certainty::Certain, monitor::Certainty::Likely, monitor::Certainty::Suspected})
            keys.push_back({static_cast<monitor::DiagnosisKind>(kind), certainty});
    }
    return keys;
}

Labels with(const Labels& labels, const DiagnosisKey& key) {
    return labels.with("diagnosis", wordOf(monitor::wordFor(key.kind)))
        .with("certainty", wordOf(monitor::wordFor(key.certainty)));
}

bool areWaitersRefused(const monitor::MonitorStats& stats) {
    return std::ranges::any_of(stats.denied, [](const monitor::Denial& denial) {
        return denial.consequence == monitor::Consequence::WaitersUnknown;
    });
}

}  // namespace

TargetFigures::TargetFigures(const QByteArray& name, const FigureOptions& options, SteadyTime now)
    : m_options(options),
      m_target(Labels().with("target", name)),
      m_groups(options.groupBy, options.mostGroups),
      m_counters(1, EventCounters(options)),
      m_singles(options.lockPatterns, FigureOptions::mostLocks),
      m_sweepBegan(now),
      m_unwatchedSince(now) {
    // Without groups they are few, so that each is there from the beginning.
    if (m_groups.isGrouping())
        return;
    for (const DiagnosisKey& key : allDiagnoses())
        m_diagnosed.insert({LockGroups::rest, key});
}

// ---- what the session reports ----

void TargetFigures::apply(const monitor::MonitorBatch& batch, SteadyTime now) {
    if (batch.reset)
        reset();
    for (const monitor::LockEvent& event : batch.events) {
        if (!isOfDatabase(event.type) && !isOfOperator(event.type))
            count(event, now - std::max(batch.at - event.at, WallTime::duration(0)));
    }
    for (const monitor::SharedRow& row : batch.changed)
        put(*row);
    for (const LockName& name : batch.removed)
        remove(name);
    for (const monitor::EndedWait& wait : batch.endedWaits)
        m_counters[static_cast<size_t>(placeOf(wait.lock).group)].waits.observe(
            m_options.waitBuckets, std::chrono::duration<double>(wait.length.atLeast).count());
    for (const monitor::SharedClient& client : batch.clients)
        m_clients.insert(client->id, client);
    for (const ClientId& client : batch.removedClients)
        m_clients.remove(client);
    if (batch.synchronizers)
        m_synchronizers = *batch.synchronizers;
    if (batch.stats)
        takeStats(*batch.stats, now);
    noteWatching(now);
}

void TargetFigures::apply(const ConnectionStatus& status, SteadyTime now) {
    m_status = status;
    noteWatching(now);
}

// Another server or database: the counters go on.
void TargetFigures::reset() {
    for (Known& known : m_locks)
        forgetShare(known);
    m_locks.clear();
    m_singles.clear();
    m_clients.clear();
    m_synchronizers = {};
    m_stats.reset();
}

LockGroups::Place TargetFigures::placeOf(const LockName& name) {
    const LockGroups::Place place = m_groups.placeOf(name);
    if (!place.isNew)
        return place;
    const auto index = static_cast<size_t>(place.group);
    if (index < m_counters.size())
        m_counters[index] = EventCounters(m_options);  // in the place of a group that has ended
    else
        m_counters.emplace_back(m_options);
    std::erase_if(m_diagnosed, [&place](const auto& seen) { return seen.first == place.group; });
    return place;
}

void TargetFigures::count(const monitor::LockEvent& event, SteadyTime at) {
    const LockName& name = event.lock.name;
    const bool begins = event.type == EventType::Acquired || event.type == EventType::HandedOver;
    const auto found = m_locks.find(name);
    // Only a lock that has a row soon is kept: an event may also be about one that is forgotten.
    Known forgotten;
    Known& known = found != m_locks.end() ? *found : begins ? m_locks[name] : forgotten;
    EventCounters& counters =
        m_counters[static_cast<size_t>(known.isCounted ? known.share.group : placeOf(name).group)];
    switch (event.type) {
        case EventType::Acquired:
            ++counters.acquired;
            m_singles.countAcquired(name);
            if (!known.began)
                known.began = at;
            break;
        case EventType::HandedOver:
            ++counters.acquired;
            ++counters.handedOver;
            m_singles.countAcquired(name);
            if (event.suspect)
                counters.count(LostHow::TakenOver);
            endHold(known, counters, at);
            known.began = at;
            break;
        case EventType::Released:
            counters.count(releasedHow(event.releaseSign));
            if (!event.lock.isHeld())
                endHold(known, counters, at);
            break;
        case EventType::Gone:
            counters.count(ReleasedHow::Unknown);
            known.began.reset();
            break;
        case EventType::Expired:
            ++counters.expired;
            counters.count(LostHow::Expired);
            endHold(known, counters, at);
            break;
        case EventType::Deleted:
            counters.count(LostHow::Deleted);
            endHold(known, counters, at);
            break;
        case EventType::Renewed:
            ++counters.renewals;
            break;
        case EventType::NotWatched:
            ++m_notWatched[event.reason ? wordOf(wordFor(event.reason->code)) : QByteArrayLiteral("unknown")];
            known.began.reset();  // it may be another hold by now
            break;
        default:
            break;
    }
}

void TargetFigures::endHold(Known& known, EventCounters& counters, SteadyTime at) {
    if (const std::optional<SteadyTime> began = std::exchange(known.began, std::nullopt))
        counters.holds.observe(m_options.holdBuckets, secondsOf(at - *began));
}

void TargetFigures::put(const monitor::LockRow& row) {
    Known& known = m_locks[row.lock.name];
    LockGroups::Place place{known.share.group, known.share.isLeftOut};
    if (!known.isCounted || place.isLeftOut)
        place = placeOf(row.lock.name);
    m_singles.put(row);
    if (row.releasesReceived > known.releasesReceived)
        m_counters[static_cast<size_t>(place.group)].messages += row.releasesReceived - known.releasesReceived;
    known.releasesReceived = row.releasesReceived;
    LockShare share = shareOf(row, place.group, place.isLeftOut);
    if (known.isCounted && share == known.share)
        return;  // most are renewals
    forgetShare(known);
    m_sums[{share.shard, share.group}].add(share);
    m_groups.enter(share.group);
    m_leftOutOfGroups += share.isLeftOut ? 1 : 0;
    for (const DiagnosisKey& key : share.diagnoses)
        m_diagnosed.insert({share.group, key});
    known.share = std::move(share);
    known.isCounted = true;
}

void TargetFigures::remove(const LockName& name) {
    m_singles.remove(name);
    const auto known = m_locks.find(name);
    if (known == m_locks.end())
        return;
    forgetShare(*known);
    m_locks.erase(known);
}

void TargetFigures::forgetShare(Known& known) {
    if (!std::exchange(known.isCounted, false))
        return;
    const auto sums = m_sums.find({known.share.shard, known.share.group});
    sums->second.remove(known.share);
    if (sums->second.locks().empty())
        m_sums.erase(sums);
    m_groups.leave(known.share.group);
    m_leftOutOfGroups -= known.share.isLeftOut ? 1 : 0;
}

void TargetFigures::takeStats(const monitor::MonitorStats& stats, SteadyTime now) {
    const quint64 sweepsBefore = m_stats ? m_stats->sweepsDone : 0;
    const quint64 droppedBefore = m_stats ? m_stats->eventsDropped : 0;
    if (stats.sweepsDone > sweepsBefore) {
        m_sweeps += stats.sweepsDone - sweepsBefore;
        m_sweepTime = now - m_sweepBegan;
        m_sweepBegan = now;
    }
    if (stats.eventsDropped > droppedBefore)
        m_eventsDropped += stats.eventsDropped - droppedBefore;
    m_stats = stats;
}

void TargetFigures::noteWatching(SteadyTime now) {
    const bool isWatching = isLive() && areAllWatched();
    if (isWatching && m_unwatchedSince)
        m_unwatched += now - *std::exchange(m_unwatchedSince, std::nullopt);
    else if (!isWatching && !m_unwatchedSince)
        m_unwatchedSince = now;
}

bool TargetFigures::areAllWatched() const {
    return m_stats && m_stats->unservedSlots.isEmpty() && std::ranges::all_of(m_stats->nodes, [](const auto& node) {
               return node.phase == monitor::NodePhase::Watching;
           });
}

bool TargetFigures::isComplete() const {
    return isLive() && areAllWatched() && m_stats->sweepsDone > 0 &&
           m_stats->discovery != monitor::DiscoveryState::Refused;
}

TargetFigures::Sight TargetFigures::sight() const {
    Sight sight;
    if (!isLive() || !m_stats)
        return sight;
    sight.isComplete = isComplete();
    sight.isWhole = m_stats->nodes.isEmpty();
    for (const monitor::NodeStatus& node : std::as_const(m_stats->nodes)) {
        if (node.phase == monitor::NodePhase::Watching)
            sight.watched.insert(node.shard);
    }
    return sight;
}

// ---- samples ----

Labels TargetFigures::labelsOf(int group) const {
    return m_target.with("group", m_groups.labelOf(group));
}

void TargetFigures::write(Samples& samples, SteadyTime now) const {
    samples.add(Metric::Up, m_target, isLive() ? 1 : 0);
    const Sight seen = sight();
    samples.add(Metric::Complete, m_target, seen.isComplete ? 1 : 0);
    writeCounters(samples, now);
    writeNodes(samples);
    m_singles.write(samples, m_target, now, [&seen](topology::ShardId shard) { return seen.has(shard); });
    if (!isLive() || !m_stats)
        return;
    writePresent(samples, seen, now);
    writeStats(samples);
}

// Also while none is reached: as the last figures named them.
void TargetFigures::writeNodes(Samples& samples) const {
    if (!m_stats)
        return;
    QList<monitor::NodeStatus> nodes = m_stats->nodes;
    if (nodes.isEmpty() && m_stats->master)
        nodes += *m_stats->master;
    QSet<QString> written;  // two shards may have the same address for a moment
    for (const monitor::NodeStatus& node : std::as_const(nodes)) {
        if (node.address.isEmpty() || written.contains(node.address))
            continue;
        written.insert(node.address);
        const bool isUp = m_status.phase == ConnectionPhase::Connected && node.phase == monitor::NodePhase::Watching;
        const Labels labels = m_target.with("node", node.address.toUtf8());
        samples.add(Metric::NodeUp, labels, isUp ? 1 : 0);
        if (!isUp)
            continue;
        samples.add(Metric::NodeSilence, labels, std::chrono::duration<double>(node.silence).count());
        samples.add(Metric::NodeLocks, labels, node.knownLocks);
    }
}

std::vector<PresentSums> TargetFigures::sumsOf(const Sight& sight) const {
    std::vector<PresentSums> sums(static_cast<size_t>(m_groups.count()));
    for (const auto& [place, part] : m_sums) {
        if (sight.has(place.first))
            sums[static_cast<size_t>(place.second)].add(part);
    }
    return sums;
}

void TargetFigures::writePresent(Samples& samples, const Sight& sight, SteadyTime now) const {
    const std::vector<PresentSums> groups = sumsOf(sight);
    const bool areWaitersKnown = !areWaitersRefused(*m_stats);
    for (int group = 0; group < m_groups.count(); ++group) {
        const PresentSums& sums = groups[static_cast<size_t>(group)];
        const Labels labels = labelsOf(group);
        writeLocks(samples, labels, sums, sight);
        if (const std::optional<SteadyTime> oldest = sums.oldestHold())
            samples.add(Metric::OldestHold, labels, secondsOf(now - *oldest));
        if (areWaitersKnown && (sums.waiters() > 0 || sight.isComplete))
            samples.add(Metric::Waiters, labels, static_cast<double>(sums.waiters()));
    }
    samples.add(Metric::LeftOut, m_target.with("from", "groups"), static_cast<double>(m_leftOutOfGroups));
    samples.add(Metric::LeftOut, m_target.with("from", "locks"), static_cast<double>(m_singles.leftOut()));
    writeDiagnoses(samples, groups, sight);
    if (sight.isComplete)
        writeClients(samples);
    writeSynchronizers(samples);
}

void TargetFigures::writeLocks(Samples& samples, const Labels& group, const PresentSums& sums, const Sight& sight) {
    for (const LockKind kind : lockKinds) {
        for (const bool isHeld : {true, false}) {
            const auto found = sums.locks().find({kind, isHeld});
            const qint64 count = found == sums.locks().end() ? 0 : found->second;
            if (count > 0 || sight.isComplete)
                samples.add(Metric::Locks,
                            group.with("kind", wordOf(monitor::wordFor(kind))).with("state", isHeld ? "held" : "free"),
                            static_cast<double>(count));
        }
    }
}

void TargetFigures::writeDiagnoses(Samples& samples, const std::vector<PresentSums>& sums, const Sight& sight) const {
    std::map<std::pair<int, DiagnosisKey>, qint64> counts;
    if (sight.isComplete) {
        for (const auto& seen : m_diagnosed)
            counts[seen] = 0;
    }
    for (int group = 0; group < m_groups.count(); ++group) {
        for (const auto& [key, count] : sums[static_cast<size_t>(group)].diagnoses())
            counts[{group, key}] += count;
    }
    for (const monitor::Synchronizer& one : m_synchronizers.seen) {
        for (const DiagnosisKey& key : keysOf(one.allDiagnoses()))
            ++counts[{m_groups.groupOf(one.name), key}];
    }
    std::map<DiagnosisKey, qint64> ofClients;
    for (const monitor::SharedClient& client : m_clients) {
        for (const DiagnosisKey& key : keysOf(client->diagnoses))
            ++ofClients[key];
    }
    for (const auto& [key, count] : ofClients) {
        if (m_groups.isGrouping())
            samples.add(Metric::Diagnoses, with(m_target, key), static_cast<double>(count));
        else
            counts[{LockGroups::rest, key}] += count;
    }
    for (const auto& [place, count] : counts)
        samples.add(Metric::Diagnoses, with(labelsOf(place.first), place.second), static_cast<double>(count));
}

// A client may hold locks on several masters, so of some of them nothing is said.
void TargetFigures::writeClients(Samples& samples) const {
    qint64 holding = 0;
    qint64 waiting = 0;
    for (const monitor::SharedClient& client : m_clients) {
        if (client->held > 0)
            ++holding;
        else if (client->waitsFor > 0)
            ++waiting;
    }
    const qint64 idle = m_clients.size() - holding - waiting;
    for (const auto& [word, count] : {std::pair("holding", holding), {"waiting", waiting}, {"idle", idle}})
        samples.add(Metric::Clients, m_target.with("state", word), static_cast<double>(count));
}

void TargetFigures::writeSynchronizers(Samples& samples) const {
    if (m_synchronizers.sight == monitor::SynchronizerReading::Sight::Refused)
        return;
    std::map<std::pair<int, monitor::SynchronizerKind>, qint64> kinds;
    std::map<std::pair<int, const char*>, qint64> permits;
    std::map<int, qint64> waiters;
    for (const monitor::Synchronizer& one : m_synchronizers.seen) {
        const int group = m_groups.groupOf(one.name);
        ++kinds[{group, one.kind}];
        waiters[group] += one.clients;
        if (one.kind == monitor::SynchronizerKind::Semaphore && one.count)
            permits[{group, "free"}] += *one.count;
        if (one.leased)
            permits[{group, "leased"}] += *one.leased;
    }
    for (const auto& [place, count] : kinds)
        samples.add(Metric::Synchronizers, labelsOf(place.first).with("kind", wordOf(monitor::wordFor(place.second))),
                    static_cast<double>(count));
    for (const auto& [place, count] : permits)
        samples.add(Metric::SemaphorePermits, labelsOf(place.first).with("state", place.second),
                    static_cast<double>(count));
    for (const auto& [group, count] : waiters)
        samples.add(Metric::SynchronizerWaiters, labelsOf(group), static_cast<double>(count));
}

void TargetFigures::writeCounters(Samples& samples, SteadyTime now) const {
    for (int group = 0; group < m_groups.count(); ++group) {
        const EventCounters& counters = m_counters[static_cast<size_t>(group)];
        const Labels labels = labelsOf(group);
        const auto add = [&](Metric metric, const Labels& of, quint64 count) {
            samples.add(metric, of, static_cast<double>(count));
        };
        add(Metric::Acquired, labels, counters.acquired);
        for (size_t how = 0; how < releasedWords.size(); ++how)
            add(Metric::Released, labels.with("how", releasedWords[how]), counters.released[how]);
        add(Metric::ReleaseMessages, labels, counters.messages);
        add(Metric::Expired, labels, counters.expired);
        add(Metric::Renewals, labels, counters.renewals);
        add(Metric::HandedOver, labels, counters.handedOver);
        for (size_t how = 0; how < lostWords.size(); ++how)
            add(Metric::Lost, labels.with("how", lostWords[how]), counters.lost[how]);
        samples.add(Metric::HoldTime, labels, counters.holds, m_options.holdBuckets);
        samples.add(Metric::WaitTime, labels, counters.waits, m_options.waitBuckets);
    }
    const auto unwatched = m_unwatched + (m_unwatchedSince ? now - *m_unwatchedSince : SteadyTime::duration(0));
    samples.add(Metric::Unwatched, m_target, secondsOf(unwatched));
    for (const auto& [reason, count] : m_notWatched)
        samples.add(Metric::NotWatched, m_target.with("reason", reason), static_cast<double>(count));
    samples.add(Metric::EventsDropped, m_target, static_cast<double>(m_eventsDropped));
    samples.add(Metric::Sweeps, m_target, static_cast<double>(m_sweeps));
}

void TargetFigures::writeStats(Samples& samples) const {
    const monitor::MonitorStats& stats = *m_stats;
    samples.add(Metric::Denials, m_target, static_cast<double>(stats.denied.size()));
    samples.add(Metric::ReadRate, m_target, stats.readsPerSecond);
    samples.add(Metric::ReadBudget, m_target, stats.readBudgetPerSecond);
    if (stats.databaseSize > 0)
        samples.add(Metric::SweepProgress, m_target,
                    std::min(1.0, static_cast<double>(stats.keysThisSweep) / static_cast<double>(stats.databaseSize)));
    if (m_sweepTime)
        samples.add(Metric::SweepTime, m_target, secondsOf(*m_sweepTime));
    if (stats.sweepsDone > 0)
        samples.add(Metric::SweptKeys, m_target, static_cast<double>(stats.keysInLastSweep));
    if (stats.tokenLitter)
        samples.add(Metric::TokenLitter, m_target, static_cast<double>(stats.tokenLitter->estimate));
    samples.add(Metric::ScriptStorms, m_target, static_cast<double>(stats.scriptStorms.size()));
}

}  // namespace lockkeeper::metrics
