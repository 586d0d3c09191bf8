// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/waitingcounts.h"
#include "monitor/model/clientdump.h"
#include "monitor/model/replicas.h"
#include "monitor/model/snapshotcompare.h"

#include <functional>
#include <variant>

namespace lockkeeper::monitor {

// One read of a lock, in the order in which the server answered, and what is known about the time since the read
// before.
struct LockRead {
    LockSnapshot lock;
    BetweenReads between;
};

// The complete list of the waiters for the locks of one shard, requested at countBegan.
struct WaitersCounted {
    topology::ShardId shard{};
    WaitingCounts::Waiting waiting;
    SteadyTime countBegan{};
    WallTime at{};
    Coverage coverage = Coverage::SomeServers;
};

// The replicas of a shard's master have changed.
struct ReplicasCounted {
    topology::ShardId shard{};
    Replicas replicas;
    WallTime at{};
};

// The command rate of a shard's master, a second; nothing: not known.
struct CommandRateRead {
    topology::ShardId shard{};
    std::optional<qint64> perSecond;
};

// A whole sweep of this shard has ended.
struct ShardSwept {
    topology::ShardId shard{};
};

// All shards have been swept.
struct SweepEnded {
    quint64 keys = 0;
    WallTime at{};
};

// A node has refused to read this name because its slot is moving, or has moved.
struct ReadRefused {
    LockName name;
};

// A server has come back without any key in the database: a restart without its file, or a replica that was empty.
struct DatabaseEmptied {
    topology::ShardId shard{};
    WallTime at{};
};

// A lock cannot be read any more.
struct SightLost {
    LockName name;
    SteadyTime at{};
};

// Time has passed: locks that have been free for long enough are forgotten.
struct FreeTimePassed {
    SteadyTime at{};
};

// Time has passed: locks that are not busy any more lose their throughput.
struct BusyTimePassed {
    SteadyTime at{};
};

// A client of this program's own console. What it holds, and whether that is renewed, the console itself says.
struct OwnClientKnown {
    ClientId client;
};

// A thread dump of a client's JVM was read.
struct DumpKnown {
    SharedDump dump;  // not null
    WallTime at{};
};

// Everything that changes what a LockStore knows. A store that gets the same inputs in the same order, and is emptied
// at the same points, emits the same batches. A recording keeps the inputs, and a replay feeds them.
using StoreInput =
    std::variant<LockRead, WaitersCounted, ReplicasCounted, CommandRateRead, ShardSwept, SweepEnded, ReadRefused,
                 DatabaseEmptied, SightLost, FreeTimePassed, BusyTimePassed, OwnClientKnown, DumpKnown>;

// Receives each input just before the store does.
using InputTap = std::function<void(const StoreInput& input)>;

}  // namespace lockkeeper::monitor
