// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/archive.h"
#include "recording/record.h"

#include <memory>

// What is written of each value, in which order: once, for both directions. A change here needs a new format version.
namespace lockkeeper::recording {

template <typename A, typename T>
using Of = typename A::template Field<T>;

template <typename A, typename T, typename Each>
void optionalOf(A& archive, T& value, Each each) {
    bool isThere = false;
    if constexpr (!A::isReading)
        isThere = value.has_value();
    archive.flag(isThere);
    if (!isThere)
        return;
    if constexpr (A::isReading)
        value.emplace();
    each(*value);
}

template <typename A, typename T, typename Each>
void listOf(A& archive, T& list, Each each) {
    if constexpr (A::isReading) {
        const quint64 size = archive.unsignedNumber();
        if (size > static_cast<quint64>(archive.left()))
            return archive.fail();
        for (quint64 i = 0; i < size && archive.isGood(); ++i) {
            typename T::value_type entry{};
            each(entry);
            list.push_back(std::move(entry));
        }
    } else {
        archive.unsignedNumber(static_cast<quint64>(list.size()));
        for (const auto& entry : list)
            each(entry);
    }
}

template <typename A>
void fields(A& a, Of<A, Error>& error) {
    a.choice(error.code, ErrorCode::Storage);
    a.words(error.text);
    a.choice(error.reply, ReplyKind::Other);
    a.choice(error.cause, Cause::NoSessionBus);
    listOf(a, error.arguments, [&a](auto& argument) { a.words(argument); });
}

template <typename A, typename T>
void fieldsIfAny(A& a, T& value) {
    optionalOf(a, value, [&a](auto& one) { fields(a, one); });
}

// ---- locks ----

template <typename A>
void fields(A& a, Of<A, monitor::Expiry>& expiry) {
    a.time(expiry.latest);
    a.time(expiry.earliest);
}

template <typename A>
void fields(A& a, Of<A, monitor::Holder>& holder) {
    a.holder(holder.id);
    a.choice(holder.mode, monitor::HoldMode::Write);
    a.number(holder.count);
    a.id(holder.transaction);
}

template <typename A>
void fields(A& a, Of<A, monitor::FairWaiter>& waiter) {
    a.holder(waiter.id);
    optionalOf(a, waiter.deadline, [&a](auto& deadline) { a.time(deadline); });
}

template <typename A>
void fields(A& a, Of<A, monitor::ReadLease>& lease) {
    a.holder(lease.reader);
    a.number(lease.hold);
    fieldsIfAny(a, lease.expiry);
}

template <typename A>
void fields(A& a, Of<A, monitor::HeldValue>& value) {
    a.id(value.value);
    a.holder(value.owner);
    a.number(value.count);
    optionalOf(a, value.expires, [&a](auto& expires) { a.time(expires); });
}

template <typename A>
void fields(A& a, Of<A, monitor::LockParts>& parts) {
    listOf(a, parts.readLeases, [&a](auto& lease) { fields(a, lease); });
    a.flag(parts.areLeasesWhole);
    listOf(a, parts.values, [&a](auto& value) { fields(a, value); });
    a.number(parts.moreHolders);
}

template <typename A>
void parts(A& a, Of<A, std::shared_ptr<const monitor::LockParts>>& parts) {
    if constexpr (A::isReading) {
        std::optional<monitor::LockParts> read;
        fieldsIfAny(a, read);
        parts = read ? std::make_shared<const monitor::LockParts>(*read) : nullptr;
    } else {
        const std::optional<monitor::LockParts> written = parts ? std::optional(*parts) : std::nullopt;
        fieldsIfAny(a, written);
    }
}

template <typename A>
void fields(A& a, Of<A, monitor::LockSnapshot>& lock) {
    a.name(lock.name);
    a.choice(lock.kind, monitor::LockKind::FasterMulti);
    a.time(lock.seenAt);
    a.time(lock.seenAtWall);
    listOf(a, lock.holders, [&a](auto& holder) { fields(a, holder); });
    optionalOf(a, lock.ttl, [&a](auto& ttl) { a.duration(ttl); });
    fieldsIfAny(a, lock.expiry);
    optionalOf(a, lock.waiters, [&a](auto& waiters) { a.number(waiters); });
    a.number(lock.monitorsAmongWaiters);
    listOf(a, lock.fairQueue, [&a](auto& waiter) { fields(a, waiter); });
    optionalOf(a, lock.token, [&a](auto& token) { a.number(token); });
    parts(a, lock.parts);
    a.node(lock.node);
}

template <typename A>
void fields(A& a, Of<A, monitor::BetweenReads>& between) {
    a.number(between.messages);
    a.time(between.firstMessageAt);
    a.choice(between.reception, monitor::Reception::Incomplete);
    a.choice(between.touch, monitor::KeyTouch::Touched);
    a.time(between.touchedAt);
    a.duration(between.gap);
    a.number(between.releasesReceived);
    optionalOf(a, between.newServerRole, [&a](auto& role) { a.plain(role); });
    optionalOf(a, between.newMaster, [&a](auto& master) { a.address(master); });
}

template <typename A>
void fields(A& a, Of<A, monitor::Listeners>& listeners) {
    a.number(listeners.clients);
    listOf(a, listeners.fairWaiters, [&a](auto& waiter) { a.holder(waiter); });
    optionalOf(a, listeners.sharded, [&a](auto& sharded) { a.number(sharded); });
    a.number(listeners.monitors);
}

template <typename A>
void waiting(A& a, Of<A, monitor::WaitingCounts::Waiting>& waiting) {
    if constexpr (A::isReading) {
        std::vector<std::pair<LockName, monitor::Listeners>> all;
        listOf(a, all, [&a](auto& entry) {
            a.name(entry.first);
            fields(a, entry.second);
        });
        for (auto& [name, listeners] : all)
            waiting.insert(name, listeners);
    } else {
        a.unsignedNumber(static_cast<quint64>(waiting.size()));
        for (auto [name, listeners] : waiting.asKeyValueRange()) {
            a.name(name);
            fields(a, listeners);
        }
    }
}

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
    a.choice(counted.coverage, monitor::Coverage::AllServers);
    waiting(a, counted.waiting);
}

template <typename A>
void fields(A& a, Of<A, monitor::ReplicasCounted>& counted) {
    a.number(counted.shard);
    a.number(counted.replicas.connected);
    a.number(counted.replicas.mostSeen);
    a.time(counted.at);
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

// ---- the figures of a session ----

template <typename A>
void fields(A& a, Of<A, monitor::Denial>& denial) {
    a.choice(denial.what, monitor::Denied::DiscoveryConnection);
    a.plain(denial.command);
    a.choice(denial.consequence, monitor::Consequence::NoConnectionToScan);
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
    a.choice(node.phase, monitor::NodePhase::NotServing);
    fieldsIfAny(a, node.error);
    a.time(node.lastHeard);
    a.number(node.knownLocks);
    a.real(node.readsPerSecond);
    a.number(node.readBudgetPerSecond);
    a.plain(node.serverVersion);
    optionalOf(a, node.replicas,
               [&a](auto& replicas) { listOf(a, replicas, [&a](auto& replica) { fields(a, replica); }); });
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
    a.choice(stats.observation, monitor::ObservationMode::Polling);
    a.choice(stats.observationLimit.kind, monitor::ObservationLimit::Kind::TrackingRefused);
    fields(a, stats.observationLimit.error);
    a.flag(stats.noticesFairQueues);
    a.flag(stats.noticesNewNames);
    a.choice(stats.writeReports, monitor::WriteReports::NoResp3);
    a.number(stats.knownLocks);
    a.number(stats.heldLocks);
    a.number(stats.faultyLocks);
    a.real(stats.readsPerSecond);
    a.number(stats.readBudgetPerSecond);
    a.choice(stats.discovery, monitor::DiscoveryState::Refused);
    a.number(stats.sweepsDone);
    a.number(stats.keysInLastSweep);
    a.number(stats.keysThisSweep);
    a.number(stats.databaseSize);
    listOf(a, stats.denied, [&a](auto& denial) { fields(a, denial); });
    fieldsIfAny(a, stats.tokenLitter);
    listOf(a, stats.scriptStorms, [&a](auto& storm) { fields(a, storm); });
    a.number(stats.eventsDropped);
    listOf(a, stats.nodes, [&a](auto& node) { fields(a, node); });
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
}

template <typename A>
void fields(A& a, Of<A, monitor::Synchronizer>& one) {
    a.name(one.name);
    a.choice(one.kind, monitor::SynchronizerKind::Unknown);
    a.choice(one.state, monitor::CounterState::NotReadable);
    optionalOf(a, one.count, [&a](auto& count) { a.number(count); });
    optionalOf(a, one.leased, [&a](auto& leased) { a.number(leased); });
    listOf(a, one.leases, [&a](auto& lease) { fields(a, lease); });
    a.number(one.clients);
    fieldsIfAny(a, one.deaf);
    a.time(one.seenAt);
    a.time(one.seenAtWall);
}

template <typename A>
void fields(A& a, Of<A, monitor::SynchronizerReading>& reading) {
    a.choice(reading.sight, monitor::SynchronizerReading::Sight::Refused);
    listOf(a, reading.seen, [&a](auto& one) { fields(a, one); });
    a.number(reading.waitedFor);
}

// ---- the rest of a recording ----

template <typename A>
void fields(A& a, Of<A, LinkStatus>& status) {
    a.choice(status.phase, LinkStatus::Phase::Failed);
    a.address(status.server);
    a.flag(status.isDemo);
    a.address(status.master);
    a.flag(status.isReplica);
    a.flag(status.isClusterNode);
    a.plain(status.serverVersion);
    fieldsIfAny(a, status.error);
    a.time(status.lastHeard);
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

// It may have names in it: a masked recording has none.
template <typename A>
void fields(A& a, Of<A, Caption>& caption) {
    a.words(caption.text);
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
}

}  // namespace lockkeeper::recording
