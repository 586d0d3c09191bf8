// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/experimentrun.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds longestRun = 30s;
constexpr char countedKey[] = "lab:counter";

QByteArray wordOf(locks::LossReason why) {
    switch (why) {
        case locks::LossReason::LeaseExpired:
            return QByteArrayLiteral("lease-expired");
        case locks::LossReason::TakenAway:
            return QByteArrayLiteral("taken-away");
        case locks::LossReason::Deleted:
            return QByteArrayLiteral("deleted");
        case locks::LossReason::TakenOver:
            return QByteArrayLiteral("taken-over");
    }
    return {};
}

// What a moment is about.
struct Subject {
    QByteArray operator()(const Acquire& what) const { return what.lock.bytes(); }
    QByteArray operator()(const Release& what) const { return what.lock.bytes(); }
    QByteArray operator()(const Write& what) const { return what.lock.bytes(); }
    QByteArray operator()(const AwaitWaiters& what) const { return what.lock.bytes(); }
    QByteArray operator()(const Observe& what) const { return what.name.bytes(); }
    QByteArray operator()(const AwaitFree& what) const { return what.name.bytes(); }
    QByteArray operator()(const Join& what) const { return what.step.bytes(); }
    QByteArray operator()(const Send& what) const { return what.command.join(' '); }
    QByteArray operator()(const Fault& what) const {
        const auto* byHand = std::get_if<ByHand>(&what);
        return byHand ? byHand->command.join(' ') : QByteArray();
    }
    QByteArray operator()(const auto&) const { return {}; }
};

struct FaultWord {
    Answer operator()(const FreezeActor&) const { return "frozen"; }
    Answer operator()(const ResumeActor&) const { return "resumed"; }
    Answer operator()(const CrashActor&) const { return "crashed"; }
    Answer operator()(const CutNetwork&) const { return "network-cut"; }
    Answer operator()(const MendNetwork&) const { return "network-mended"; }
    Answer operator()(const LoseAnswer&) const { return "answer-to-be-lost"; }
    Answer operator()(const JumpClock&) const { return "clock-jumped"; }
    Answer operator()(const FreezeServer&) const { return "server-frozen"; }
    Answer operator()(const ResumeServer&) const { return "server-resumed"; }
    Answer operator()(const KillServer&) const { return "server-killed"; }
    Answer operator()(const RestartServer&) const { return "server-restarted"; }
    Answer operator()(const PromoteReplica&) const { return "replica-promoted"; }
    Answer operator()(const HoldReplication&) const { return "replication-held"; }
    Answer operator()(const ResumeReplication&) const { return "replication-resumed"; }
    Answer operator()(const ByHand&) const { return "by-hand"; }
};

struct FaultyActor {
    QByteArray operator()(const auto& fault) const {
        if constexpr (requires { fault.actor; })
            return fault.actor.bytes();
        return {};
    }
};

QByteArray actorOf(const Step& step) {
    const auto* fault = std::get_if<Fault>(&step.action);
    return fault ? std::visit(FaultyActor(), *fault) : step.actor.bytes();
}

}  // namespace

ExperimentRun::ExperimentRun(Scenario scenario, Clock& clock, const QString& serverProgram, QObject* parent)
    : QObject(parent),
      m_scenario(std::move(scenario)),
      m_clock(clock),
      m_laboratory(clock, serverProgram),
      m_limit(clock, [this] { fail(Error(ErrorCode::Timeout, Cause::NoAnswerInTime)); }),
      m_reader(m_laboratory, clock, m_scope.stopToken()) {}

ExperimentRun::~ExperimentRun() {
    m_laboratory.end();
}

Task<Outcome> ExperimentRun::run() {
    m_scope.spawn(playAll());
    (void)co_await m_ended.wait(Deadline::never(m_clock));
    m_laboratory.end();
    m_scope.stop();
    for (const LockPlan& plan : m_scenario.locks)
        m_outcome.facts[plan.id.bytes() + ".most"] = m_beliefs.most(plan.id);
    co_return m_outcome;
}

void ExperimentRun::stop() {
    fail(Error(ErrorCode::Cancelled, Cause::Cancelled));
}

void ExperimentRun::fail(const Error& failure) {
    if (!m_outcome.failure)
        m_outcome.failure = failure;
    m_laboratory.end();
    m_scope.stop();
}

Task<void> ExperimentRun::playAll() {
    m_limit.start(longestRun);
    Result<Done> done = co_await m_laboratory.start(m_scenario.servers, m_scenario.actors);
    if (done) {
        for (const auto& actor : m_laboratory.actors())
            connect(actor.get(), &Actor::lockLost, this,
                    [this, one = actor.get()](const locks::HoldKey& key, locks::LossReason why) {
                        onLost(*one, key, why);
                    });
        m_begin = m_clock.now();
        done = co_await playSteps();
        m_outcome.duration = std::chrono::duration_cast<Milliseconds>(m_clock.now() - m_begin);
    }
    if (!done && !m_outcome.failure)
        m_outcome.failure = done.error();
    reportEnd();
}

// From the event loop: the scope's tasks must have ended before run() resumes.
void ExperimentRun::reportEnd() {
    m_limit.stop();
    const Completion<Done> ended = m_ended;
    QMetaObject::invokeMethod(
        this, [ended] { ended.complete(Done()); }, Qt::QueuedConnection);
}

Task<Result<Done>> ExperimentRun::playSteps() {
    for (qsizetype index = 0; index < std::ssize(m_scenario.steps); ++index) {
        const Step& step = m_scenario.steps[static_cast<size_t>(index)];
        if (step.pace == Step::Pace::Begin) {
            const Completion<Done> ended;
            m_begun.emplace(step.label, ended);
            note(index, actorOf(step), "begin", std::visit(Subject(), step.action));
            m_scope.spawn(playInBackground(index, ended));
        } else {
            co_await playNow(index);
        }
        if (m_scope.stopToken().stop_requested() || m_outcome.failure)
            co_return m_outcome.failure.value_or(Error(ErrorCode::Cancelled, Cause::Cancelled));
    }
    co_return Done();
}

Task<void> ExperimentRun::playInBackground(qsizetype index, Completion<Done> ended) {
    co_await playNow(index);
    ended.complete(Done());
}

Task<void> ExperimentRun::playNow(qsizetype index) {
    const SteadyTime begun = m_clock.now();
    const Step step = m_scenario.steps[static_cast<size_t>(index)];
    Task<Answer> performed =
        std::visit([this, &step](const auto& action) { return perform(step, action); }, step.action);
    const Answer answer = co_await performed;
    record(index, begun, answer);
}

Task<Answer> ExperimentRun::perform(Step step, Acquire what) {
    Actor* actor = m_laboratory.actor(step.actor);
    Actor::Call call = callOf(what.lock, what.thread);
    call.wait = what.wait;
    call.lease = what.lease;
    const Answer answer = co_await actor->acquire(std::move(call));
    if (answer.code == "acquired")
        m_beliefs.acquired(what.lock, {step.actor, what.thread});
    if (answer.facts.contains("token"))
        m_tokens[{what.lock, step.actor}] = std::get<qint64>(answer.facts.value("token"));
    co_return answer;
}

Task<Answer> ExperimentRun::perform(Step step, Release what) {
    Actor* actor = m_laboratory.actor(step.actor);
    Actor::Call call = callOf(what.lock, what.thread);
    const Answer answer = co_await actor->release(std::move(call));
    m_beliefs.released(what.lock, {step.actor, what.thread}, answer.code);
    co_return answer;
}

Task<Answer> ExperimentRun::perform(Step step, Send what) {
    return m_laboratory.actor(step.actor)->send(what.server, std::move(what.command));
}

Task<Answer> ExperimentRun::perform(Step step, Write what) {
    const qint64 token = m_tokens[{what.lock, step.actor}];
    qint64& last = m_storages[what.lock];
    if (what.checks == StorageChecks::Tokens && token < last)
        return endedTask<Answer>("refused");
    last = token;
    return endedTask<Answer>("written");
}

Task<Answer> ExperimentRun::perform(Step step, AwaitConnected) {
    Actor* actor = m_laboratory.actor(step.actor);
    const Result<Done> connected = co_await actor->connectToAll();
    co_return connected ? Answer("connected") : Answer(connected.error());
}

Task<Answer> ExperimentRun::perform(Step, Pause what) {
    const Completion<Done> never;
    (void)co_await never.wait(Deadline::in(m_clock, what.time), m_scope.stopToken());
    co_return "paused";
}

Task<Answer> ExperimentRun::perform(Step, Join what) {
    const Completion<Done> ended = m_begun.at(what.step);
    (void)co_await ended.wait(Deadline::never(m_clock), m_scope.stopToken());
    co_return "joined";
}

Task<Answer> ExperimentRun::perform(Step, Observe what) {
    return m_reader.observe(what.name, what.server);
}

Task<Answer> ExperimentRun::perform(Step, AwaitFree what) {
    return m_reader.awaitFree(what.name, what.server);
}

Task<Answer> ExperimentRun::perform(Step, AwaitWaiters what) {
    return m_reader.awaitWaiters(lock(what.lock), what.count);
}

Task<Answer> ExperimentRun::perform(Step, AwaitReplicated) {
    return m_reader.awaitReplicated();
}

Task<Answer> ExperimentRun::perform(Step, Count what) {
    const std::optional<LockPlan> plan = what.lock ? std::optional(lock(*what.lock)) : std::nullopt;
    const int threads = static_cast<int>(m_laboratory.actors().size()) * what.threadsOfEach;
    const auto left = std::make_shared<int>(threads);
    const Completion<Done> ended;
    for (const auto& actor : m_laboratory.actors()) {
        for (int thread = 1; thread <= what.threadsOfEach; ++thread)
            m_scope.spawn(countOnce(actor.get(), plan, ThreadId(thread), left, ended));
    }
    (void)co_await ended.wait(Deadline::never(m_clock), m_scope.stopToken());
    const QByteArrayList read{"GET", countedKey};
    const Result<redis::RespValue> counted = co_await m_laboratory.ask(ServerNumber(0), read);
    if (!counted)
        co_return counted.error();
    Answer answer("counted");
    answer.facts["counted"] = counted->bytes.toLongLong();
    answer.facts["threads"] = qint64{threads};
    co_return answer;
}

// Not atomic without the lock, on purpose.
Task<void> ExperimentRun::countOnce(Actor* actor, std::optional<LockPlan> lock, ThreadId thread,
                                    std::shared_ptr<int> left, Completion<Done> ended) {
    Actor::Call call;
    call.thread = thread;
    if (lock) {
        call.lock = *lock;
        (void)co_await actor->acquire(call);
    }
    const QByteArrayList read{"GET", countedKey};
    const Answer before = co_await actor->send(ServerNumber(0), read);
    const Fact reply = before.facts.value("reply");
    const auto* number = std::get_if<QByteArray>(&reply);
    const QByteArrayList write{"SET", countedKey, QByteArray::number((number ? number->toLongLong() : 0) + 1)};
    (void)co_await actor->send(ServerNumber(0), write);
    if (lock)
        (void)co_await actor->release(call);
    if (--*left == 0)
        ended.complete(Done());
}

Task<Answer> ExperimentRun::perform(Step, FindDeadlock) {
    std::vector<LockPlan> fairLocks;
    std::ranges::copy_if(m_scenario.locks, std::back_inserter(fairLocks),
                         [](const LockPlan& plan) { return plan.kind == LockKind::Fair; });
    return m_reader.findDeadlock(std::move(fairLocks));
}

Task<Answer> ExperimentRun::perform(Step, Fault what) {
    if (const auto* crash = std::get_if<CrashActor>(&what))
        m_beliefs.crashed(crash->actor);
    const Result<Done> applied = co_await m_laboratory.apply(what);
    if (!applied && !m_outcome.failure)
        m_outcome.failure = applied.error();
    co_return applied ? std::visit(FaultWord(), what) : Answer(applied.error());
}

void ExperimentRun::record(qsizetype index, SteadyTime begun, const Answer& answer) {
    const Step& step = m_scenario.steps[static_cast<size_t>(index)];
    note(index, actorOf(step), answer.code, std::visit(Subject(), step.action));
    if (step.label.isEmpty())
        return;
    const QByteArray prefix = step.label.bytes() + '.';
    m_outcome.facts[prefix + "answer"] = answer.code;
    m_outcome.facts[prefix + "ms"] = qint64{std::chrono::duration_cast<Milliseconds>(m_clock.now() - begun).count()};
    for (const auto& [name, fact] : answer.facts.asKeyValueRange())
        m_outcome.facts[prefix + name] = fact;
}

void ExperimentRun::note(qsizetype step, const QByteArray& actor, const QByteArray& what, const QByteArray& subject) {
    const auto at = std::chrono::duration_cast<Milliseconds>(m_clock.now() - m_begin);
    m_outcome.moments.push_back({at, step, actor, what, subject});
}

void ExperimentRun::onLost(const Actor& actor, const locks::HoldKey& key, locks::LossReason why) {
    const ActorName& name = actor.plan().name;
    m_outcome.facts[name.bytes() + ".lost"] = wordOf(why);
    Fact& losses = m_outcome.facts[name.bytes() + ".losses"];
    losses = std::get<qint64>(losses) + 1;
    note(-1, name.bytes(), "lost", key.name.bytes());
}

const LockPlan& ExperimentRun::lock(const LockId& id) const {
    return *std::ranges::find(m_scenario.locks, id, &LockPlan::id);
}

Actor::Call ExperimentRun::callOf(const LockId& id, ThreadId thread) const {
    Actor::Call call;
    call.lock = lock(id);
    call.thread = thread;
    return call;
}

}  // namespace lockkeeper::lab

#include "moc_experimentrun.cpp"
