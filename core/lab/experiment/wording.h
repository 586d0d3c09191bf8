// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"

// Short forms, so that an experiment is about ten lines of data.
namespace lockkeeper::lab::wording {

using namespace std::chrono_literals;

inline LockPlan lock(const char* id, LockKind kind = LockKind::Reentrant) {
    return {id, kind, {{LockName(id), ServerNumber(0)}}};
}
// A lock on a server of a Cluster.
inline LockPlan lockOn(int server, const char* id) {
    return {id, LockKind::Reentrant, {{LockName(id), ServerNumber(server)}}};
}
inline LockPlan lockNamed(const char* id, const char* name, LockKind kind) {
    return {id, kind, {{LockName(name), ServerNumber(0)}}};
}
inline LockPlan multiLock(const char* id, std::initializer_list<const char*> names) {
    LockPlan plan{id, LockKind::Multi, {}};
    for (const char* name : names)
        plan.members.push_back({LockName(name), ServerNumber(0)});
    return plan;
}
// A red lock on the servers from 0 on.
inline LockPlan redLock(const char* id, int servers) {
    LockPlan plan{id, LockKind::Red, {}};
    for (int number = 0; number < servers; ++number)
        plan.members.push_back({LockName(id), ServerNumber(number)});
    return plan;
}

inline Step labelled(const char* label, Step step) {
    step.label = label;
    return step;
}
// Begins the step at once; join(LABEL) awaits it.
inline Step begin(const char* label, Step step) {
    step.label = label;
    step.pace = Step::Pace::Begin;
    return step;
}
inline Step join(const char* label) {
    return {{}, {}, Join{label}};
}

// Waits without a limit.
inline Step acquire(const char* actor, const char* lock, std::optional<Milliseconds> lease = {}) {
    return {{}, actor, Acquire{lock, std::nullopt, lease}};
}
inline Step tryFor(const char* actor, const char* lock, Milliseconds wait, std::optional<Milliseconds> lease = {}) {
    return {{}, actor, Acquire{lock, wait, lease}};
}
inline Step tryOnce(const char* actor, const char* lock, std::optional<Milliseconds> lease = {}) {
    return tryFor(actor, lock, 0ms, lease);
}
inline Step release(const char* actor, const char* lock) {
    return {{}, actor, Release{lock}};
}
inline Step onThread(int thread, Step step) {
    if (auto* acquire = std::get_if<Acquire>(&step.action))
        acquire->thread = ThreadId(thread);
    else if (auto* release = std::get_if<Release>(&step.action))
        release->thread = ThreadId(thread);
    return step;
}
inline Step send(const char* actor, QByteArrayList command) {
    return {{}, actor, Send{{}, std::move(command)}};
}
inline Step renewAsRedisson(const char* actor, const char* lock) {
    return {{}, actor, RenewAsRedisson{lock}};
}
inline Step write(const char* actor, const char* lock, StorageChecks checks = StorageChecks::Nothing) {
    return {{}, actor, Write{lock, checks}};
}

inline Step awaitConnected(const char* actor) {
    return {{}, actor, AwaitConnected{}};
}

inline Step newcomers(const char* newcomer, const char* lock, const char* holder, const char* waiter, int rounds) {
    return {{}, newcomer, Newcomers{lock, holder, waiter, rounds}};
}

inline Step pause(Milliseconds time) {
    return {{}, {}, Pause{time}};
}
inline Step observe(const char* label, const char* name, int server = 0) {
    return {label, {}, Observe{LockName(name), ServerNumber(server)}};
}
inline Step awaitFree(const char* label, const char* name, int server = 0) {
    return {label, {}, AwaitFree{LockName(name), ServerNumber(server)}};
}
inline Step awaitWaiters(const char* lock, qint64 count = 1) {
    return {{}, {}, AwaitWaiters{lock, count}};
}
inline Step awaitReplicated() {
    return {{}, {}, AwaitReplicated{}};
}
inline Step awaitMaster(int server) {
    return {{}, {}, AwaitMaster{ServerNumber(server)}};
}
inline Step awaitDead(int server) {
    return {{}, {}, AwaitDead{ServerNumber(server)}};
}
inline Step readDump(const char* label, const char* lock, DumpedThread does) {
    return {label, {}, ReadDump{lock, does}};
}
inline Step fault(Fault what) {
    return {{}, {}, std::move(what)};
}
inline Step byHand(QByteArrayList command, int server = 0) {
    return fault(ByHand{ServerNumber(server), std::move(command)});
}

inline Expectation is(const char* fact, const char* word) {
    return {fact, Expectation::Relation::Is, QByteArray(word)};
}
inline Expectation is(const char* fact, qint64 number) {
    return {fact, Expectation::Relation::Is, number};
}
inline Expectation atLeast(const char* fact, qint64 number) {
    return {fact, Expectation::Relation::AtLeast, number};
}
inline Expectation atMost(const char* fact, qint64 number) {
    return {fact, Expectation::Relation::AtMost, number};
}
inline Expectation atLeast(const char* fact, Milliseconds time) {
    return atLeast(fact, qint64{time.count()});
}
inline Expectation atMost(const char* fact, Milliseconds time) {
    return atMost(fact, qint64{time.count()});
}

}  // namespace lockkeeper::lab::wording
