// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/catalogue.h"
#include "lab/experiment/wording.h"

namespace lockkeeper::lab {

using namespace wording;

namespace {

std::vector<LockPlan> readWriteLocks() {
    return {lockNamed("read", "L", LockKind::Read), lockNamed("write", "L", LockKind::Write)};
}

Scenario readersTogether(Trigger trigger) {
    Scenario s;
    s.actors = {"a", "b", "c"};
    s.locks = readWriteLocks();
    s.steps = {acquire("a", "read"),
               labelled("b", tryOnce("b", trigger == Trigger::Present ? "read" : "write")),
               observe("inside", "L"),
               labelled("writer", tryFor("c", "write", 200ms)),
               release("a", "read"),
               release("b", "read"),
               labelled("writer-later", tryOnce("c", "write")),
               labelled("reader-later", tryOnce("a", "read"))};
    s.expectations = {is("b.answer", "acquired"),        is("inside.holders", "a:1, b:1"),
                      is("writer.answer", "held"),       is("writer-later.answer", "acquired"),
                      is("reader-later.answer", "held"), is("read.most", 2)};
    return s;
}

Scenario downgrade(Trigger trigger) {
    Scenario s;
    s.actors = {"a", "b", "c"};
    s.locks = readWriteLocks();
    s.steps = {acquire("a", "write"), acquire("a", "read"), observe("both", "L")};
    if (trigger == Trigger::Present)
        s.steps.push_back(release("a", "write"));
    s.steps.insert(s.steps.end(), {labelled("reader", tryOnce("b", "read")), labelled("writer", tryOnce("c", "write")),
                                   observe("after", "L")});
    s.expectations = {is("both.holders", "a:1, a:1 write"), is("reader.answer", "acquired"),
                      is("writer.answer", "held"), is("after.holders", "a:1, b:1")};
    return s;
}

// The writer waits for the timeout key of the dead reader.
Scenario readerCrash(Trigger trigger) {
    Scenario s;
    s.actors = {{"a", 2s}, "b", "c"};
    s.locks = readWriteLocks();
    s.steps = {acquire("a", "read"),
               acquire("b", "read"),
               trigger == Trigger::Present ? fault(CrashActor{"a"}) : release("a", "read"),
               release("b", "read"),
               observe("left", "L"),
               labelled("writer", acquire("c", "write"))};
    s.expectations = {is("left.holders", "a:1"), is("writer.answer", "acquired"), atLeast("writer.ms", 800ms),
                      atMost("writer.ms", 5s)};
    return s;
}

// a sends the renewal of a Redisson reader, because the renewal of this library does not shorten the TTL. The client of
// b would undo it at once, which a Redisson client does not do, so b is frozen with either trigger.
Scenario leasedReader(Trigger trigger) {
    Scenario s;
    s.actors = {{"a", 1s}, "b", "c"};
    s.locks = readWriteLocks();
    s.steps = {acquire("a", "read"), acquire("b", "read", 20s), fault(FreezeActor{"b"})};
    if (trigger == Trigger::Present)
        s.steps.push_back(renewAsRedisson("a", "read"));
    s.steps.insert(s.steps.end(),
                   {fault(CrashActor{"a"}), labelled("writer", tryFor("c", "write", 2500ms)), observe("after", "L")});
    s.expectations = {is("writer.answer", "acquired"), is("after.holders", "c:1 write")};
    return s;
}

}  // namespace

std::vector<Experiment> sharingExperiments() {
    return {{"readers-together", Family::Sharing, readersTogether},
            {"downgrade", Family::Sharing, downgrade, "reader"},
            {"reader-crash", Family::Sharing, readerCrash},
            {"leased-reader", Family::Sharing, leasedReader}};
}

}  // namespace lockkeeper::lab
