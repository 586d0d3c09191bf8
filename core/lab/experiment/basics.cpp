// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "lab/experiment/wording.h"

namespace lockkeeper::lab {

using namespace wording;

namespace {

// An acquire of the same thread is counted; another thread is refused.
Scenario reentry(Trigger trigger) {
    const int thread = trigger == Trigger::Present ? 1 : 2;
    Scenario s;
    s.actors = {"a"};
    s.locks = {lock("L")};
    s.steps = {acquire("a", "L"),
               labelled("second", onThread(thread, tryOnce("a", "L"))),
               observe("inside", "L"),
               labelled("first-release", release("a", "L")),
               labelled("last-release", release("a", "L")),
               observe("after", "L")};
    s.expectations = {is("second.answer", "acquired"), is("inside.holders", "a:1 x2"),
                      is("first-release.answer", "still-held"), is("last-release.answer", "released"),
                      is("after.answer", "free")};
    return s;
}

// Without the message, b sleeps until the lease that it has read expires.
Scenario wakeByChannel(Trigger trigger) {
    Scenario s;
    s.actors = {"a", "b"};
    s.locks = {lock("L")};
    s.steps = {acquire("a", "L", 3s), begin("b", acquire("b", "L")), awaitWaiters("L"),
               trigger == Trigger::Present ? release("a", "L") : byHand({"DEL", "L"}), labelled("wait", join("b"))};
    s.expectations = {is("b.answer", "acquired"), atMost("wait.ms", 1500ms)};
    return s;
}

Scenario tryTimesOut(Trigger trigger) {
    Scenario s;
    s.actors = {"a", "b"};
    s.locks = {lock("L")};
    s.steps = {acquire("a", "L"), labelled("b", tryFor("b", "L", 300ms)), release("a", "L")};
    if (trigger == Trigger::Removed)
        s.steps.insert(s.steps.begin() + 1, release("a", "L"));
    s.expectations = {is("b.answer", "held"), atLeast("b.ms", 300ms), atMost("b.ms", 3s)};
    return s;
}

Scenario wrongThread(Trigger trigger) {
    const int thread = trigger == Trigger::Present ? 2 : 1;
    Scenario s;
    s.actors = {"a"};
    s.locks = {lock("L")};
    s.steps = {acquire("a", "L"), labelled("unlock", onThread(thread, release("a", "L"))), observe("after", "L")};
    s.expectations = {is("unlock.answer", "NotHeld"), is("after.holders", "a:1")};
    return s;
}

// Ten clients count, with this number of threads each.
Scenario contenders(Trigger trigger, int threadsOfEach) {
    Scenario s;
    s.actors = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    s.locks = {lock("L")};
    Count count{std::nullopt, threadsOfEach};
    if (trigger == Trigger::Present)
        count.lock = "L";
    s.steps = {{"all", {}, count}, observe("after", "L")};
    const qint64 threads = std::ssize(s.actors) * threadsOfEach;
    s.expectations = {is("all.threads", threads), is("all.counted", threads), is("L.most", 1),
                      is("after.answer", "free")};
    return s;
}

Scenario hundredContenders(Trigger trigger) {
    return contenders(trigger, 10);
}

// How long a thousand take depends on the machine alone.
Scenario thousandContenders(Trigger trigger) {
    Scenario s = contenders(trigger, 100);
    s.longestRun = 180s;
    return s;
}

}  // namespace

std::vector<Experiment> basicExperiments() {
    return {{"reentry", Family::Basics, reentry},
            {"wake-by-channel", Family::Basics, wakeByChannel},
            {"try-times-out", Family::Basics, tryTimesOut},
            {"wrong-thread", Family::Basics, wrongThread},
            {"hundred-contenders", Family::Basics, hundredContenders},
            {"thousand-contenders", Family::Basics, thousandContenders}};
}

}  // namespace lockkeeper::lab
