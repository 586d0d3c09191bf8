// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/scenario.h"

namespace lockkeeper::lab {

namespace {

// Stretches the times of one action or fault.
class Stretcher {
public:
    explicit Stretcher(int times) : m_times(times) {}

    void operator()(Acquire& what) const {
        stretch(what.wait);
        stretch(what.lease);
    }
    void operator()(Pause& what) const { what.time *= m_times; }
    void operator()(Send& what) const { stretch(what.command); }
    void operator()(Fault& what) const { std::visit(*this, what); }
    void operator()(DelayNetwork& fault) const { fault.by *= m_times; }
    void operator()(JumpClock& fault) const { fault.by *= m_times; }
    void operator()(ByHand& fault) const { stretch(fault.command); }
    void operator()(auto&) const {}

private:
    void stretch(std::optional<Milliseconds>& time) const {
        if (time)
            *time *= m_times;
    }
    // PEXPIRE is the only command of a scenario that contains a time.
    void stretch(QByteArrayList& command) const {
        if (command.size() == 3 && command.front() == "PEXPIRE")
            command.back() = QByteArray::number(command.back().toLongLong() * m_times);
    }

    const int m_times;
};

// Times are measured as "STEP.ms", and the remaining lease as "STEP.pttl"; a negative one is not a time but a code of
// the server.
void stretch(Expectation& expectation, int times) {
    auto* number = std::get_if<qint64>(&expectation.value);
    if (number && *number > 0 && (expectation.fact.endsWith(".ms") || expectation.fact.endsWith(".pttl")))
        *number *= times;
}

}  // namespace

Scenario stretched(Scenario scenario, int times) {
    scenario.longestRun *= times;
    for (ActorPlan& actor : scenario.actors) {
        actor.watchdogTimeout *= times;
        actor.fairLockWaitTimeout *= times;
    }
    for (Step& step : scenario.steps)
        std::visit(Stretcher(times), step.action);
    for (Expectation& expectation : scenario.expectations)
        stretch(expectation, times);
    return scenario;
}

}  // namespace lockkeeper::lab
