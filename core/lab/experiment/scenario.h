// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/actorplan.h"
#include "lab/answer.h"
#include "lab/fault.h"
#include "lab/lockplan.h"
#include "lab/serversplan.h"

#include <optional>
#include <variant>
#include <vector>

// An experiment as data: which servers and actors there are, what happens step by step, and what is expected. It has no
// sentences: those are in resources/lab.
namespace lockkeeper::lab {

// ---- what an actor does ----
struct Acquire {
    LockId lock;
    std::optional<Milliseconds> wait;   // nothing: without a limit
    std::optional<Milliseconds> lease;  // nothing: renewed by the watchdog
    ThreadId thread{1};
};
struct Release {
    LockId lock;
    ThreadId thread{1};
};
// A command of its own.
struct Send {
    ServerNumber server{};
    QByteArrayList command;
};
// It writes to a storage, with the token of its last acquire, if it has one. A storage that checks tokens refuses one
// that is smaller than the last; without tokens it takes everything. "written" or "refused".
enum class StorageChecks { Nothing, Tokens };
struct Write {
    LockId lock;
    StorageChecks checks = StorageChecks::Nothing;
};

// It sends the renewal of its read lock that a Redisson client with its watchdog timeout would send: unlike that of this library it
// shortens the time to live of the whole lock. "renewed", or "NotHeld".
struct RenewAsRedisson {
    LockId lock;
};

// Until it is connected to every server again.
struct AwaitConnected {};

// ---- what the laboratory does ----
struct Pause {
    Milliseconds time{0};
};
// Until this step, which was begun, has ended.
struct Join {
    StepLabel step;
};
// Reads what the server keeps of a name: "holders" (each "ACTOR:THREAD x COUNT", sorted, or the value of a string),
// "count" of them, "pttl", and "queue", the length of a fair lock's.
struct Observe {
    LockName name;
    ServerNumber server{};
};
// Until the lock is free, for whatever reason.
struct AwaitFree {
    LockName name;
    ServerNumber server{};
};
// Until so many waiters sleep: of a fair lock those in its queue, else the clients that are subscribed.
struct AwaitWaiters {
    LockId lock;
    qint64 count = 1;
};
// Of a replicated pair: until the replica has all that the master has written.
struct AwaitReplicated {};
// With a Sentinel: until it has made this server the master.
struct AwaitMaster {
    ServerNumber server{};
};
// Of a Cluster: until all that live know that this server is dead.
struct AwaitDead {
    ServerNumber server{};
};
// Every actor with so many threads reads a number, adds 1 and writes it, under the lock if there is one. "counted" is
// the number at the end, and "threads" what it should be.
struct Count {
    std::optional<LockId> lock;
    int threadsOfEach = 1;
};
// The actor tries once in each of so many rounds, when the holder releases the lock for which the waiter waits: at the same moment or
// 1 ms later. Nobody is slowed down for it. "rounds", and "overtaken": in how many of them it had the lock before the waiter.
struct Newcomers {
    LockId lock;
    ActorName holder;
    ActorName waiter;
    int rounds = 1;
};
// Searches a circle of actors that wait for each other, in what this experiment knows: "found" or "none", with
// "length".
struct FindDeadlock {};

using Action = std::variant<Acquire, Release, Send, Write, RenewAsRedisson, AwaitConnected, Pause, Join, Observe, AwaitFree,
                            AwaitWaiters, AwaitReplicated, AwaitMaster, AwaitDead, Count, Newcomers,
                            FindDeadlock, Fault>;

struct Step {
    enum class Pace {
        Await,  // the next step follows when this one has ended
        Begin   // at once; see Join
    };

    StepLabel label;  // empty: its answer is no fact
    ActorName actor;  // empty: the laboratory
    Action action;
    Pace pace = Pace::Await;
};

// ---- what is expected ----
// LABEL.answer, LABEL.ms and further facts of each step that has a label; LOCK.most, how many have believed at the same
// time to hold it; ACTOR.lost, the reason of its last loss; ACTOR.losses, their number.
struct Expectation {
    enum class Relation { Is, AtLeast, AtMost };

    QByteArray fact;
    Relation relation = Relation::Is;
    Fact value;
};

struct Scenario {
    Milliseconds longestRun{30000};  // one that has not ended by then has failed
    ServersPlan servers;
    std::vector<ActorPlan> actors;
    std::vector<LockPlan> locks;
    std::vector<Step> steps;
    std::vector<Expectation> expectations;
};

// Whether the scenario has the cause of what it shows. Without it, its expectations must not all be met.
enum class Trigger { Present, Removed };

// How an experiment is run.
struct Variation {
    Variation(Trigger of = Trigger::Present, int times = 1) : trigger(of), stretch(times) {}

    Trigger trigger;
    int stretch;  // how many times as long its times are as those that it states: from 1 to mostStretch
};
inline constexpr int mostStretch = 10;

}  // namespace lockkeeper::lab
