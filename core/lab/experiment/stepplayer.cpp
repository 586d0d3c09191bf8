// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/stepplayer.h"

#include "async/pause.h"
#include "lab/experiment/stepwords.h"
#include "locks/lockkeys.h"
#include "redis/script.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

constexpr char countedKey[] = "lab:counter";

locks::HoldMode modeOf(LockKind kind) {
    switch (kind) {
        case LockKind::Read:
            return locks::HoldMode::Read;
        case LockKind::Write:
            return locks::HoldMode::Write;
        default:
            return locks::HoldMode::Exclusive;
    }
}

// Whether a holder that has lost this hold has lost the lock. A red lock may still have a majority.
bool isWholeLoss(const LockPlan& plan, const locks::HoldKey& key) {
    return plan.kind != LockKind::Red && modeOf(plan.kind) == key.mode &&
           std::ranges::find(plan.members, key.name, &LockPlan::Member::name) != plan.members.end();
}

}  // namespace

StepPlayer::StepPlayer(std::vector<LockPlan> locks, Laboratory& laboratory, Clock& clock)
    : m_locks(std::move(locks)),
      m_laboratory(laboratory),
      m_clock(clock),
      m_reader(m_laboratory, clock, m_scope.stopToken()) {}

void StepPlayer::begin() {
    for (const auto& actor : m_laboratory.actors())
        connect(
            actor.get(), &Actor::lockLost, this,
            [this, one = actor.get()](const locks::HoldKey& key, locks::LossReason why) { onLost(*one, key, why); });
    m_begin = m_clock.now();
}

Outcome StepPlayer::outcome() const {
    Outcome outcome = m_outcome;
    outcome.duration = timeNow();
    for (const LockPlan& plan : m_locks)
        outcome.facts[plan.id.bytes() + ".most"] = m_beliefs.most(plan.id);
    return outcome;
}

std::optional<qint64> StepPlayer::tokenOf(const LockId& lock, const ActorName& actor) const {
    const auto found = m_tokens.find({lock, actor});
    return found == m_tokens.end() ? std::nullopt : std::optional(found->second);
}

Task<void> StepPlayer::play(Step step, qsizetype index) {
    const Played played{std::move(step), index};
    if (played.step.pace == Step::Pace::Await) {
        co_await playNow(played);
        co_return;
    }
    const Completion<Done> ended;
    m_begun.emplace(played.step.label, ended);
    if (!std::holds_alternative<Acquire>(played.step.action))
        note(played, "begin");
    m_scope.spawn(playInBackground(played, ended));
}

Task<void> StepPlayer::playInBackground(Played played, Completion<Done> ended) {
    co_await playNow(std::move(played));
    ended.complete(Done());
}

Task<void> StepPlayer::playNow(Played played) {
    const SteadyTime begun = m_clock.now();
    Task<Answer> performed =
        std::visit([this, &played](const auto& action) { return perform(played, action); }, played.step.action);
    const Answer answer = co_await performed;
    const bool isOfScenario = played.index >= 0;
    if (isOfScenario && std::holds_alternative<Fault>(played.step.action) && !m_outcome.failure)
        m_outcome.failure = answer.error;
    record(played, begun, answer);
}

// An acquire that may wait is reported before its answer.
Task<Answer> StepPlayer::perform(Played played, Acquire what) {
    const Waits waits(*this, {played.step.actor, what.thread, what.lock});
    if (played.step.pace == Step::Pace::Begin || what.wait != 0ms)
        note(played, "begin");
    const Answer answer = co_await acquireAs(played.step.actor, what);
    co_return answer;
}

Task<Answer> StepPlayer::acquireAs(ActorName name, Acquire what) {
    Actor* actor = m_laboratory.actor(name);
    Actor::Call call = callOf(what.lock, what.thread);
    call.wait = what.wait;
    call.lease = what.lease;
    const Answer answer = co_await actor->acquire(std::move(call));
    if (answer.code == "acquired")
        m_beliefs.acquired(what.lock, {name, what.thread});
    if (answer.facts.contains("token"))
        m_tokens[{what.lock, name}] = std::get<qint64>(answer.facts.value("token"));
    co_return answer;
}

Task<Answer> StepPlayer::leaveAs(ActorName name, LockId lock, ThreadId thread) {
    m_beliefs.released(lock, {name, thread}, "released");
    Actor::Call call = callOf(lock, thread);
    const Answer answer = co_await m_laboratory.actor(name)->release(std::move(call));
    co_return answer;
}

Task<Answer> StepPlayer::perform(Played played, Release what) {
    Actor* actor = m_laboratory.actor(played.step.actor);
    Actor::Call call = callOf(what.lock, what.thread);
    const Answer answer = co_await actor->release(std::move(call));
    m_beliefs.released(what.lock, {played.step.actor, what.thread}, answer.code);
    co_return answer;
}

Task<Answer> StepPlayer::perform(Played played, Send what) {
    return m_laboratory.actor(played.step.actor)->send(what.server, std::move(what.command));
}

Task<Answer> StepPlayer::perform(Played played, Write what) {
    const qint64 token = m_tokens[{what.lock, played.step.actor}];
    qint64& last = m_storages[what.lock];
    if (what.checks == StorageChecks::Tokens && token < last)
        return endedTask<Answer>("refused");
    last = token;
    return endedTask<Answer>("written");
}

Task<Answer> StepPlayer::perform(Played played, RenewAsRedisson what) {
    static const redis::Script script = redis::Script::embedded(QStringLiteral("lab/lua/redisson_read_renewal.lua"));
    Actor* actor = m_laboratory.actor(played.step.actor);
    if (actor->hasCrashed())
        co_return "crashed";
    const LockPlan::Member member = lock(what.lock).members.front();
    const HolderId reader(actor->ids().front(), ThreadId(1));
    const QByteArrayList command{"EVAL",
                                 script.source(),
                                 "1",
                                 member.name.bytes(),
                                 QByteArray::number(qint64{actor->plan().watchdogTimeout.count()}),
                                 reader.bytes(),
                                 locks::LockKeys(member.name).readTimeoutBase()};
    const Answer answer = co_await actor->send(member.server, command);
    if (answer.error)
        co_return answer;
    co_return answer.facts.value("reply") == Fact(qint64{1}) ? Answer("renewed") : Answer("NotHeld");
}

Task<Answer> StepPlayer::perform(Played played, AwaitConnected) {
    Actor* actor = m_laboratory.actor(played.step.actor);
    const Result<Done> connected = co_await actor->connectToAll();
    co_return connected ? Answer("connected") : Answer(connected.error());
}

Task<Answer> StepPlayer::perform(Played, Pause what) {
    (void)co_await pause(what.time);
    co_return "paused";
}

Task<bool> StepPlayer::pause(Milliseconds time) {
    return pauseUntil(Deadline::in(m_clock, time), m_scope.stopToken());
}

Task<Answer> StepPlayer::perform(Played, Join what) {
    const Completion<Done> ended = m_begun.at(what.step);
    (void)co_await ended.wait(Deadline::never(m_clock), m_scope.stopToken());
    co_return "joined";
}

Task<Answer> StepPlayer::perform(Played, Observe what) {
    return m_reader.observe(what.name, what.server);
}

Task<Answer> StepPlayer::perform(Played, AwaitFree what) {
    return m_reader.awaitFree(what.name, what.server);
}

Task<Answer> StepPlayer::perform(Played, AwaitWaiters what) {
    return m_reader.awaitWaiters(lock(what.lock), what.count);
}

Task<Answer> StepPlayer::perform(Played, AwaitReplicated) {
    return m_reader.awaitReplicated();
}

Task<Answer> StepPlayer::perform(Played, AwaitMaster what) {
    const Result<Done> promoted = co_await m_laboratory.awaitMaster(what.server);
    co_return promoted ? Answer("promoted") : Answer(promoted.error());
}

Task<Answer> StepPlayer::perform(Played, AwaitDead what) {
    const Result<Done> noticed = co_await m_laboratory.awaitDead(what.server);
    co_return noticed ? Answer("noticed") : Answer(noticed.error());
}

Task<Answer> StepPlayer::perform(Played played, Count what) {
    const auto counting = std::make_shared<Counting>();
    counting->lock = what.lock;
    counting->step = played.index;
    counting->threads = static_cast<int>(m_laboratory.actors().size()) * what.threadsOfEach;
    counting->left = counting->threads;
    for (const auto& actor : m_laboratory.actors()) {
        for (int thread = 1; thread <= what.threadsOfEach; ++thread)
            m_scope.spawn(countOnce(actor.get(), ThreadId(thread), counting));
    }
    note(played, "begin");
    (void)co_await counting->ended.wait(Deadline::never(m_clock), m_scope.stopToken());
    const QByteArrayList read{"GET", countedKey};
    const Result<redis::RespValue> counted = co_await m_laboratory.ask(ServerNumber(0), read);
    if (!counted)
        co_return counted.error();
    Answer answer("counted");
    answer.facts["counted"] = counted->bytes.toLongLong();
    answer.facts["threads"] = qint64{counting->threads};
    co_return answer;
}

// Deliberately not atomic without the lock.
Task<void> StepPlayer::countOnce(Actor* actor, ThreadId thread, std::shared_ptr<Counting> counting) {
    const ActorName name = actor->plan().name;
    if (counting->lock) {
        std::optional<Waits> waits(std::in_place, *this, Waiting{name, thread, *counting->lock});
        const Acquire acquire{*counting->lock, std::nullopt, std::nullopt, thread};
        (void)co_await acquireAs(name, acquire);
        waits.reset();
        noteCounting(*counting, name);
    }
    const QByteArrayList read{"GET", countedKey};
    const Answer before = co_await actor->send(ServerNumber(0), read);
    const Fact reply = before.facts.value("reply");
    const auto* number = std::get_if<QByteArray>(&reply);
    const QByteArrayList write{"SET", countedKey, QByteArray::number((number ? number->toLongLong() : 0) + 1)};
    (void)co_await actor->send(ServerNumber(0), write);
    if (counting->lock)
        (void)co_await leaveAs(name, *counting->lock, thread);
    if (--counting->left == 0)
        counting->ended.complete(Done());
}

// Reports only some of a thousand, because a screen shows no more.
void StepPlayer::noteCounting(Counting& counting, const ActorName& actor) {
    constexpr int mostMoments = 40;
    const int each = (counting.threads + mostMoments - 1) / mostMoments;
    if (counting.acquired++ % each == 0)
        addMoment({counting.step, actor.bytes(), QByteArrayLiteral("acquired"), counting.lock->bytes()}, "acquire", {});
}

// Each round ends with a free lock, so that the waiter also gets it in the end.
Task<Answer> StepPlayer::perform(Played played, Newcomers what) {
    constexpr int steps = 2;
    qint64 overtaken = 0;
    for (int round = 0; round < what.rounds; ++round) {
        const Answer answer = co_await playRound(played, what, Milliseconds(round % steps));
        if (answer.code != "acquired" && answer.code != "held" && answer.code != "behind")
            co_return answer;
        overtaken += answer.code == "acquired" ? 1 : 0;
    }
    Answer answer("measured");
    answer.facts["rounds"] = qint64{what.rounds};
    answer.facts["overtaken"] = overtaken;
    co_return answer;
}

// The waiter releases the lock after the newcomer was answered. So a newcomer that gets the lock has overtaken the
// waiter.
Task<Answer> StepPlayer::playRound(Played played, Newcomers what, Milliseconds later) {
    constexpr Milliseconds untilItSleeps = 10ms;
    const ActorName newcomer = played.step.actor;
    const Acquire patient{what.lock, std::nullopt, std::nullopt};
    const Answer held = co_await acquireAs(what.holder, patient);
    if (held.code != "acquired")
        co_return held.error ? held : Answer("crashed");
    const Completion<Answer> waited;
    m_scope.spawn(acquireInBackground(what.waiter, patient, waited));
    const Answer sleeping = co_await m_reader.awaitWaiters(lock(what.lock), 1, untilItSleeps);
    if (sleeping.error)
        co_return sleeping;
    const Completion<Answer> left;
    m_scope.spawn(leaveInBackground(what.holder, what.lock, left));
    if (later > 0ms)
        (void)co_await pause(later);
    const Acquire impatient{what.lock, 0ms, std::nullopt};
    const Answer answer = co_await acquireAs(newcomer, impatient);
    addMoment({played.index, newcomer.bytes(), answer.code, what.lock.bytes()}, "newcomers", {});
    if (answer.code == "acquired")
        (void)co_await leaveAs(newcomer, what.lock, impatient.thread);
    (void)co_await left.wait(Deadline::never(m_clock), m_scope.stopToken());
    const Result<Answer> hasWaited = co_await waited.wait(Deadline::never(m_clock), m_scope.stopToken());
    if (!hasWaited)
        co_return hasWaited.error();
    (void)co_await leaveAs(what.waiter, what.lock, patient.thread);
    co_return answer;
}

Task<void> StepPlayer::acquireInBackground(ActorName actor, Acquire what, Completion<Answer> ended) {
    const Waits waits(*this, {actor, what.thread, what.lock});
    const Answer answer = co_await acquireAs(std::move(actor), std::move(what));
    ended.complete(answer);
}

Task<void> StepPlayer::leaveInBackground(ActorName actor, LockId lock, Completion<Answer> ended) {
    const Answer answer = co_await leaveAs(std::move(actor), std::move(lock), ThreadId(1));
    ended.complete(answer);
}

Task<Answer> StepPlayer::perform(Played, FindDeadlock) {
    std::vector<LockPlan> fairLocks;
    std::ranges::copy_if(m_locks, std::back_inserter(fairLocks),
                         [](const LockPlan& plan) { return plan.kind == LockKind::Fair; });
    return m_reader.findDeadlock(std::move(fairLocks));
}

Task<Answer> StepPlayer::perform(Played, ReadDump what) {
    return m_reader.readDump(lock(what.lock).members.front(), what.does);
}

Task<Answer> StepPlayer::perform(Played, Fault what) {
    if (const auto* crash = std::get_if<CrashActor>(&what))
        m_beliefs.crashed(crash->actor);
    const Result<Done> applied = co_await m_laboratory.apply(what);
    co_return applied ? answerOf(what) : Answer(applied.error());
}

void StepPlayer::record(const Played& played, SteadyTime begun, const Answer& answer) {
    const Step& step = played.step;
    if (!step.label.isEmpty()) {
        const QByteArray prefix = step.label.bytes() + '.';
        m_outcome.facts[prefix + "answer"] = answer.code;
        m_outcome.facts[prefix + "ms"] =
            qint64{std::chrono::duration_cast<Milliseconds>(m_clock.now() - begun).count()};
        for (const auto& [name, fact] : answer.facts.asKeyValueRange())
            m_outcome.facts[prefix + name] = fact;
    }
    note(played, answer);
}

void StepPlayer::note(const Played& played, const Answer& answer) {
    const Step& step = played.step;
    addMoment({played.index, actorOf(step), answer.code, subjectOf(step.action)}, wordOf(step.action),
              factsOf(step.action, answer));
}

void StepPlayer::addMoment(What what, const QByteArray& action, const Facts& facts) {
    m_outcome.moments.push_back({timeNow(), what.step, what.actor, what.code, what.subject});
    Q_EMIT happened(m_outcome.moments.back(), action, facts);
}

void StepPlayer::onLost(const Actor& actor, const locks::HoldKey& key, locks::LossReason why) {
    const ActorName& name = actor.plan().name;
    m_outcome.facts[name.bytes() + ".lost"] = wordOf(why);
    Fact& losses = m_outcome.facts[name.bytes() + ".losses"];
    losses = std::get<qint64>(losses) + 1;
    for (const LockPlan& plan : m_locks) {
        if (isWholeLoss(plan, key))
            m_beliefs.noticedLoss(plan.id, {name, key.holder.thread()});
    }
    addMoment({-1, name.bytes(), QByteArrayLiteral("lost"), key.name.bytes()}, "lost", {{"why", wordOf(why)}});
}

const LockPlan& StepPlayer::lock(const LockId& id) const {
    return *std::ranges::find(m_locks, id, &LockPlan::id);
}

Actor::Call StepPlayer::callOf(const LockId& id, ThreadId thread) const {
    Actor::Call call;
    call.lock = lock(id);
    call.thread = thread;
    return call;
}

}  // namespace lockkeeper::lab

#include "moc_stepplayer.cpp"
