// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "lab/experiment/wording.h"

namespace lockkeeper::lab {

using namespace wording;

namespace {

constexpr char unlockChannel[] = "redisson_lock__channel:{L}";

// An operator frees the lock of a by hand, and b waits.
Scenario freedByHand(std::vector<Step> hand) {
    Scenario s;
    s.actors = {"a", "b"};
    s.locks = {lock("L")};
    s.steps = {acquire("a", "L", 2500ms), begin("b", acquire("b", "L")), awaitWaiters("L"), byHand({"DEL", "L"}),
               observe("after-del", "L")};
    s.steps.insert(s.steps.end(), hand.begin(), hand.end());
    s.steps.push_back(labelled("wait", join("b")));
    return s;
}

Scenario deletedByHand(Trigger trigger) {
    Scenario s = freedByHand(trigger == Trigger::Present ? std::vector<Step>()
                                                         : std::vector{byHand({"PUBLISH", unlockChannel, "0"})});
    s.expectations = {is("after-del.answer", "free"), is("b.answer", "acquired"), atLeast("wait.ms", 1500ms)};
    return s;
}

Scenario publishedByHand(Trigger trigger) {
    Scenario s = freedByHand(trigger == Trigger::Removed ? std::vector<Step>()
                                                         : std::vector{byHand({"PUBLISH", unlockChannel, "0"})});
    s.expectations = {is("after-del.answer", "free"), is("b.answer", "acquired"), atMost("wait.ms", 1s)};
    return s;
}

// b is slow to wake, but no other actor may overtake it.
Scenario fairOrder(Trigger trigger) {
    Scenario s;
    s.actors = {"a", "b", "c"};
    s.locks = {lock("L", trigger == Trigger::Present ? LockKind::Fair : LockKind::Reentrant)};
    s.steps = {acquire("a", "L"),
               begin("b", acquire("b", "L")),
               awaitWaiters("L", 1),
               begin("c", acquire("c", "L")),
               awaitWaiters("L", 2),
               fault(FreezeActor{"b"}),
               release("a", "L"),
               pause(300ms),
               observe("b-sleeps", "L"),
               fault(ResumeActor{"b"}),
               pause(300ms),
               observe("first", "L"),
               release("b", "L"),
               pause(300ms),
               observe("second", "L")};
    s.expectations = {is("b-sleeps.answer", "free"), is("first.holders", "b:1"), is("second.holders", "c:1")};
    return s;
}

// Measures without a frozen actor: b wakes as fast as it can, and c comes at the release or a little later.
Scenario barging(Trigger trigger) {
    constexpr int rounds = 40;
    Scenario s;
    s.actors = {"a", "b", "c"};
    s.locks = {lock("L", trigger == Trigger::Present ? LockKind::Reentrant : LockKind::Fair)};
    s.steps = {labelled("c", newcomers("c", "L", "a", "b", rounds)), observe("after", "L")};
    s.expectations = {is("c.rounds", rounds), atLeast("c.overtaken", 1), is("L.most", 1), is("after.answer", "free")};
    return s;
}

// c arrives when a has released and b has not woken yet.
Scenario fairNewcomer(Trigger trigger) {
    Scenario s;
    s.actors = {"a", "b", "c"};
    s.locks = {lock("L", trigger == Trigger::Present ? LockKind::Fair : LockKind::Reentrant)};
    s.steps = {
        acquire("a", "L"),    begin("b", acquire("b", "L")),           awaitWaiters("L"),       fault(FreezeActor{"b"}),
        release("a", "L"),    labelled("newcomer", tryOnce("c", "L")), fault(ResumeActor{"b"}), pause(300ms),
        observe("after", "L")};
    s.expectations = {is("newcomer.answer", "behind"), is("after.holders", "b:1")};
    return s;
}

// The dead b keeps its place until the end of the lease that it has read and 1.5 s more, about 2.5 s. The library of c
// adds 10 s, which are not stretched, because a wrong clock may have written a deadline (fair_queue.lua), and asks each
// second. With Trigger::Removed b has left the queue.
Scenario deadHead(Trigger trigger) {
    Scenario s;
    s.actors = {"a", "b", "c"};
    s.locks = {lock("L", LockKind::Fair)};
    s.actors.at(1).fairLockWaitTimeout = 1500ms;
    s.steps = {acquire("a", "L", 1s)};
    if (trigger == Trigger::Present)
        s.steps.insert(s.steps.end(), {begin("b", acquire("b", "L")), awaitWaiters("L", 1), fault(CrashActor{"b"})});
    else
        s.steps.push_back(labelled("b", tryFor("b", "L", 100ms)));
    s.steps.insert(s.steps.end(), {release("a", "L"), labelled("early", tryOnce("c", "L")), observe("free", "L"),
                                   labelled("c", acquire("c", "L"))});
    s.expectations = {is("early.answer", "behind"), is("free.answer", "free"), is("free.queue", 1),
                      is("c.answer", "acquired"),   atLeast("c.ms", 2s),       atMost("c.ms", 16s)};
    return s;
}

}  // namespace

std::vector<Experiment> waitingExperiments() {
    return {{"deleted-by-hand", Family::Waiting, deletedByHand},
            {"published-by-hand", Family::Waiting, publishedByHand, "b"},
            {"barging", Family::Waiting, barging},
            {"fair-newcomer", Family::Waiting, fairNewcomer},
            {"fair-order", Family::Waiting, fairOrder},
            {"dead-head", Family::Waiting, deadHead}};
}

}  // namespace lockkeeper::lab
