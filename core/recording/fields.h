// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/threadactivity.h"
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

// ---- thread dumps ----

// As an id, and masked like one.
template <typename A>
void idText(A& a, Of<A, QString>& text) {
    if constexpr (A::isReading) {
        QByteArray bytes;
        a.id(bytes);
        text = QString::fromUtf8(bytes);
    } else {
        a.id(text.toUtf8());
    }
}

// Frames of the application are what a recording is read for. All others are left out of a masked one.
template <typename A>
void fields(A& a, Of<A, monitor::Frame>& frame) {
    bool isOfApplication = false;
    if constexpr (!A::isReading)
        isOfApplication = jvm::isOfApplication(frame);
    a.flag(isOfApplication);
    if (isOfApplication) {
        a.plain(frame.method);
        a.plain(frame.place);
    } else {
        a.words(frame.method);
        a.words(frame.place);
    }
}

template <typename A>
void fields(A& a, Of<A, monitor::ThreadActivity>& activity) {
    a.choice(activity.activity);
    optionalOf(a, activity.call, [&a](auto& call) { a.choice(call); });
    fieldsIfAny(a, activity.code);
}

template <typename A>
void fields(A& a, Of<A, monitor::DumpedThread>& thread) {
    a.number(thread.id);
    idText(a, thread.name);
    a.choice(thread.state);
    fields(a, thread.activity);
    listOf(a, thread.frames);
    a.number(thread.stack);
    optionalOf(a, thread.stillSince, [&a](auto& since) { a.time(since); });
    if constexpr (A::isReading)
        std::erase_if(thread.frames, [](const monitor::Frame& frame) { return frame.method.isEmpty(); });
}

// Each as the difference to the one before: most follow each other.
template <typename A>
void threadIds(A& a, Of<A, std::vector<qint64>>& ids) {
    qint64 before = 0;
    listOf(a, ids, [&a, &before](auto& id) {
        quint64 difference = 0;
        if constexpr (!A::isReading)
            difference = static_cast<quint64>(id) - static_cast<quint64>(before);
        a.number(difference);
        if constexpr (A::isReading)
            id = static_cast<qint64>(static_cast<quint64>(before) + difference);
        before = id;
    });
}

template <typename A>
void fields(A& a, Of<A, monitor::ClientDump>& dump) {
    const auto time = [&a](auto& at) { a.time(at); };
    a.client(dump.client);
    a.choice(dump.fit);
    optionalOf(a, dump.at, time);
    optionalOf(a, dump.taken.earliest, time);
    optionalOf(a, dump.taken.latest, time);
    a.flag(dump.hasOthers);
    a.flag(dump.hasAll);
    threadIds(a, dump.ids);
    listOf(a, dump.threads);
    if constexpr (A::isReading) {
        if (dump.ids.size() > monitor::ClientDump::mostIds || dump.threads.size() > monitor::ClientDump::mostThreads)
            a.fail();
        std::ranges::sort(dump.ids);
        std::ranges::sort(dump.threads, {}, &monitor::DumpedThread::id);
    }
}

template <typename A>
void fields(A& a, Of<A, monitor::DumpKnown>& known) {
    a.time(known.at);
    if constexpr (A::isReading) {
        auto dump = std::make_shared<monitor::ClientDump>();
        fields(a, *dump);
        known.dump = std::move(dump);
    } else {
        fields(a, *known.dump);
    }
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
