// SPDX-License-Identifier: Apache-2.0
#include "lab/run/labsession.h"

#include "async/pause.h"
#include "lab/experiment/catalogue.h"
#include "lab/run/labchange.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds readInterval = 100ms;
// The laboratory's time in which actors that a step has woken react, so that one standstill shows both.
constexpr Milliseconds aftermath = 120ms;
// Actors report what they have caused within this time. Only a change without another cause is reported as a change of
// its own.
constexpr Milliseconds untilReported = 40ms;
constexpr Milliseconds longestDrawing = 3s;
constexpr Milliseconds longestEnd = 5s;

// Time is not stopped while the laboratory works on its servers, or reads them: such a step is short, and uses the keys
// as they are.
bool mayStopWithin(const Action& action) {
    return !std::holds_alternative<Fault>(action) && !std::holds_alternative<Observe>(action) &&
           !std::holds_alternative<FindDeadlock>(action) && !std::holds_alternative<ReadDump>(action);
}

// The word for what continues although the lab is stopped.
QByteArray stopWord(ServersPlan::Form form) {
    switch (form) {
        case ServersPlan::Form::Sentinel:
            return QByteArrayLiteral("but-sentinel");
        case ServersPlan::Form::Cluster:
            return QByteArrayLiteral("but-cluster");
        default:
            return QByteArrayLiteral("all");
    }
}

// ---- what each actor does and believes now ----

void addLease(LabThread& thread, const LockPlan& plan, const std::vector<Actor::Reckoning>& reckonings) {
    for (const Actor::Reckoning& one : reckonings) {
        const bool isOfLock = std::ranges::find(plan.members, one.name, &LockPlan::Member::name) != plan.members.end();
        if (!isOfLock || one.thread != thread.thread)
            continue;
        thread.leaseLeft = std::min(thread.leaseLeft.value_or(one.left), one.left);
        thread.isRenewed = one.isRenewed;
    }
}

void addHolders(std::vector<LabThread>& threads, const Actor& actor, const StepPlayer& player) {
    const ActorName& name = actor.plan().name;
    const std::vector<Actor::Reckoning> reckonings = actor.reckonings();
    for (const auto& [lock, believers] : player.beliefs().counts()) {
        const LockPlan& plan = *std::ranges::find(player.locks(), lock, &LockPlan::id);
        for (const auto& [believer, count] : believers) {
            if (believer.actor != name)
                continue;
            LabThread thread;
            thread.thread = believer.thread;
            thread.lock = lock;
            thread.doing = LabThread::Doing::Holds;
            thread.count = count;
            thread.token = player.tokenOf(lock, name);
            thread.knowsLoss = player.beliefs().knowsLoss(lock, believer);
            addLease(thread, plan, reckonings);
            threads.push_back(thread);
        }
    }
}

// One entry for all waiters for the same lock, because there may be hundreds.
void addWaiters(std::vector<LabThread>& threads, const ActorName& name, const StepPlayer& player) {
    const auto firstWaiter = threads.size();
    for (const StepPlayer::Waiting& waiting : player.waiting()) {
        if (waiting.actor != name)
            continue;
        const auto begin = threads.begin() + static_cast<qsizetype>(firstWaiter);
        const auto same = std::ranges::find(begin, threads.end(), waiting.lock, &LabThread::lock);
        if (same != threads.end()) {
            ++same->count;
            continue;
        }
        threads.emplace_back();
        threads.back().thread = waiting.thread;
        threads.back().lock = waiting.lock;
    }
}

LabActor labActorOf(Actor& actor, const Laboratory& laboratory, const StepPlayer& player) {
    LabActor shown;
    shown.name = actor.plan().name;
    shown.clients = actor.ids();
    shown.isFrozen = actor.line().isHeldUpBy(ActorLine::Reason::Frozen);
    shown.isCutOff = actor.line().isHeldUpBy(ActorLine::Reason::Cut);
    shown.unreached = laboratory.unreachedBy(shown.name);
    shown.delay = actor.line().delay();
    shown.clockAhead = actor.clock().ahead();
    shown.hasCrashed = actor.hasCrashed();
    addHolders(shown.threads, actor, player);
    if (!shown.hasCrashed)
        addWaiters(shown.threads, shown.name, player);
    return shown;
}

std::vector<LabActor> labActorsOf(const Laboratory& laboratory, const StepPlayer& player) {
    std::vector<LabActor> actors;
    for (const auto& actor : laboratory.actors())
        actors.push_back(labActorOf(*actor, laboratory, player));
    return actors;
}

// ---- steps by hand ----

bool exists(ServerNumber server, const Laboratory& laboratory) {
    if (server == sentinelServer)
        return laboratory.hasSentinel();
    const int number = static_cast<int>(server);
    return number >= 0 && number < laboratory.serverCount();
}

bool isServing(ServerNumber server, const Laboratory& laboratory) {
    return exists(server, laboratory) && laboratory.isAlive(server) && !laboratory.isFrozen(server);
}

// For faults that are also possible with the Sentinel: it is a process, but no actor is cut off from it, and it has no
// keys.
template <typename Kind>
constexpr bool isOfProcess = std::is_same_v<Kind, FreezeServer> || std::is_same_v<Kind, ResumeServer> ||
                             std::is_same_v<Kind, KillServer> || std::is_same_v<Kind, RestartServer>;

bool isPossible(const Fault& fault, const Laboratory& laboratory) {
    return std::visit(
        [&laboratory](const auto& one) {
            using Kind = std::decay_t<decltype(one)>;
            if constexpr (requires { one.actor; }) {
                const Actor* actor = laboratory.actor(one.actor);
                return actor && !actor->hasCrashed();
            } else if constexpr (requires { one.server; }) {
                if (!exists(one.server, laboratory) || (one.server == sentinelServer && !isOfProcess<Kind>))
                    return false;
                if constexpr (std::is_same_v<Kind, RestartServer>)
                    return !laboratory.isAlive(one.server);
                const bool isFrozen = laboratory.isFrozen(one.server);
                if constexpr (std::is_same_v<Kind, ResumeServer>)
                    return isFrozen;
                return laboratory.isAlive(one.server) && (!isFrozen || std::is_same_v<Kind, KillServer>);
            } else if constexpr (std::is_same_v<Kind, MoveSlot>) {
                const bool isCluster = laboratory.serversPlan().form == ServersPlan::Form::Cluster;
                return isCluster && one.from != one.to && isServing(one.from, laboratory) &&
                       isServing(one.to, laboratory) &&
                       !laboratory.unreachedBy(one.from).contains(one.to);  // moving keys would cross the cut
            } else if constexpr (std::is_same_v<Kind, PromoteReplica>) {
                return laboratory.hasSentinel() ? isServing(sentinelServer, laboratory)
                                                : laboratory.serversPlan().hasReplica();
            } else {
                return laboratory.serversPlan().hasReplica();
            }
        },
        fault);
}

// Whether everything that a person's step names exists now. The step may have been requested before something ended.
bool isPossible(const Step& step, const Scenario& scenario, const Laboratory& laboratory) {
    if (const auto* fault = std::get_if<Fault>(&step.action))
        return isPossible(*fault, laboratory);
    const auto hasLock = [&scenario](const LockId& lock) {
        return std::ranges::find(scenario.locks, lock, &LockPlan::id) != scenario.locks.end();
    };
    const Actor* actor = laboratory.actor(step.actor);
    if (!actor || actor->hasCrashed())
        return false;
    if (const auto* acquire = std::get_if<Acquire>(&step.action))
        return hasLock(acquire->lock);
    const auto* release = std::get_if<Release>(&step.action);
    return release && hasLock(release->lock);
}

}  // namespace

Scenario scenarioOf(const LabOrder& order) {
    const std::optional<Experiment> experiment = experimentOf(order.experiment);
    return experiment ? scenarioOf(*experiment, order.variation) : Scenario();
}

LabSession::LabSession(const LabOrder& order, Clock& clock)
    : m_order(order),
      m_scenario(scenarioOf(order)),
      m_realClock(clock),
      m_clock(clock),
      m_laboratory(m_clock, clock, order.serverProgram),
      m_player(m_scenario.locks, m_laboratory, m_clock),
      m_reader(m_laboratory),
      m_standStill(m_laboratory, m_clock),
      m_taps(m_laboratory, m_wire, m_clock),
      m_stop(order.stop) {
    connect(&m_player, &StepPlayer::happened, this, &LabSession::onHappened);
}

LabSession::~LabSession() {
    blockSignals(true);
    close();
    m_endScope.stop();
}

void LabSession::open() {
    m_scope.spawn(playAll());
}

void LabSession::close() {
    if (std::exchange(m_isClosing, true))
        return;
    m_laboratory.end();
    m_player.stop();
    m_scope.stop();
    m_endScope.spawn(endServers());
}

Task<void> LabSession::endServers() {
    co_await m_laboratory.endServers(Deadline::in(m_realClock, longestEnd), m_endScope.stopToken());
    m_closed.post();
}

// ---- the steps of the experiment ----

Task<void> LabSession::playAll() {
    Result<Done> done = co_await prepare();
    if (done)
        done = co_await playSteps();
    if (m_isClosing)
        co_return;
    co_await whenDrawn();
    m_update.outcome = m_phase == LabPhase::Starting ? Outcome() : m_player.outcome();
    m_update.outcome->isChangedByHand = m_isChangedByHand;
    // If a fault by hand has made a step impossible, this is not a failure of the experiment.
    if (!done)
        m_update.outcome->failure = done.error();
    else if (m_isChangedByHand)
        m_update.outcome->failure.reset();
    setPhase(done ? LabPhase::Free : LabPhase::Failed);
}

Task<Result<Done>> LabSession::prepare() {
    report();
    const Result<Done> started = co_await m_laboratory.start(m_scenario.servers, m_scenario.actors);
    if (!started)
        co_return started;
    const Result<Done> tapped = co_await m_taps.begin(m_scope.stopToken());
    if (!tapped)
        co_return tapped;
    m_player.begin();
    m_scope.spawn(keepFrames());
    onHappened({}, QByteArrayLiteral("start"), {});
    co_await whenDrawn();
    co_return Done();
}

Task<Result<Done>> LabSession::playSteps() {
    for (m_nextStep = 0; m_nextStep < std::ssize(m_scenario.steps); ++m_nextStep) {
        if (m_stop != 0ms)
            co_await standStill();
        if (m_isClosing)
            co_return Error(ErrorCode::Cancelled, Cause::Cancelled);
        const Step step = m_scenario.steps[static_cast<size_t>(m_nextStep)];
        setPhase(LabPhase::Running);
        noteOnWire(step);
        co_await playOne(step);
        if (m_player.failure() && !m_isChangedByHand)
            co_return *m_player.failure();
        if (m_stop != 0ms)
            (void)co_await pause(aftermath);
        co_await whenDrawn();
    }
    co_return Done();
}

// Parts with a clock of their own may end the step while no time passes.
Task<void> LabSession::playOne(Step step) {
    m_mayStopWithin = mayStopWithin(step.action);
    co_await m_player.play(step, m_nextStep);
    m_mayStopWithin = false;
    if (m_isWithinStep)
        (void)co_await m_withinEnded.wait(Deadline::never(m_realClock), m_scope.stopToken());
}

Task<void> LabSession::stopWithinStep() {
    m_isWithinStep = true;
    m_withinEnded = Completion<Done>();
    co_await standStill();
    m_isWithinStep = false;
    m_withinEnded.complete(Done());
}

// A stop within a step adds a moment with the remaining time of each lease. Reading it takes a round trip, so the
// servers have executed everything that was sent before.
Task<void> LabSession::standStill() {
    bool isForHand = false;
    do {
        m_standStill.stopActors();
        if (m_isWithinStep) {
            onHappened({m_player.timeNow(), -1, {}, stopWord(m_scenario.servers.form), {}}, QByteArrayLiteral("stop"),
                       {});
            co_await whenDrawn();
        }
        co_await m_standStill.begin();
        setPhase(LabPhase::Stopped);
        co_await awaitRequest();
        if (m_isClosing)
            co_return;
        m_stopsAgain = false;
        isForHand = !m_byHand.empty();
        setPhase(LabPhase::Running);
        co_await m_standStill.end();
        m_scope.spawn(m_standStill.giveBackLater(m_scope.stopToken()));
        if (!m_happened.empty())
            m_wake.complete(Done());
        co_await playByHand();
    } while ((isForHand || m_stopsAgain) && !m_isClosing);
}

// Waits for a request, or until the stop has lasted long enough. A stop within a step ends only by a request.
Task<void> LabSession::awaitRequest() {
    while (m_byHand.empty() && !m_isClosing && !(m_isWithinStep && m_stop)) {
        m_isPaceNew = false;
        m_goOn = Completion<Done>();
        const Deadline end = m_stop ? Deadline::in(m_realClock, *m_stop) : Deadline::never(m_realClock);
        (void)co_await m_goOn.wait(end, m_scope.stopToken());
        if (!m_isPaceNew)
            co_return;
    }
}

// Uses the time of the laboratory, as a step of the experiment does, because a server that starts needs it.
Task<void> LabSession::playByHand() {
    if (m_byHand.empty())
        co_return;
    while (!m_byHand.empty() && !m_isClosing) {
        const Step step = m_byHand.front();
        m_byHand.pop_front();
        if (!isPossible(step, m_scenario, m_laboratory))
            continue;
        noteOnWire(step);
        co_await m_player.play(step, -1);
    }
    (void)co_await pause(aftermath);
    co_await whenDrawn();
}

// A pause in the time of the laboratory.
Task<bool> LabSession::pause(Milliseconds time) {
    return pauseUntil(Deadline::in(m_clock, time), m_scope.stopToken());
}

// ---- frames ----

// Without room nothing more is shown; this is reported once.
bool LabSession::hasRoom() {
    const bool isThere = m_frames + std::ssize(m_happened) < mostLabFrames;
    if (!isThere && !std::exchange(m_isFull, true))
        report();
    return isThere;
}

void LabSession::onHappened(const Moment& moment, const QByteArray& action, const Facts& facts) {
    if (m_isClosing || !hasRoom())
        return;
    m_happened.push_back({moment, action, facts, labActorsOf(m_laboratory, m_player)});
    m_wake.complete(Done());
}

// What happens although the lab is stopped is shown afterwards, because meanwhile the keys have no TTL.
Task<void> LabSession::keepFrames() {
    while (!m_isClosing) {
        if (m_happened.empty() || m_standStill.hasStoppedKeys()) {
            m_wake = Completion<Done>();
            (void)co_await m_wake.wait(Deadline::in(m_realClock, readInterval), m_scope.stopToken());
        }
        if (m_isClosing)
            co_return;
        if (m_happened.empty() || m_standStill.hasStoppedKeys()) {
            if (!m_clock.isStopped())
                co_await readAgain();
            continue;
        }
        m_isDrawing = true;
        Happening next = std::move(m_happened.front());
        m_happened.pop_front();
        co_await addFrame(std::move(next));
        m_isDrawing = false;
        m_drawn.complete(Done());
    }
}

Task<void> LabSession::addFrame(Happening happening) {
    LabFrame frame;
    frame.moment = happening.moment;
    frame.action = happening.action;
    frame.facts = happening.facts;
    frame.actors = happening.actors;
    frame.servers = co_await m_reader.read(m_frames);
    if (m_isClosing)
        co_return;
    ++m_frames;
    m_lastRead = frame.servers;
    m_lastFrame = frame;
    m_update.frames.push_back(std::move(frame));
    report();
}

// Finds changes without a step: a key that expires or is renewed, or a Cluster that goes down.
Task<void> LabSession::readAgain() {
    const std::vector<LabServer> servers = co_await m_reader.read(-1);
    const std::optional<Happening> difference = differenceTo(servers);
    m_lastRead = servers;
    if (difference && m_happened.empty()) {
        m_wake = Completion<Done>();
        (void)co_await m_wake.wait(Deadline::in(m_realClock, untilReported), m_scope.stopToken());
        if (m_happened.empty() && !m_isClosing && !m_clock.isStopped() && hasRoom())
            m_happened.push_back(*difference);
    }
    if (!m_isClosing && m_wire.hasNew())
        report();
}

std::optional<LabSession::Happening> LabSession::differenceTo(const std::vector<LabServer>& servers) const {
    if (!m_lastFrame)
        return std::nullopt;
    const std::optional<LabChange> change = changeIn(servers, m_lastFrame->servers, m_lastRead);
    if (!change)
        return std::nullopt;
    const Moment moment{m_player.timeNow(), -1, {}, change->what, change->subject};
    return Happening{moment, QByteArrayLiteral("change"), change->facts, labActorsOf(m_laboratory, m_player)};
}

// Waits until every moment so far is a frame.
Task<void> LabSession::whenDrawn() {
    const Deadline end = Deadline::in(m_realClock, longestDrawing);
    while ((!m_happened.empty() || m_isDrawing) && !m_isClosing && !end.hasPassed()) {
        m_drawn = Completion<Done>();
        (void)co_await m_drawn.wait(end, m_scope.stopToken());
    }
}

// ---- requests ----

void LabSession::request(const LabRequest& request) {
    if (!m_isClosing)
        std::visit([this](const auto& one) { applied(one); }, request);
}

void LabSession::applied(SetPace pace) {
    m_stop = pace.stop;
    m_isPaceNew = true;
    m_stopsAgain = !pace.stop;
    m_goOn.complete(Done());
    if (!pace.stop && m_mayStopWithin && !m_isWithinStep)
        m_scope.spawn(stopWithinStep());
}

void LabSession::applied(NextStep) {
    m_goOn.complete(Done());
}

void LabSession::applied(const Step& step) {
    const bool isTaken = m_phase == LabPhase::Free || (isPlaying() && std::holds_alternative<Fault>(step.action));
    if (!isTaken || !isPossible(step, m_scenario, m_laboratory))
        return;
    const bool isBeforeEnd = isPlaying() && m_nextStep < std::ssize(m_scenario.steps);
    m_isChangedByHand = m_isChangedByHand || isBeforeEnd;
    if (m_standStill.isOn()) {
        m_byHand.push_back(step);
        return m_goOn.complete(Done());
    }
    noteOnWire(step);
    m_scope.spawn(m_player.play(step, -1));
}

void LabSession::noteOnWire(const Step& step) {
    const auto* fault = std::get_if<Fault>(&step.action);
    if (!fault)
        return;
    if (const auto* byHand = std::get_if<ByHand>(fault))
        m_wire.sentByHand(byHand->command);
    else if (const auto* crash = std::get_if<CrashActor>(fault))
        m_wire.crashed(crash->actor);
    else if (const auto* kill = std::get_if<KillServer>(fault))
        m_wire.killed(kill->server);
}

void LabSession::setPhase(LabPhase phase) {
    m_phase = phase;
    report();
}

void LabSession::report() {
    m_update.phase = m_phase;
    m_update.nextStep = m_nextStep;
    m_update.lines = m_wire.take();
    m_update.linesLeftOut = m_wire.leftOut();
    m_update.isFull = m_isFull;
    Q_EMIT changed(std::make_shared<const LabUpdate>(std::exchange(m_update, {})));
}

}  // namespace lockkeeper::lab

#include "moc_labsession.cpp"
