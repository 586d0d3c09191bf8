// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "lab/experiment/wording.h"

namespace lockkeeper::lab {

using namespace wording;

namespace {

// The fault if it is wanted; otherwise an empty step.
Step ifWanted(Trigger wanted, Fault what) {
    return wanted == Trigger::Present ? fault(std::move(what)) : pause(0ms);
}

// The pause ends 0.2 s after a third of the timeout, so 1.3 s of the lease are left. With a renewal at every half, 0.8
// s would be left, and without renewals the lock would have expired twice.
Scenario renewal(Trigger trigger) {
    Scenario s;
    s.actors = {{"a", 1500ms}};
    s.locks = {lock("L")};
    s.steps = {acquire("a", "L")};
    if (trigger == Trigger::Removed)
        s.steps.push_back(fault(FreezeActor{"a"}));
    s.steps.insert(s.steps.end(), {pause(3700ms), observe("after", "L")});
    if (trigger == Trigger::Removed)
        s.steps.push_back(fault(ResumeActor{"a"}));
    s.steps.push_back(labelled("unlock", release("a", "L")));
    s.expectations = {is("after.holders", "a:1"), atLeast("after.pttl", 1s), is("unlock.answer", "released")};
    return s;
}

Scenario leaseNotRenewed(Trigger trigger) {
    const auto lease = trigger == Trigger::Present ? std::optional<Milliseconds>(1s) : std::nullopt;
    Scenario s;
    s.actors = {{"a", 1s}};
    s.locks = {lock("L")};
    s.steps = {acquire("a", "L", lease), observe("early", "L"), pause(1400ms), observe("after", "L")};
    s.expectations = {is("early.holders", "a:1"), is("after.answer", "free"), is("a.lost", "lease-expired")};
    return s;
}

// The holder lives, so its watchdog renews for ever.
Scenario forgottenUnlock(Trigger trigger) {
    Scenario s;
    s.actors = {{"a", 1500ms}, "b"};
    s.locks = {lock("L")};
    s.steps = {acquire("a", "L"),
               ifWanted(trigger == Trigger::Present ? Trigger::Removed : Trigger::Present, CrashActor{"a"}),
               labelled("b", tryFor("b", "L", 3200ms)), observe("after", "L")};
    s.expectations = {is("b.answer", "held"), is("after.holders", "a:1")};
    return s;
}

// Thread 17 of `a` has ended without an unlock, so nobody can release. Without the cause it lives, and does.
Scenario endedThread(Trigger trigger) {
    constexpr int worker = 17;
    const bool hasEnded = trigger == Trigger::Present;
    Scenario s;
    s.actors = {{"a", 1500ms}, "b"};
    s.locks = {lock("L")};
    s.steps = {onThread(worker, acquire("a", "L")),
               readDump("dump", "L", hasEnded ? DumpedThread::Ended : DumpedThread::Works)};
    if (!hasEnded)
        s.steps.push_back(onThread(worker, release("a", "L")));
    s.steps.insert(s.steps.end(), {labelled("b", tryFor("b", "L", 3200ms)), observe("after", "L")});
    s.expectations = {is("dump.answer", "ended"), is("b.answer", "held"), is("after.holders", "a:17")};
    return s;
}

Scenario shortLease(Trigger trigger) {
    const auto lease = trigger == Trigger::Present ? std::optional<Milliseconds>(800ms) : std::nullopt;
    Scenario s;
    s.actors = {{"a", 1500ms}, "b"};
    s.locks = {lock("L")};
    s.steps = {acquire("a", "L", lease),  begin("b", acquire("b", "L")),           pause(1600ms),
               observe("meanwhile", "L"), labelled("a-unlock", release("a", "L")), join("b")};
    s.expectations = {is("L.most", 2), is("meanwhile.holders", "b:1"), is("a-unlock.answer", "NotHeld"),
                      is("a.lost", "lease-expired")};
    return s;
}

Scenario holderCrash(Trigger trigger) {
    Scenario s;
    s.actors = {{"a", 2s}, "b"};
    s.locks = {lock("L")};
    s.steps = {acquire("a", "L"), begin("b", acquire("b", "L")), awaitWaiters("L"),
               trigger == Trigger::Present ? fault(CrashActor{"a"}) : release("a", "L"), labelled("rest", join("b"))};
    s.expectations = {is("b.answer", "acquired"), atLeast("rest.ms", 1s), atMost("rest.ms", 4s)};
    return s;
}

// The freeze stands for a long pause of garbage collection, or a closed laptop.
Scenario frozenHolder(Trigger trigger) {
    Scenario s;
    s.actors = {{"a", 1500ms}, "b"};
    s.locks = {lock("L")};
    s.steps = {acquire("a", "L"), ifWanted(trigger, FreezeActor{"a"}), labelled("b", tryFor("b", "L", 3s)),
               ifWanted(trigger, ResumeActor{"a"}), labelled("a-unlock", release("a", "L"))};
    s.expectations = {is("b.answer", "acquired"), is("L.most", 2), is("a-unlock.answer", "NotHeld")};
    return s;
}

// In contrast to a frozen holder it notices the loss by its own clock. After a long cut, as in a stretched run, it has
// to connect again.
Scenario cutOffHolder(Trigger trigger) {
    Scenario s;
    s.actors = {{"a", 1500ms}, "b"};
    s.locks = {lock("L")};
    s.steps = {acquire("a", "L"),
               ifWanted(trigger, CutNetwork{"a"}),
               labelled("b", tryFor("b", "L", 3s)),
               pause(300ms),
               ifWanted(trigger, MendNetwork{"a"}),
               awaitConnected("a"),
               labelled("a-unlock", release("a", "L"))};
    s.expectations = {is("b.answer", "acquired"), is("a.lost", "lease-expired"), is("a-unlock.answer", "NotHeld")};
    return s;
}

// The storage refuses the token of the earlier holder.
Scenario fencingToken(Trigger trigger) {
    const StorageChecks checks = trigger == Trigger::Present ? StorageChecks::Tokens : StorageChecks::Nothing;
    Scenario s;
    s.actors = {{"a", 1s}, "b"};
    s.locks = {lock("L", LockKind::Fenced)};
    s.steps = {labelled("a", acquire("a", "L")), fault(FreezeActor{"a"}),
               labelled("b", acquire("b", "L")), labelled("b-write", write("b", "L", checks)),
               fault(ResumeActor{"a"}),          labelled("a-write", write("a", "L", checks))};
    s.expectations = {is("L.most", 2), is("a.token", 1), is("b.token", 2), is("b-write.answer", "written"),
                      is("a-write.answer", "refused")};
    return s;
}

}  // namespace

std::vector<Experiment> watchdogExperiments() {
    return {{"renewal", Family::Watchdog, renewal},
            {"lease-not-renewed", Family::Watchdog, leaseNotRenewed, "after"},
            {"forgotten-unlock", Family::Watchdog, forgottenUnlock},
            {"ended-thread", Family::Watchdog, endedThread, "dump"},
            {"short-lease", Family::Watchdog, shortLease},
            {"holder-crash", Family::Watchdog, holderCrash},
            {"frozen-holder", Family::Watchdog, frozenHolder},
            {"cut-off-holder", Family::Watchdog, cutOffHolder},
            {"fencing-token", Family::Watchdog, fencingToken, "a-write"}};
}

}  // namespace lockkeeper::lab
