// SPDX-License-Identifier: Apache-2.0
#include "monitor/lockstore.h"

#include <algorithm>

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

std::vector<StoreInput> LockStore::presentInputs() const {
    std::vector<StoreInput> inputs;
    for (auto [shard, figures] : m_figures.asKeyValueRange()) {
        inputs.emplace_back(ReplicasCounted{shard, figures.replicas, {}});
        inputs.emplace_back(CommandRateRead{shard, figures.commandsPerSecond});
    }
    // Before the locks: so no lock is read without its waiters.
    for (auto [shard, waiting] : m_counts.all().asKeyValueRange())
        inputs.emplace_back(WaitersCounted{shard, waiting, {}, {}, Coverage::SomeServers});
    QList<LockName> names = m_known.names();
    std::ranges::sort(names);
    for (const LockName& name : names)
        inputs.emplace_back(LockRead{m_known.find(name)->lock(), {}});
    for (const topology::ShardId shard : m_swept)
        inputs.emplace_back(ShardSwept{shard});
    return inputs;
}

}  // namespace lockkeeper::monitor
