// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "lab/experiment/wording.h"

namespace lockkeeper::lab {

using namespace wording;

namespace {

Scenario multiRollBack(Trigger trigger) {
    Scenario s;
    s.actors = {"a", "b"};
    s.locks = {multiLock("all", {"x", "y", "z"}), lock("y")};
    s.steps = {acquire("b", "y"), labelled("a", tryFor("a", "all", 300ms)), observe("x", "x"), observe("y", "y"),
               observe("z", "z")};
    if (trigger == Trigger::Removed)
        s.steps.insert(s.steps.begin() + 1, release("b", "y"));
    s.expectations = {is("a.answer", "held"), is("x.answer", "free"), is("y.holders", "b:1"), is("z.answer", "free")};
    return s;
}

// `lost` of the servers are lost before a tries.
Scenario redLockWithLosses(int servers, int lost) {
    Scenario s;
    s.servers.count = servers;
    s.actors = {"a", "b"};
    s.locks = {redLock("L", servers)};
    for (int number = servers - lost; number < servers; ++number)
        s.steps.push_back(fault(KillServer{ServerNumber(number)}));
    s.steps.push_back(labelled("a", tryFor("a", "L", 500ms)));
    s.steps.push_back(labelled("b", tryOnce("b", "L")));
    return s;
}

// As many servers are lost as a majority can do without.
template <int servers>
Scenario redMajorityLeft(Trigger trigger) {
    constexpr int spare = (servers - 1) / 2;
    Scenario s = redLockWithLosses(servers, trigger == Trigger::Present ? spare : spare + 1);
    s.expectations = {is("a.answer", "acquired"), is("a.servers", servers - spare), is("b.answer", "held"),
                      is("L.most", 1)};
    return s;
}

// One server more is lost.
template <int servers>
Scenario redMajorityLost(Trigger trigger) {
    constexpr int spare = (servers - 1) / 2;
    Scenario s = redLockWithLosses(servers, trigger == Trigger::Present ? spare + 1 : spare);
    s.steps.push_back(observe("left", "L"));
    s.expectations = {is("a.answer", "ConnectionLost"), is("b.answer", "ConnectionLost"), is("left.answer", "free")};
    return s;
}

// Server 2 is not reachable while a takes the lock of 0 and 1; then 1 loses the lock. So 1 and 2 are a majority for b.
Scenario redForgot(Trigger trigger) {
    Scenario s = redLockWithLosses(3, 1);
    s.steps.pop_back();
    s.steps.push_back(fault(RestartServer{ServerNumber(2)}));
    if (trigger == Trigger::Present) {
        s.steps.push_back(fault(KillServer{ServerNumber(1)}));
        s.steps.push_back(fault(RestartServer{ServerNumber(1)}));
    }
    s.steps.push_back(awaitConnected("b"));
    s.steps.push_back(labelled("b", tryFor("b", "L", 2s)));
    s.expectations = {is("a.answer", "acquired"), is("a.servers", 2), is("b.answer", "acquired"), is("b.servers", 2),
                      is("L.most", 2)};
    return s;
}

Scenario deadlock(Trigger trigger) {
    const bool isCrossed = trigger == Trigger::Present;
    Scenario s;
    s.actors = {"a", "b"};
    s.locks = {lock("x", LockKind::Fair), lock("y", LockKind::Fair)};
    if (isCrossed)
        s.steps = {acquire("a", "x"), acquire("b", "y"), begin("a", acquire("a", "y")), begin("b", acquire("b", "x")),
                   awaitWaiters("x"), awaitWaiters("y")};
    else
        s.steps = {acquire("a", "x"), begin("b", acquire("b", "x")), awaitWaiters("x"), acquire("a", "y")};
    s.steps.push_back({"search", {}, FindDeadlock{}});
    s.expectations = {is("search.answer", "found"), is("search.length", 2)};
    return s;
}

// ---- a Cluster ----

Scenario clusterOfThree() {
    Scenario s;
    s.servers = {ServersPlan::Form::Cluster, 3};
    s.actors = {"a", "b"};
    return s;
}

// The slot of the lock moves from server 0 to 1 with the lock. b sleeps at 0, and is woken at 1.
Scenario slotMoves(Trigger trigger) {
    Scenario s = clusterOfThree();
    s.locks = {lockOn(0, "mail")};
    s.steps = {acquire("a", "mail"), begin("b", acquire("b", "mail")), awaitWaiters("mail")};
    if (trigger == Trigger::Present)
        s.steps.push_back(fault(MoveSlot{LockName("mail"), ServerNumber(0), ServerNumber(1)}));
    s.steps.insert(s.steps.end(), {observe("moved", "mail", 1), pause(300ms), release("a", "mail"),
                                   labelled("wait", join("b")), observe("after", "mail", 1)});
    s.expectations = {is("moved.holders", "a:1"), is("b.answer", "acquired"), atMost("wait.ms", 1500ms),
                      is("after.holders", "b:1")};
    return s;
}

// Server 2, which has neither lock, dies. With Trigger::Removed the Cluster may work without it.
Scenario clusterMasterLost(Trigger trigger) {
    Scenario s = clusterOfThree();
    s.actors.front().watchdogTimeout = 1s;
    s.locks = {lockOn(0, "mail"), lockOn(1, "jobs")};
    if (trigger == Trigger::Removed) {
        for (int server = 0; server < 2; ++server)
            s.steps.push_back(byHand({"CONFIG", "SET", "cluster-require-full-coverage", "no"}, server));
    }
    s.steps.insert(s.steps.end(), {labelled("a", tryOnce("a", "mail")), fault(KillServer{ServerNumber(2)}),
                                   awaitDead(2), labelled("b", tryFor("b", "jobs", 500ms)), pause(1200ms)});
    s.expectations = {is("a.answer", "acquired"), is("b.answer", "ServerReply"), is("a.lost", "lease-expired")};
    return s;
}

}  // namespace

std::vector<Experiment> severalExperiments() {
    return {{"multi-roll-back", Family::Several, multiRollBack},
            {"red-three-one-lost", Family::Several, redMajorityLeft<3>},
            {"red-three-two-lost", Family::Several, redMajorityLost<3>},
            {"red-five-two-lost", Family::Several, redMajorityLeft<5>},
            {"red-five-three-lost", Family::Several, redMajorityLost<5>},
            {"red-forgot", Family::Several, redForgot},
            {"deadlock", Family::Several, deadlock},
            {"cluster-slot-moves", Family::Several, slotMoves, "b"},
            {"cluster-master-lost", Family::Several, clusterMasterLost, "b"}};
}

}  // namespace lockkeeper::lab
