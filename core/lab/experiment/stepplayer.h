// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "async/taskscope.h"
#include "lab/experiment/beliefs.h"
#include "lab/experiment/labreader.h"
#include "lab/experiment/outcome.h"
#include "lab/experiment/scenario.h"
#include "lab/laboratory.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>

#include <list>
#include <map>

namespace lockkeeper::lab {

// Executes steps in a laboratory that has started, and records what happens. Thread: that of its clock.
class LOCKKEEPER_MONITOR_EXPORT StepPlayer : public QObject {
    Q_OBJECT
public:
    // The laboratory and the clock must outlive it.
    StepPlayer(std::vector<LockPlan> locks, Laboratory& laboratory, Clock& clock);

    // Call it once, before the first step: the time is counted from this call.
    void begin();
    // Returns when the step has ended; for Pace::Begin at once. index: the step's number in the scenario; -1: it is not
    // part of the scenario. A fault of the scenario that is not possible sets failure().
    [[nodiscard]] Task<void> play(Step step, qsizetype index);
    // Ends every running step. The laboratory must have ended before.
    void stop() { m_scope.stop(); }

    // The time since begin().
    [[nodiscard]] Milliseconds timeNow() const {
        return std::chrono::duration_cast<Milliseconds>(m_clock.now() - m_begin);
    }
    // The outcome so far.
    [[nodiscard]] Outcome outcome() const;
    [[nodiscard]] const std::optional<Error>& failure() const noexcept { return m_outcome.failure; }
    [[nodiscard]] const std::vector<LockPlan>& locks() const noexcept { return m_locks; }
    [[nodiscard]] const Beliefs& beliefs() const noexcept { return m_beliefs; }
    // An unanswered acquire.
    struct Waiting {
        ActorName actor;
        ThreadId thread{};
        LockId lock;
    };
    [[nodiscard]] const std::list<Waiting>& waiting() const noexcept { return m_waiting; }
    // The token of the actor's last acquire.
    [[nodiscard]] std::optional<qint64> tokenOf(const LockId& lock, const ActorName& actor) const;

Q_SIGNALS:
    // action: "acquire", "release", ..., or "lost". facts: those of the answer, and of the step: "server", its number;
    // "time" of a pause in milliseconds. For an error: "error", its text, and "error-reply", the word of its ReplyKind.
    void happened(const lockkeeper::lab::Moment& moment, const QByteArray& action, const lockkeeper::lab::Facts& facts);

private:
    struct Played {
        Step step;
        qsizetype index = -1;
    };
    struct What {
        qsizetype step = -1;
        QByteArray actor;
        QByteArray code;
        QByteArray subject;
    };

    Task<void> playInBackground(Played played, Completion<Done> ended);
    Task<void> playNow(Played played);

    // One function for each kind of action.
    Task<Answer> perform(Played played, Acquire what);
    Task<Answer> perform(Played played, Release what);
    Task<Answer> perform(Played played, Send what);
    Task<Answer> perform(Played played, Write what);
    Task<Answer> perform(Played played, RenewAsRedisson what);
    Task<Answer> perform(Played played, AwaitConnected what);
    Task<Answer> perform(Played played, Pause what);
    Task<Answer> perform(Played played, Join what);
    Task<Answer> perform(Played played, Observe what);
    Task<Answer> perform(Played played, AwaitFree what);
    Task<Answer> perform(Played played, AwaitWaiters what);
    Task<Answer> perform(Played played, AwaitReplicated what);
    Task<Answer> perform(Played played, AwaitMaster what);
    Task<Answer> perform(Played played, AwaitDead what);
    Task<Answer> perform(Played played, Count what);
    Task<Answer> perform(Played played, Newcomers what);
    Task<Answer> perform(Played played, FindDeadlock what);
    Task<Answer> perform(Played played, ReadDump what);
    Task<Answer> perform(Played played, Fault what);
    // The newcomer's result in one round.
    Task<Answer> playRound(Played played, Newcomers what, Milliseconds later);

    Task<Answer> acquireAs(ActorName actor, Acquire what);
    // The actor no longer believes to hold the lock as soon as it unlocks, even before the answer.
    Task<Answer> leaveAs(ActorName actor, LockId lock, ThreadId thread);
    Task<void> acquireInBackground(ActorName actor, Acquire what, Completion<Answer> ended);
    Task<void> leaveInBackground(ActorName actor, LockId lock, Completion<Answer> ended);
    Task<bool> pause(Milliseconds time);
    // The state that the counting threads share.
    struct Counting {
        std::optional<LockId> lock;
        qsizetype step = -1;
        int threads = 0;
        int left = 0;
        int acquired = 0;
        Completion<Done> ended;
    };
    Task<void> countOnce(Actor* actor, ThreadId thread, std::shared_ptr<Counting> counting);
    void noteCounting(Counting& counting, const ActorName& actor);
    // An entry in waiting() for the lifetime of this object.
    class Waits {
    public:
        Waits(StepPlayer& player, Waiting waiting)
            : m_all(player.m_waiting), m_one(m_all.insert(m_all.end(), std::move(waiting))) {}
        Waits(const Waits&) = delete;
        Waits& operator=(const Waits&) = delete;
        ~Waits() { m_all.erase(m_one); }

    private:
        std::list<Waiting>& m_all;
        const std::list<Waiting>::iterator m_one;
    };

    void record(const Played& played, SteadyTime begun, const Answer& answer);
    void note(const Played& played, const Answer& answer);
    void addMoment(What what, const QByteArray& action, const Facts& facts);
    void onLost(const Actor& actor, const locks::HoldKey& key, locks::LossReason why);
    [[nodiscard]] const LockPlan& lock(const LockId& id) const;
    [[nodiscard]] Actor::Call callOf(const LockId& id, ThreadId thread) const;

    const std::vector<LockPlan> m_locks;
    Laboratory& m_laboratory;
    Clock& m_clock;
    Outcome m_outcome;
    Beliefs m_beliefs;
    std::list<Waiting> m_waiting;
    std::map<StepLabel, Completion<Done>> m_begun;
    std::map<std::pair<LockId, ActorName>, qint64> m_tokens;  // of each actor's last acquire
    std::map<LockId, qint64> m_storages;  // the last token that the storage of each lock has accepted
    SteadyTime m_begin{};
    TaskScope m_scope;
    LabReader m_reader;
};

}  // namespace lockkeeper::lab
