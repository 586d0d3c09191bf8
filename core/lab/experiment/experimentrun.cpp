// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/experimentrun.h"

namespace lockkeeper::lab {

ExperimentRun::ExperimentRun(Scenario scenario, Clock& clock, const QString& serverProgram, QObject* parent)
    : QObject(parent),
      m_scenario(std::move(scenario)),
      m_clock(clock),
      m_laboratory(clock, clock, serverProgram),
      m_player(m_scenario.locks, m_laboratory, clock),
      m_limit(clock, [this] { fail(Error(ErrorCode::Timeout, Cause::NoAnswerInTime)); }) {}

ExperimentRun::~ExperimentRun() {
    m_laboratory.end();
}

Task<Outcome> ExperimentRun::run() {
    m_scope.spawn(playAll());
    (void)co_await m_ended.wait(Deadline::never(m_clock));
    m_laboratory.end();
    m_player.stop();
    m_scope.stop();
    if (m_failure)
        m_outcome.failure = m_failure;
    co_return m_outcome;
}

void ExperimentRun::stop() {
    fail(Error(ErrorCode::Cancelled, Cause::Cancelled));
}

void ExperimentRun::fail(const Error& failure) {
    if (!m_failure)
        m_failure = failure;
    m_laboratory.end();
    m_player.stop();
    m_scope.stop();
}

Task<void> ExperimentRun::playAll() {
    m_limit.start(m_scenario.longestRun);
    Result<Done> done = co_await m_laboratory.start(m_scenario.servers, m_scenario.actors);
    if (done) {
        m_player.begin();
        done = co_await playSteps();
        m_outcome = m_player.outcome();
    }
    if (!done && !m_failure)
        m_failure = done.error();
    reportEnd();
}

// Called from the event loop, because the scope's tasks must have ended before run() resumes.
void ExperimentRun::reportEnd() {
    m_limit.stop();
    const Completion<Done> ended = m_ended;
    QMetaObject::invokeMethod(
        this, [ended] { ended.complete(Done()); }, Qt::QueuedConnection);
}

Task<Result<Done>> ExperimentRun::playSteps() {
    for (qsizetype index = 0; index < std::ssize(m_scenario.steps); ++index) {
        const Step step = m_scenario.steps[static_cast<size_t>(index)];
        co_await m_player.play(step, index);
        if (m_player.failure())
            co_return *m_player.failure();
        if (m_failure)
            co_return *m_failure;
    }
    co_return Done();
}

}  // namespace lockkeeper::lab

#include "moc_experimentrun.cpp"
