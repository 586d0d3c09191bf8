// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "lab/experiment/wording.h"

namespace lockkeeper::lab {

using namespace wording;

namespace {

// The lock has no expiry until the second command, which is never sent.
Scenario setnxCrash(Trigger trigger) {
    Scenario s;
    s.actors = {"a", "b"};
    s.locks = {lock("L", LockKind::NaiveSetnx)};
    s.steps = {acquire("a", "L"), fault(CrashActor{"a"}), labelled("b", tryFor("b", "L", 1s)), observe("after", "L")};
    if (trigger == Trigger::Removed)
        s.steps.insert(s.steps.begin() + 1, send("a", {"PEXPIRE", "L", "300"}));
    s.expectations = {is("b.answer", "held"), is("after.holders", "a"), is("after.pttl", -1)};
    return s;
}

Scenario deletesOthersLock(Trigger trigger) {
    Scenario s;
    s.actors = {"a", "b", "c"};
    s.locks = {lock("L", trigger == Trigger::Present ? LockKind::NaiveSet : LockKind::NaiveOwner)};
    s.steps = {acquire("a", "L", 300ms), labelled("b", tryFor("b", "L", 2s, 10s)),
               labelled("a-unlock", release("a", "L")), observe("after", "L"), labelled("c", tryOnce("c", "L"))};
    s.expectations = {is("b.answer", "acquired"), is("a-unlock.answer", "released"), is("after.answer", "free"),
                      is("c.answer", "acquired"), is("L.most", 2)};
    return s;
}

Scenario clocksDiffer(Trigger trigger) {
    const Milliseconds ahead = trigger == Trigger::Present ? 10s : 0s;
    Scenario s;
    s.actors = {"a", "b"};
    s.locks = {lock("L", LockKind::NaiveTime)};
    s.steps = {acquire("a", "L", 5s), fault(JumpClock{"b", ahead}), labelled("b", tryOnce("b", "L", 5s))};
    s.expectations = {is("b.answer", "acquired"), is("L.most", 2)};
    return s;
}

Scenario noReentry(Trigger trigger) {
    Scenario s;
    s.actors = {"a", "b"};
    s.locks = {lock("L", trigger == Trigger::Present ? LockKind::NaiveOwner : LockKind::Reentrant)};
    s.steps = {acquire("a", "L", 5s),
               labelled("second", tryOnce("a", "L", 5s)),
               begin("b", tryFor("b", "L", 3s)),
               pause(500ms),
               release("a", "L"),
               join("b")};
    s.expectations = {is("second.answer", "held"), is("b.answer", "acquired"), atLeast("b.tries", 5)};
    return s;
}

}  // namespace

std::vector<Experiment> beforeExperiments() {
    return {{"setnx-crash", Family::Before, setnxCrash},
            {"deletes-others-lock", Family::Before, deletesOthersLock, "a-unlock"},
            {"clocks-differ", Family::Before, clocksDiffer},
            {"no-reentry", Family::Before, noReentry}};
}

}  // namespace lockkeeper::lab
