// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "async/taskscope.h"
#include "base/clocktimer.h"
#include "lab/experiment/beliefs.h"
#include "lab/experiment/labreader.h"
#include "lab/experiment/outcome.h"
#include "lab/experiment/scenario.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>

#include <map>

namespace lockkeeper::lab {

// Runs one scenario in a laboratory of its own, and notes what happens. Thread: that of its clock.
class LOCKKEEPER_MONITOR_EXPORT ExperimentRun : public QObject {
    Q_OBJECT
public:
    // serverProgram: empty: the installed one.
    ExperimentRun(Scenario scenario, Clock& clock, const QString& serverProgram = {}, QObject* parent = nullptr);
    // run() must have returned, if it was called.
    ~ExperimentRun() override;

    // Call once. A scenario that does not end within 30 s has the failure Timeout.
    [[nodiscard]] Task<Outcome> run();
    // Lets run() return soon, with the failure Cancelled.
    void stop();

private:
    Task<void> playAll();
    Task<Result<Done>> playSteps();
    Task<void> playInBackground(qsizetype index, Completion<Done> ended);
    Task<void> playNow(qsizetype index);
    void fail(const Error& failure);
    void reportEnd();

    // One for each kind of action.
    Task<Answer> perform(Step step, Acquire what);
    Task<Answer> perform(Step step, Release what);
    Task<Answer> perform(Step step, Send what);
    Task<Answer> perform(Step step, Write what);
    Task<Answer> perform(Step step, AwaitConnected what);
    Task<Answer> perform(Step step, Pause what);
    Task<Answer> perform(Step step, Join what);
    Task<Answer> perform(Step step, Observe what);
    Task<Answer> perform(Step step, AwaitFree what);
    Task<Answer> perform(Step step, AwaitWaiters what);
    Task<Answer> perform(Step step, AwaitReplicated what);
    Task<Answer> perform(Step step, Count what);
    Task<Answer> perform(Step step, FindDeadlock what);
    Task<Answer> perform(Step step, Fault what);
    Task<void> countOnce(Actor* actor, std::optional<LockPlan> lock, ThreadId thread, std::shared_ptr<int> left,
                         Completion<Done> ended);

    void record(qsizetype index, SteadyTime begun, const Answer& answer);
    void note(qsizetype step, const QByteArray& actor, const QByteArray& what, const QByteArray& subject);
    void onLost(const Actor& actor, const locks::HoldKey& key, locks::LossReason why);
    [[nodiscard]] const LockPlan& lock(const LockId& id) const;
    [[nodiscard]] Actor::Call callOf(const LockId& id, ThreadId thread) const;

    const Scenario m_scenario;
    Clock& m_clock;
    Laboratory m_laboratory;
    Outcome m_outcome;
    Beliefs m_beliefs;
    std::map<StepLabel, Completion<Done>> m_begun;
    std::map<std::pair<LockId, ActorName>, qint64> m_tokens;  // of the last acquire
    std::map<LockId, qint64> m_storages;  // the last token that the storage of this lock has accepted
    SteadyTime m_begin{};
    Completion<Done> m_ended;
    ClockTimer m_limit;
    TaskScope m_scope;
    LabReader m_reader;
};

}  // namespace lockkeeper::lab
