// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/actorplan.h"
#include "lab/answer.h"
#include "lab/fault.h"
#include "lab/lockplan.h"
#include "lab/playeddump.h"
#include "lab/serversplan.h"
#include "lockkeeper_monitor_export.h"

#include <optional>
#include <variant>
#include <vector>

// An experiment as data: its servers and actors, what happens step by step, and what is expected. Its sentences are in
// resources/lab.
namespace lockkeeper::lab {

// ---- what an actor does ----
struct Acquire {
    LockId lock;
    std::optional<Milliseconds> wait;   // nothing: without a limit
    std::optional<Milliseconds> lease;  // nothing: the watchdog renews it
    ThreadId thread{1};
};
struct Release {
    LockId lock;
    ThreadId thread{1};
};
// The actor sends a command of its own.
struct Send {
    ServerNumber server{};
    QByteArrayList command;
};
// The actor writes to a storage, with the token of its last acquire, if it has one. A storage that checks tokens
// refuses a token that is smaller than the last one; a storage without checks accepts everything. The code is "written"
// or "refused".
enum class StorageChecks { Nothing, Tokens };
struct Write {
    LockId lock;
    StorageChecks checks = StorageChecks::Nothing;
};

// The actor sends the renewal of its read lock that a Redisson client with its watchdog timeout would send. Unlike the
// renewal of this library it shortens the TTL of the whole lock. The code is "renewed", or "NotHeld".
struct RenewAsRedisson {
    LockId lock;
};

// Waits until the actor is connected to every server again.
struct AwaitConnected {};

// ---- what the laboratory does ----
struct Pause {
    Milliseconds time{0};
};
// Waits until this step, which was begun, has ended.
struct Join {
    StepLabel step;
};
// Reads what the server keeps under a name: "holders" (each "ACTOR:THREAD x COUNT", sorted, or the value of a string),
// their "count", "pttl", and "queue", the length of a fair lock's queue.
struct Observe {
    LockName name;
    ServerNumber server{};
};
// Waits until the lock is free, for any reason.
struct AwaitFree {
    LockName name;
    ServerNumber server{};
};
// Waits until this number of waiters sleep: for a fair lock those in its queue, otherwise the subscribed clients.
struct AwaitWaiters {
    LockId lock;
    qint64 count = 1;
};
// For a replicated pair: waits until the replica has everything that the master has written.
struct AwaitReplicated {};
// With a Sentinel: waits until it has made this server the master.
struct AwaitMaster {
    ServerNumber server{};
};
// For a Cluster: waits until all live servers know that this server is dead.
struct AwaitDead {
    ServerNumber server{};
};
// Every actor, with this number of threads, reads a number, adds 1 and writes it, under the lock if there is one.
// "counted" is the number at the end, and "threads" the expected one.
struct Count {
    std::optional<LockId> lock;
    int threadsOfEach = 1;
};
// In each of several rounds the holder releases the lock while the waiter waits for it. The actor tries once, at the
// same moment or 1 ms later. No actor is slowed down for this. "rounds" is their number, and "overtaken" the number of
// rounds in which the actor had the lock before the waiter.
struct Newcomers {
    LockId lock;
    ActorName holder;
    ActorName waiter;
    int rounds = 1;
};
// Searches a cycle of actors that wait for each other, in what this experiment knows: "found" or "none", with "length".
struct FindDeadlock {};
// Reads a played thread dump of the lock's holder beside the lock. The code is "lives", "ended", "unclear", or "free".
struct ReadDump {
    LockId lock;
    DumpedThread does = DumpedThread::Works;
};

using Action = std::variant<Acquire, Release, Send, Write, RenewAsRedisson, AwaitConnected, Pause, Join, Observe,
                            AwaitFree, AwaitWaiters, AwaitReplicated, AwaitMaster, AwaitDead, Count, Newcomers,
                            FindDeadlock, ReadDump, Fault>;

struct Step {
    enum class Pace {
        Await,  // the next step follows when this step has ended
        Begin   // the next step follows at once; see Join
    };

    StepLabel label;  // empty: its answer is not a fact
    ActorName actor;  // empty: the laboratory
    Action action;
    Pace pace = Pace::Await;
};

// ---- what is expected ----
// A fact is LABEL.answer, LABEL.ms and further values of each step that has a label; LOCK.most, the most threads that
// believed at the same time to hold the lock; ACTOR.lost, the reason of the actor's last loss; ACTOR.losses, their
// number.
struct Expectation {
    enum class Relation { Is, AtLeast, AtMost };

    QByteArray fact;
    Relation relation = Relation::Is;
    Fact value;
};

struct Scenario {
    Milliseconds longestRun{30000};  // a run that has not ended by then has failed
    ServersPlan servers;
    std::vector<ActorPlan> actors;
    std::vector<LockPlan> locks;
    std::vector<Step> steps;
    std::vector<Expectation> expectations;
};

// Whether the scenario includes the cause of its effect. Without the cause, at least one expectation must fail.
enum class Trigger { Present, Removed };

// How an experiment is run.
struct Variation {
    Variation(Trigger of = Trigger::Present, int times = 1) : trigger(of), stretch(times) {}

    Trigger trigger;
    int stretch;  // factor of all times of the scenario: from 1 to mostStretch
};
inline constexpr int mostStretch = 10;

// The scenario with all of its times multiplied, so that people can follow it: watchdog timeouts, leases, waits,
// pauses, delays, clock errors, how long a dead waiter keeps its place in a fair queue, and the expected times. All are
// multiplied by the same factor, so that they keep their proportions, and the scenario ends in the same way. Times
// outside the scenario do not change: those after which a Sentinel or a Cluster counts a server as dead.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Scenario stretched(Scenario scenario, int times);

}  // namespace lockkeeper::lab
