// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "lab/experiment/wording.h"

namespace lockkeeper::lab {

using namespace wording;

namespace {

constexpr int replicatedServers = 2;

Scenario replicated(int replicasToWaitFor, LockKind kind = LockKind::Reentrant,
                    ServersPlan::Form form = ServersPlan::Form::Replicated) {
    Scenario s;
    s.servers = {form, replicatedServers};
    ActorPlan a("a");
    a.replicasToWaitFor = replicasToWaitFor;
    s.actors = {a, "b"};
    s.locks = {lock("L", kind)};
    return s;
}

void addFailover(Scenario& s) {
    s.steps.push_back(fault(KillServer{ServerNumber(0)}));
    s.steps.push_back(fault(PromoteReplica{}));
}

// The master dies before the replica has the lock.
Scenario failoverTwoHolders(Trigger trigger) {
    Scenario s = replicated(0);
    s.steps = {labelled("a", acquire("a", "L"))};
    if (trigger == Trigger::Present)
        s.steps.insert(s.steps.begin(), fault(HoldReplication{}));
    else
        s.steps.push_back(awaitReplicated());
    addFailover(s);
    s.steps.push_back(labelled("b", tryFor("b", "L", 2s)));
    s.steps.push_back(awaitConnected("a"));
    s.steps.push_back(labelled("a-unlock", release("a", "L")));
    s.expectations = {is("a.answer", "acquired"), is("b.answer", "acquired"), is("L.most", 2),
                      is("a-unlock.answer", "NotHeld")};
    return s;
}

// a waits in vain for the replica, and so does not believe that it holds the lock.
Scenario failoverWait(Trigger trigger) {
    Scenario s = replicated(trigger == Trigger::Present ? 1 : 0);
    s.steps = {fault(HoldReplication{}), labelled("a", tryFor("a", "L", 800ms))};
    addFailover(s);
    s.steps.push_back(labelled("b", tryFor("b", "L", 3s)));
    s.expectations = {is("a.answer", "Timeout"), is("b.answer", "acquired"), is("L.most", 1)};
    return s;
}

// The counter of the tokens is lost with the lock, so b gets the token of a again.
Scenario failoverToken(Trigger trigger) {
    Scenario s = replicated(0, LockKind::Fenced);
    s.steps = {acquire("a", "L"), release("a", "L"), awaitReplicated(), labelled("a", acquire("a", "L"))};
    if (trigger == Trigger::Present)
        s.steps.insert(s.steps.end() - 1, fault(HoldReplication{}));
    else
        s.steps.push_back(awaitReplicated());
    addFailover(s);
    s.steps.push_back(labelled("b", tryFor("b", "L", 2s)));
    s.steps.push_back(labelled("b-write", write("b", "L", StorageChecks::Tokens)));
    s.steps.push_back(labelled("a-write", write("a", "L", StorageChecks::Tokens)));
    s.expectations = {is("L.most", 2), is("a.token", 2), is("b.token", 2), is("b-write.answer", "written"),
                      is("a-write.answer", "written")};
    return s;
}

// ---- with a Sentinel ----

Scenario watched(LockKind kind = LockKind::Reentrant) {
    return replicated(0, kind, ServersPlan::Form::Sentinel);
}

// The failover is not ordered, and the actors find the new master themselves.
Scenario sentinelTwoHolders(Trigger trigger) {
    Scenario s = watched();
    s.steps = {labelled("a", acquire("a", "L"))};
    if (trigger == Trigger::Present)
        s.steps.insert(s.steps.begin(), fault(HoldReplication{}));
    else
        s.steps.push_back(awaitReplicated());
    s.steps.insert(s.steps.end(),
                   {fault(KillServer{ServerNumber(0)}), labelled("failover", awaitMaster(1)), awaitConnected("a"),
                    awaitConnected("b"), labelled("b", tryFor("b", "L", 2s)), labelled("a-unlock", release("a", "L"))});
    s.expectations = {is("a.answer", "acquired"), is("failover.answer", "promoted"), is("b.answer", "acquired"),
                      is("L.most", 2), is("a-unlock.answer", "NotHeld")};
    return s;
}

// The master and a are on one side, all others on the other. With Trigger::Removed the same failover happens without a
// partition. The Sentinel notifies its clients at that moment, so a pause gives them time to follow.
void addPartition(Scenario& s, Trigger trigger) {
    const bool isCut = trigger == Trigger::Present;
    s.steps.push_back(isCut ? fault(PartitionServer{ServerNumber(0), {"a"}}) : fault(PromoteReplica{}));
    s.steps.insert(s.steps.end(), {awaitMaster(1), pause(300ms), awaitConnected("b")});
    if (!isCut)
        s.steps.push_back(awaitConnected("a"));
}

Scenario splitBrain(Trigger trigger) {
    Scenario s = watched();
    addPartition(s, trigger);
    s.steps.insert(s.steps.end(), {labelled("b", tryFor("b", "L", 3s)), labelled("a", tryFor("a", "L", 1s)),
                                   observe("isolated", "L", 0), observe("promoted", "L", 1)});
    s.expectations = {is("b.answer", "acquired"), is("a.answer", "acquired"), is("isolated.holders", "a:1"),
                      is("promoted.holders", "b:1"), is("L.most", 2)};
    return s;
}

// The lock and its counter are replicated in time. At the new master the lock of a is not renewed.
Scenario splitBrainToken(Trigger trigger) {
    const StorageChecks checks = trigger == Trigger::Present ? StorageChecks::Tokens : StorageChecks::Nothing;
    Scenario s = watched(LockKind::Fenced);
    s.actors.front().watchdogTimeout = 1500ms;
    s.steps = {labelled("a", acquire("a", "L")), awaitReplicated()};
    addPartition(s, Trigger::Present);
    s.steps.insert(s.steps.end(), {labelled("b", tryFor("b", "L", 5s)), labelled("b-write", write("b", "L", checks)),
                                   observe("isolated", "L", 0), labelled("a-write", write("a", "L", checks))});
    s.expectations = {is("L.most", 2),  is("isolated.holders", "a:1"),   is("a.token", 1),
                      is("b.token", 2), is("b-write.answer", "written"), is("a-write.answer", "refused")};
    return s;
}

}  // namespace

std::vector<Experiment> failoverExperiments() {
    return {{"failover-two-holders", Family::Failover, failoverTwoHolders},
            {"failover-wait", Family::Failover, failoverWait},
            {"failover-token", Family::Failover, failoverToken, "a-write"},
            {"sentinel-two-holders", Family::Failover, sentinelTwoHolders},
            {"split-brain", Family::Failover, splitBrain},
            {"split-brain-token", Family::Failover, splitBrainToken, "a-write"}};
}

}  // namespace lockkeeper::lab
