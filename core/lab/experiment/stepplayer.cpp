// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/stepplayer.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

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
        if (const auto* move = std::get_if<MoveSlot>(&what))
            return move->name.bytes();
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
    Answer operator()(const DelayNetwork& fault) const { return fault.by > 0ms ? "network-slow" : "network-fast"; }
    Answer operator()(const LoseAnswer&) const { return "answer-to-be-lost"; }
    Answer operator()(const JumpClock&) const { return "clock-jumped"; }
    Answer operator()(const FreezeServer&) const { return "server-frozen"; }
    Answer operator()(const ResumeServer&) const { return "server-resumed"; }
    Answer operator()(const KillServer&) const { return "server-killed"; }
    Answer operator()(const RestartServer&) const { return "server-restarted"; }
    Answer operator()(const PartitionServer&) const { return "server-cut-off"; }
    Answer operator()(const RejoinServer&) const { return "server-rejoined"; }
    Answer operator()(const PromoteReplica&) const { return "replica-promoted"; }
    Answer operator()(const HoldReplication&) const { return "replication-held"; }
    Answer operator()(const ResumeReplication&) const { return "replication-resumed"; }
    Answer operator()(const MoveSlot&) const { return "slot-moved"; }
    Answer operator()(const ByHand&) const { return "by-hand"; }
};

struct FaultyActor {
    QByteArray operator()(const auto& fault) const {
        if constexpr (requires { fault.actor; })
            return fault.actor.bytes();
        return {};
    }
};

// What a moment says of its step: the number of the "server", or the "time" of a pause in milliseconds.
struct StatedFacts {
    Facts operator()(const Pause& what) const { return {{"time", qint64{what.time.count()}}}; }
    Facts operator()(const MoveSlot& fault) const { return {{"server", numberOf(fault.to)}}; }
    Facts operator()(const ByHand&) const { return {}; }
    Facts operator()(const Fault& what) const { return std::visit(*this, what); }
    Facts operator()(const auto& what) const {
        if constexpr (requires { what.server; })
            return {{"server", numberOf(what.server)}};
        return {};
    }

private:
    static qint64 numberOf(ServerNumber server) { return static_cast<int>(server); }
};

// The words of an error, and which reply of a server it is.
Facts factsOf(const Error& error) {
    Facts facts{{"error", error.text.toUtf8()}};
    if (error.reply != ReplyKind::None)
        facts["error-reply"] = wordFor(error.reply).toLatin1();
    return facts;
}

struct ActionWord {
    QByteArray operator()(const Acquire&) const { return QByteArrayLiteral("acquire"); }
    QByteArray operator()(const Release&) const { return QByteArrayLiteral("release"); }
    QByteArray operator()(const Send&) const { return QByteArrayLiteral("send"); }
    QByteArray operator()(const Write&) const { return QByteArrayLiteral("write"); }
    QByteArray operator()(const AwaitConnected&) const { return QByteArrayLiteral("await-connected"); }
    QByteArray operator()(const Pause&) const { return QByteArrayLiteral("pause"); }
    QByteArray operator()(const Join&) const { return QByteArrayLiteral("join"); }
    QByteArray operator()(const Observe&) const { return QByteArrayLiteral("observe"); }
    QByteArray operator()(const AwaitFree&) const { return QByteArrayLiteral("await-free"); }
    QByteArray operator()(const AwaitWaiters&) const { return QByteArrayLiteral("await-waiters"); }
    QByteArray operator()(const AwaitReplicated&) const { return QByteArrayLiteral("await-replicated"); }
    QByteArray operator()(const AwaitMaster&) const { return QByteArrayLiteral("await-master"); }
    QByteArray operator()(const AwaitDead&) const { return QByteArrayLiteral("await-dead"); }
    QByteArray operator()(const Count&) const { return QByteArrayLiteral("count"); }
    QByteArray operator()(const FindDeadlock&) const { return QByteArrayLiteral("find-deadlock"); }
    QByteArray operator()(const Fault&) const { return QByteArrayLiteral("fault"); }
};

QByteArray actorOf(const Step& step) {
    const auto* fault = std::get_if<Fault>(&step.action);
    return fault ? std::visit(FaultyActor(), *fault) : step.actor.bytes();
}

}  // namespace

StepPlayer::StepPlayer(std::vector<LockPlan> locks, Laboratory& laboratory, Clock& clock)
    : m_locks(std::move(locks)),
      m_laboratory(laboratory),
      m_clock(clock),
      m_reader(m_laboratory, clock, m_scope.stopToken()) {}

void StepPlayer::begin() {
    for (const auto& actor : m_laboratory.actors())
        connect(actor.get(), &Actor::lockLost, this,
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
        std::visit([this, &played](const auto& action) { return perform(played.step, action); }, played.step.action);
    const Answer answer = co_await performed;
    const bool isOfScenario = played.index >= 0;
    if (isOfScenario && std::holds_alternative<Fault>(played.step.action) && !m_outcome.failure)
        m_outcome.failure = answer.error;
    record(played, begun, answer);
}

Task<Answer> StepPlayer::perform(Step step, Acquire what) {
    Actor* actor = m_laboratory.actor(step.actor);
    Actor::Call call = callOf(what.lock, what.thread);
    call.wait = what.wait;
    call.lease = what.lease;
    const auto attempt = m_waiting.insert(m_waiting.end(), {step.actor, what.thread, what.lock});
    const Answer answer = co_await actor->acquire(std::move(call));
    m_waiting.erase(attempt);
    if (answer.code == "acquired")
        m_beliefs.acquired(what.lock, {step.actor, what.thread});
    if (answer.facts.contains("token"))
        m_tokens[{what.lock, step.actor}] = std::get<qint64>(answer.facts.value("token"));
    co_return answer;
}

Task<Answer> StepPlayer::perform(Step step, Release what) {
    Actor* actor = m_laboratory.actor(step.actor);
    Actor::Call call = callOf(what.lock, what.thread);
    const Answer answer = co_await actor->release(std::move(call));
    m_beliefs.released(what.lock, {step.actor, what.thread}, answer.code);
    co_return answer;
}

Task<Answer> StepPlayer::perform(Step step, Send what) {
    return m_laboratory.actor(step.actor)->send(what.server, std::move(what.command));
}

Task<Answer> StepPlayer::perform(Step step, Write what) {
    const qint64 token = m_tokens[{what.lock, step.actor}];
    qint64& last = m_storages[what.lock];
    if (what.checks == StorageChecks::Tokens && token < last)
        return endedTask<Answer>("refused");
    last = token;
    return endedTask<Answer>("written");
}

Task<Answer> StepPlayer::perform(Step step, AwaitConnected) {
    Actor* actor = m_laboratory.actor(step.actor);
    const Result<Done> connected = co_await actor->connectToAll();
    co_return connected ? Answer("connected") : Answer(connected.error());
}

Task<Answer> StepPlayer::perform(Step, Pause what) {
    const Completion<Done> never;
    (void)co_await never.wait(Deadline::in(m_clock, what.time), m_scope.stopToken());
    co_return "paused";
}

Task<Answer> StepPlayer::perform(Step, Join what) {
    const Completion<Done> ended = m_begun.at(what.step);
    (void)co_await ended.wait(Deadline::never(m_clock), m_scope.stopToken());
    co_return "joined";
}

Task<Answer> StepPlayer::perform(Step, Observe what) {
    return m_reader.observe(what.name, what.server);
}

Task<Answer> StepPlayer::perform(Step, AwaitFree what) {
    return m_reader.awaitFree(what.name, what.server);
}

Task<Answer> StepPlayer::perform(Step, AwaitWaiters what) {
    return m_reader.awaitWaiters(lock(what.lock), what.count);
}

Task<Answer> StepPlayer::perform(Step, AwaitReplicated) {
    return m_reader.awaitReplicated();
}

Task<Answer> StepPlayer::perform(Step, AwaitMaster what) {
    const Result<Done> promoted = co_await m_laboratory.awaitMaster(what.server);
    co_return promoted ? Answer("promoted") : Answer(promoted.error());
}

Task<Answer> StepPlayer::perform(Step, AwaitDead what) {
    const Result<Done> noticed = co_await m_laboratory.awaitDead(what.server);
    co_return noticed ? Answer("noticed") : Answer(noticed.error());
}

Task<Answer> StepPlayer::perform(Step, Count what) {
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
Task<void> StepPlayer::countOnce(Actor* actor, std::optional<LockPlan> lock, ThreadId thread,
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

Task<Answer> StepPlayer::perform(Step, FindDeadlock) {
    std::vector<LockPlan> fairLocks;
    std::ranges::copy_if(m_locks, std::back_inserter(fairLocks),
                         [](const LockPlan& plan) { return plan.kind == LockKind::Fair; });
    return m_reader.findDeadlock(std::move(fairLocks));
}

Task<Answer> StepPlayer::perform(Step, Fault what) {
    if (const auto* crash = std::get_if<CrashActor>(&what))
        m_beliefs.crashed(crash->actor);
    const Result<Done> applied = co_await m_laboratory.apply(what);
    co_return applied ? std::visit(FaultWord(), what) : Answer(applied.error());
}

void StepPlayer::record(const Played& played, SteadyTime begun, const Answer& answer) {
    const Step& step = played.step;
    if (!step.label.isEmpty()) {
        const QByteArray prefix = step.label.bytes() + '.';
        m_outcome.facts[prefix + "answer"] = answer.code;
        m_outcome.facts[prefix + "ms"] = qint64{std::chrono::duration_cast<Milliseconds>(m_clock.now() - begun).count()};
        for (const auto& [name, fact] : answer.facts.asKeyValueRange())
            m_outcome.facts[prefix + name] = fact;
    }
    note(played, answer);
}

void StepPlayer::note(const Played& played, const Answer& answer) {
    const Step& step = played.step;
    Facts facts = std::visit(StatedFacts(), step.action);
    facts.insert(answer.facts);
    if (answer.error)
        facts.insert(factsOf(*answer.error));
    addMoment({played.index, actorOf(step), answer.code, std::visit(Subject(), step.action)},
              std::visit(ActionWord(), step.action), facts);
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
