// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/labfields.h"
#include "recording/lockfields.h"

// What is written of each record; see also lockfields.h and labfields.h. A change here needs a new format version.
namespace lockkeeper::recording {

// ---- inputs of the store ----

template <typename A>
void fields(A& a, Of<A, monitor::LockRead>& read) {
    fields(a, read.lock);
    fields(a, read.between);
}

template <typename A>
void fields(A& a, Of<A, monitor::WaitersCounted>& counted) {
    a.number(counted.shard);
    a.time(counted.countBegan);
    a.time(counted.at);
    a.choice(counted.coverage);
    waiting(a, counted.waiting);
}

template <typename A>
void fields(A& a, Of<A, monitor::ReplicasCounted>& counted) {
    a.number(counted.shard);
    a.number(counted.replicas.connected);
    a.number(counted.replicas.mostSeen);
    a.time(counted.at);
    if (a.has(9))
        a.number(counted.replicas.silent);
}

template <typename A>
void fields(A& a, Of<A, monitor::CommandRateRead>& read) {
    a.number(read.shard);
    optionalOf(a, read.perSecond, [&a](auto& perSecond) { a.number(perSecond); });
}

template <typename A>
void fields(A& a, Of<A, monitor::ShardSwept>& swept) {
    a.number(swept.shard);
}

template <typename A>
void fields(A& a, Of<A, monitor::SweepEnded>& ended) {
    a.number(ended.keys);
    a.time(ended.at);
}

template <typename A>
void fields(A& a, Of<A, monitor::ReadRefused>& refused) {
    a.name(refused.name);
}

template <typename A>
void fields(A& a, Of<A, monitor::DatabaseEmptied>& emptied) {
    a.number(emptied.shard);
    a.time(emptied.at);
}

template <typename A>
void fields(A& a, Of<A, monitor::SightLost>& lost) {
    a.name(lost.name);
    a.time(lost.at);
}

template <typename A>
void fields(A& a, Of<A, monitor::FreeTimePassed>& passed) {
    a.time(passed.at);
}

template <typename A>
void fields(A& a, Of<A, monitor::BusyTimePassed>& passed) {
    a.time(passed.at);
}

template <typename A>
void fields(A& a, Of<A, monitor::OwnClientKnown>& own) {
    a.client(own.client);
}

// ---- the figures of a session ----

template <typename A>
void fields(A& a, Of<A, monitor::Denial>& denial) {
    a.choice(denial.what);
    a.plain(denial.command);
    a.choice(denial.consequence);
    fields(a, denial.error);
    a.address(denial.node);
}

template <typename A>
void fields(A& a, Of<A, redis::Replica>& replica) {
    a.address(replica.address);
    a.number(replica.behind);
}

template <typename A>
void fields(A& a, Of<A, monitor::NodeStatus>& node) {
    a.number(node.shard);
    a.address(node.address);
    a.choice(node.phase);
    fieldsIfAny(a, node.error);
    a.time(node.lastHeard);
    a.number(node.knownLocks);
    a.real(node.readsPerSecond);
    a.number(node.readBudgetPerSecond);
    a.plain(node.serverVersion);
    optionalOf(a, node.replicas, [&a](auto& replicas) { listOf(a, replicas); });
    if (a.has(9))
        a.duration(node.silence);
}

template <typename A>
void fields(A& a, Of<A, monitor::ScriptStorm>& storm) {
    a.address(storm.node);
    a.number(storm.errors);
    a.number(storm.mostPerSecond);
    a.time(storm.since);
    a.time(storm.last);
}

template <typename A>
void fields(A& a, Of<A, monitor::TokenLitter>& litter) {
    a.number(litter.sampledKeys);
    a.number(litter.found);
    a.number(litter.estimate);
    a.number(litter.checked);
    a.number(litter.leftOver);
    a.time(litter.at);
}

template <typename A>
void fields(A& a, Of<A, monitor::MonitorStats>& stats) {
    a.choice(stats.observation);
    a.choice(stats.observationLimit.kind);
    fields(a, stats.observationLimit.error);
    a.flag(stats.noticesFairQueues);
    a.flag(stats.noticesNewNames);
    a.choice(stats.writeReports);
    a.number(stats.knownLocks);
    a.number(stats.heldLocks);
    a.number(stats.faultyLocks);
    a.real(stats.readsPerSecond);
    a.number(stats.readBudgetPerSecond);
    a.choice(stats.discovery);
    a.number(stats.sweepsDone);
    a.number(stats.keysInLastSweep);
    a.number(stats.keysThisSweep);
    a.number(stats.databaseSize);
    listOf(a, stats.denied);
    fieldsIfAny(a, stats.tokenLitter);
    listOf(a, stats.scriptStorms);
    a.number(stats.eventsDropped);
    listOf(a, stats.nodes);
    fieldsIfAny(a, stats.master);
    listOf(a, stats.unservedSlots, [&a](auto& range) {
        a.number(range.first);
        a.number(range.last);
    });
    listOf(a, stats.notRead, [&a](auto& name) { a.name(name); });
}

template <typename A>
void fields(A& a, Of<A, monitor::DeafWaiters>& deaf) {
    a.number(deaf.clients);
    a.address(deaf.earlierNode);
    a.address(deaf.node);
    a.time(deaf.movedAt);
}

template <typename A>
void fields(A& a, Of<A, monitor::PermitLease>& lease) {
    a.id(lease.id);
    optionalOf(a, lease.ends, [&a](auto& ends) { a.time(ends); });
    if (a.has(9))
        optionalOf(a, lease.since, [&a](auto& since) { a.time(since); });
}

template <typename A>
void fields(A& a, Of<A, monitor::PermitsUnclaimed>& found) {
    a.number(found.free);
    a.number(found.clients);
    a.time(found.since);
}

template <typename A>
void fields(A& a, Of<A, monitor::PermitLeaseOver>& found) {
    a.id(found.permit);
    a.time(found.endedAt);
    a.number(found.permits);
    a.number(found.clients);
}

// A diagnosis that a semaphore has at most once, always with this certainty.
template <typename Found, typename A>
void diagnosisOf(A& a, Of<A, QList<monitor::Diagnosis>>& diagnoses, monitor::Certainty certainty) {
    std::optional<Found> found;
    if constexpr (!A::isReading) {
        for (const monitor::Diagnosis& diagnosis : diagnoses) {
            if (const Found* evidence = std::get_if<Found>(&diagnosis.evidence))
                found = *evidence;
        }
    }
    fieldsIfAny(a, found);
    if constexpr (A::isReading) {
        if (found)
            diagnoses += monitor::Diagnosis{certainty, *found};
    }
}

template <typename A>
void fields(A& a, Of<A, monitor::Synchronizer>& one) {
    a.name(one.name);
    a.choice(one.kind);
    a.choice(one.state);
    optionalOf(a, one.count, [&a](auto& count) { a.number(count); });
    optionalOf(a, one.leased, [&a](auto& leased) { a.number(leased); });
    listOf(a, one.leases);
    a.number(one.clients);
    fieldsIfAny(a, one.deaf);
    a.time(one.seenAt);
    a.time(one.seenAtWall);
    if (!a.has(9))
        return;
    diagnosisOf<monitor::PermitsUnclaimed>(a, one.diagnoses, monitor::Certainty::Suspected);
    diagnosisOf<monitor::PermitLeaseOver>(a, one.diagnoses, monitor::Certainty::Suspected);
}

template <typename A>
void fields(A& a, Of<A, monitor::SynchronizerReading>& reading) {
    a.choice(reading.sight);
    listOf(a, reading.seen);
    a.number(reading.inAll);
}

// ---- the rest of a recording ----

template <typename A>
void fields(A& a, Of<A, LinkStatus>& status) {
    a.choice(status.phase);
    a.address(status.server);
    a.flag(status.isDemo);
    a.address(status.master);
    a.flag(status.isReplica);
    a.flag(status.isClusterNode);
    a.plain(status.serverVersion);
    fieldsIfAny(a, status.error);
    a.time(status.lastHeard);
    if (a.has(9))
        a.flag(status.watchesNothing);
}

template <typename A>
void fields(A& a, Of<A, BatchEnded>& ended) {
    a.time(ended.at);
    fieldsIfAny(a, ended.stats);
    fieldsIfAny(a, ended.synchronizers);
}

template <typename A>
void fields(A&, Of<A, BatchDelivered>&) {}

template <typename A>
void fields(A& a, Of<A, LockForced>& forced) {
    fields(a, forced.broken);
    a.time(forced.at);
}

// The words may contain names, so a masked recording has none.
template <typename A>
void fields(A& a, Of<A, Caption>& caption) {
    a.words(caption.text);
}

template <typename A>
void fields(A& a, Of<A, TraceNotes>& notes) {
    bool isState = notes.kind == TraceNotes::Kind::State;
    a.flag(isState);
    if constexpr (A::isReading)
        notes.kind = isState ? TraceNotes::Kind::State : TraceNotes::Kind::Monitor;
    a.number(notes.commands);
    a.number(notes.cutLines);
    a.number(notes.unknownScripts);
    a.number(notes.assumedAcquired);
    a.number(notes.reckonedEnds);
    a.number(notes.outOfOrder);
    a.number(notes.clockJumps);
    a.number(notes.leftOut);
    a.number(notes.withoutTtl);
    listOf(a, notes.databases, [&a](auto& database) { a.number(database); });
    a.flag(notes.isPasted);
    a.flag(notes.isFull);
}

template <typename A>
void fields(A& a, Of<A, RecordingInfo>& info) {
    a.plain(info.program);
    a.address(info.server);
    a.flag(info.isDemo);
    a.flag(info.isMasked);
    a.time(info.begunSteady);
    a.time(info.begun);
    a.duration(info.limits.keepFree);
    a.number(info.limits.rows);
    a.number(info.limits.undelivered);
    if constexpr (A::isReading) {  // a replay takes no more memory than a session
        const monitor::StoreLimits most;
        info.limits.rows = std::clamp<qsizetype>(info.limits.rows, 1, most.rows);
        info.limits.undelivered = std::clamp<size_t>(info.limits.undelivered, 1, most.undelivered);
    }
    if (a.has(3))
        fieldsIfAny(a, info.experiment);
    if (!a.has(10))
        return;
    a.duration(info.timeouts.watchdog);
    a.duration(info.timeouts.fairWait);
    if constexpr (A::isReading) {
        constexpr Milliseconds longest{Milliseconds{1000} * 3600 * 24 * 365};
        info.timeouts.watchdog = std::clamp(info.timeouts.watchdog, Milliseconds(0), longest);
        info.timeouts.fairWait = std::clamp(info.timeouts.fairWait, Milliseconds(0), longest);
    }
    if (a.has(11))
        fieldsIfAny(a, info.trace);
}

}  // namespace lockkeeper::recording
