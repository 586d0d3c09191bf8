// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "lab/experiment/wording.h"

namespace lockkeeper::lab {

using namespace wording;

namespace {

constexpr int replicatedServers = 2;

Scenario replicated(int replicasToWaitFor, LockKind kind = LockKind::Reentrant) {
    Scenario s;
    s.servers = {ServersPlan::Form::Replicated, replicatedServers};
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

// a waits for the replica, in vain, and so does not believe that it holds the lock.
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

}  // namespace

std::vector<Experiment> failoverExperiments() {
    return {{"failover-two-holders", Family::Failover, failoverTwoHolders},
            {"failover-wait", Family::Failover, failoverWait},
            {"failover-token", Family::Failover, failoverToken}};
}

}  // namespace lockkeeper::lab
