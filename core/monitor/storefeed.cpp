// SPDX-License-Identifier: Apache-2.0
#include "monitor/lockstore.h"

namespace lockkeeper::monitor {

namespace {

// Calls the function of the store that each input stands for.
struct FeedStore {
    LockStore& store;

    LockStore::Fed operator()(LockRead& read) const { return {store.apply(std::move(read.lock), read.between), {}}; }
    LockStore::Fed operator()(const WaitersCounted& counted) const {
        store.setWaiting(counted.waiting, counted.countBegan, counted.at, counted.shard, counted.coverage);
        return {};
    }
    LockStore::Fed operator()(const ReplicasCounted& counted) const {
        store.setReplicas(counted.shard, counted.replicas, counted.at);
        return {};
    }
    LockStore::Fed operator()(const CommandRateRead& read) const {
        store.setCommandRate(read.shard, read.perSecond);
        return {};
    }
    LockStore::Fed operator()(const ShardSwept& swept) const {
        store.endSweepOf(swept.shard);
        return {};
    }
    LockStore::Fed operator()(const SweepEnded& ended) const {
        store.endSweep(ended.keys, ended.at);
        return {};
    }
    LockStore::Fed operator()(const ReadRefused& refused) const {
        store.noteUnread(refused.name);
        return {};
    }
    LockStore::Fed operator()(const SightLost& lost) const {
        store.loseSightOf(lost.name, lost.at);
        return {};
    }
    LockStore::Fed operator()(const FreeTimePassed& passed) const { return {Stored::Yes, store.forgetFree(passed.at)}; }
    LockStore::Fed operator()(const BusyTimePassed& passed) const {
        store.coolDown(passed.at);
        return {};
    }
};

}  // namespace

LockStore::Fed LockStore::feed(StoreInput input) {
    return std::visit(FeedStore{*this}, input);
}

PresentInputs LockStore::presentInputs() {
    std::vector<StoreInput> before;
    for (auto [shard, figures] : m_figures.asKeyValueRange()) {
        before.emplace_back(ReplicasCounted{shard, figures.replicas, {}});
        before.emplace_back(CommandRateRead{shard, figures.commandsPerSecond});
    }
    // Fed before the locks, so that no lock is read without its waiters.
    for (auto [shard, waiting] : m_counts.all().asKeyValueRange())
        before.emplace_back(WaitersCounted{shard, waiting, {}, {}, Coverage::SomeServers});
    std::vector<SharedRow> locks;
    locks.reserve(static_cast<size_t>(m_known.size()));
    for (auto& [name, known] : m_known)
        locks.push_back(known.passOn());
    std::vector<StoreInput> after;
    for (const topology::ShardId shard : m_swept)
        after.emplace_back(ShardSwept{shard});
    return {std::move(before), std::move(locks), std::move(after)};
}

}  // namespace lockkeeper::monitor
