// SPDX-License-Identifier: Apache-2.0
#include "session/session.h"

#include "base/logging.h"
#include "base/safetext.h"
#include "lab/demostory.h"
#include "lab/playeddump.h"
#include "monitor/model/monitorcause.h"
#include "profile/lockclientoptions.h"
#include "profile/neededcommands.h"
#include "session/linkstatus.h"
#include "topology/ssh/sshtunnel.h"

namespace lockkeeper {

namespace {

using namespace std::chrono_literals;

// How long the release of own locks may take before they are left to expire.
constexpr Milliseconds releaseTime = 3s;
// How long watching may wait for the stored events of earlier runs.
constexpr Milliseconds historyTime = 2s;

}  // namespace

Session::Session(SessionTarget target, monitor::MonitorOptions monitorOptions, history::HistoryFile* history,
                 control::AuditLog& audit, Clock& clock)
    : m_target(std::move(target)),
      m_monitorOptions(std::move(monitorOptions)),
      m_audit(audit),
      m_clock(clock),
      m_recording(clock, [this](const recording::RecordingStatus& status) { onRecordingChanged(status); }),
      m_demo(clock),
      m_sleep(clock),
      m_relay([this](const monitor::SharedBatch& batch, const BatchRelay::Receipt& receipt) {
          m_recording.add(recording::BatchDelivered());
          Q_EMIT reported(BatchReady{batch, receipt});
      }) {
    m_monitorOptions.discovery = m_target.profile.discovery;
    m_monitorOptions.knownNames = m_target.knownNames;
    const profile::LockSettings& locks = m_target.profile.locks;
    m_monitorOptions.timeouts.watchdog = locks.watchdogTimeout.value_or(m_monitorOptions.timeouts.watchdog);
    m_monitorOptions.timeouts.fairWait = locks.fairWait.value_or(m_monitorOptions.timeouts.fairWait);
    connect(&m_sleep, &SleepWatch::slept, this, &Session::noteSleep);
    // The demo is another server each time, so its past is not needed.
    if (history && m_target.kind == SessionTarget::Kind::Server)
        m_recorder = std::make_unique<history::Recorder>(*history);
}

Session::~Session() {
    blockSignals(true);
    m_closing.request_stop();
    endWatching();
    m_demo.end();
    m_scope.stop();
}

// ---- requests and reports ----

// Before the first connection there is nothing to arm, to pause or to ask.
struct Session::Execution {
    Session& session;
    OperationId id;

    void operator()(const SetDiscovery& wanted) const {
        if (session.m_monitor)
            session.m_monitor->setDiscovery(wanted.state);
    }
    void operator()(const SetLabel& wanted) const { session.setLabel(wanted.label); }
    void operator()(RetryNow) const {
        if (session.m_monitor)
            session.m_monitor->retryNow();
    }
    void operator()(ArmFor wanted) const {
        if (session.m_console)
            session.m_console->arm(wanted.time);
    }
    void operator()(Disarm) const {
        if (session.m_console)
            session.m_console->disarm();
    }
    void operator()(const control::Operation& operation) const {
        if (session.m_console)
            session.m_console->execute(id, operation);
        else
            refuse(operation);
    }
    void operator()(const monitor::HolderSearch& search) const {
        if (session.m_capture && session.m_capture->isRunning())
            refuse(search, monitorUnderWay());
        else if (session.m_finder)
            session.m_finder->find(id, search);
        else
            refuse(search);
    }
    void operator()(const recording::CaptureRequest& wanted) const {
        if (session.m_finder && session.m_finder->isRunning())
            refuse(wanted, monitorUnderWay());
        else if (session.m_capture)
            session.m_capture->capture(id, wanted);
        else
            refuse(wanted);
    }
    void operator()(CancelOperation wanted) const {
        if (session.m_capture)
            session.m_capture->cancel(wanted.operation);
        if (session.m_console)
            session.m_console->cancel(wanted.operation);
        if (session.m_finder)
            session.m_finder->cancel(wanted.operation);
        if (session.m_dumps)
            session.m_dumps->cancel(wanted.operation);
    }
    void operator()(CheckServer wanted) const {
        if (session.m_checkedUsers)
            session.m_scope.spawn(session.checkServer());
        else
            refuse(wanted);
    }
    void operator()(const AnswerSsh& given) const {
        if (session.m_route && session.m_route->tunnel())
            session.m_route->tunnel()->answer(given.question, given.answer);
        if (session.m_dumps)
            session.m_dumps->answer(given.question, given.answer);
    }
    void operator()(const jvm::ProcessSearch& wanted) const {
        if (session.m_closing.stop_requested())
            refuse(wanted);
        else
            session.dumpFetcher().search(id, wanted);
    }
    void operator()(const jvm::DumpOrder& wanted) const {
        if (session.m_closing.stop_requested())
            refuse(wanted);
        else
            session.dumpFetcher().fetch(id, wanted);
    }
    void operator()(const recording::RecordingRequest& wanted) const { session.record(wanted); }
    void operator()(StopRecording) const { session.m_recording.stop(); }
    void operator()(const lab::LabRequest&) const {}
    void operator()(const KeepDumps& kept) const {
        if (!session.m_monitor)
            return;
        for (const monitor::SharedDump& dump : kept.dumps)
            session.m_monitor->noteDump(dump);
    }
    void operator()(BatchTaken) const { session.m_relay.sendWaiting(); }

private:
    void refuse(const SessionRequest& request, const Error& why = notConnected()) const {
        Q_EMIT session.reported(*refusalOf(id, request, why));
    }
    // Each MONITOR costs the server time: there is one at once.
    static Error monitorUnderWay() { return Error(ErrorCode::Overloaded, monitor::MonitorCause::MonitorUnderWay); }
};

void Session::request(OperationId id, const SessionRequest& request) {
    std::visit(Execution{*this, id}, request);
}

// Reports the values of the signal.
template <typename Report, typename Sender, typename Signal>
void Session::pass(const Sender& sender, Signal signal) {
    connect(&sender, signal, this, [this](const auto&... values) { Q_EMIT reported(Report{values...}); });
}

jvm::DumpFetcher& Session::dumpFetcher() {
    if (m_dumps)
        return *m_dumps;
    jvm::FetchContext context;
    context.settings = m_target.profile.dumps;
    context.caFile = m_target.profile.endpoint.caFile;
    context.askpass = m_target.askpass;
    if (m_target.kind == SessionTarget::Kind::Demo)
        context.demoDump = [this](const ClientId& client) {
            const auto does = m_demo.isDead(client) ? lab::DumpedThread::Ended : lab::DumpedThread::Works;
            return lab::playedDump(lab::demo::worker, does, m_clock.wallNow());
        };
    m_dumps = std::make_unique<jvm::DumpFetcher>(context, m_clock);
    pass<ProcessesFound>(*m_dumps, &jvm::DumpFetcher::processesFound);
    pass<FirstDumpTaken>(*m_dumps, &jvm::DumpFetcher::firstFetched);
    pass<DumpsTaken>(*m_dumps, &jvm::DumpFetcher::fetched);
    pass<topology::SshQuestion>(*m_dumps, &jvm::DumpFetcher::asked);
    pass<SshQuestionOver>(*m_dumps, &jvm::DumpFetcher::questionOver);
    return *m_dumps;
}

// ---- opening and closing ----

void Session::open() {
    if (m_target.recording)
        record(*m_target.recording);
    m_scope.spawn(connectToTarget());
}

Task<void> Session::connectToTarget() {
    co_await prepare();
    m_prepared.complete(Done());
}

Task<void> Session::prepare() {
    ConnectionStatus status;
    status.readOnly = m_target.profile.access == redis::AccessMode::ReadOnly;
    status.pinned = m_target.profile.pinsCertificate();
    status.phase = ConnectionPhase::Connecting;
    redis::ConnectionOptions options = m_target.profile.connectionOptions();
    if (m_target.kind == SessionTarget::Kind::Demo) {
        status.server = QStringLiteral("demo");
        status.isDemo = true;
        setStatus(status);
        const Result<redis::Endpoint> demo = co_await m_demo.start(m_closing.get_token());
        if (!demo) {
            endWith(ConnectionPhase::Failed, demo.error());
            co_return;
        }
        options.endpoint = *demo;
    } else {
        status.profile = m_target.profile.id;
        status.server = m_target.profile.display();
        setStatus(status);
        co_await loadHistory();
    }
    if (m_closing.stop_requested())
        co_return;
    m_route = std::make_unique<topology::Route>(m_target.profile.deployment, options, m_clock, m_target.askpass);
    const Result<Done> opened = co_await openTunnel();
    if (m_closing.stop_requested())
        co_return;
    if (opened)
        watch(options);
    else
        endWith(ConnectionPhase::Failed, opened.error());
}

Task<void> Session::loadHistory() {
    if (!m_recorder)
        co_return;
    const Completion<std::vector<monitor::LockEvent>> answered;
    const QMetaObject::Connection listening =
        connect(m_recorder.get(), &history::Recorder::loaded, this,
                [answered](const std::vector<monitor::LockEvent>& events) { answered.complete(events); });
    m_recorder->record({m_target.profile.id, m_target.profile.display()});
    const Result<std::vector<monitor::LockEvent>> past =
        co_await answered.wait(Deadline::in(m_clock, historyTime), m_closing.get_token());
    disconnect(listening);
    if (!past || past->empty())
        co_return;
    m_remembered = monitor::RememberedHolds(*past);
    m_pastUntil = past->back().at;
    Q_EMIT reported(HistoryLoaded{*past});
}

Task<void> Session::checkServer() {
    control::ServerChecker checker(*m_checkedUsers, m_route->shards(), m_clock,
                                   profile::sampleName(m_target.profile.discovery.matches));
    const Result<control::ServerCheck> checked = co_await checker.run(m_checks.get_token());
    if (checked)
        Q_EMIT reported(ServerChecked{std::make_shared<const control::ServerCheck>(*checked), std::nullopt});
    else
        Q_EMIT reported(ServerChecked{nullptr, checked.error()});
}

void Session::watch(redis::ConnectionOptions options) {
    m_checkedUsers = control::CheckedUsers{options, std::nullopt};
    if (!m_target.profile.writing.user.isEmpty())
        m_checkedUsers->writing = m_target.profile.writing;
    makeConsole(options);
    options.access = redis::AccessMode::ReadOnly;
    if (m_route->masters())
        connect(m_route->masters(), &topology::MasterSource::masterChanged, this, &Session::onMasterChanged);
    topology::Shards& shards = m_route->shards();
    m_monitor = std::make_unique<monitor::Monitor>(options, shards, m_clock, m_monitorOptions);
    m_finder = std::make_unique<monitor::HolderFinder>(options, shards, m_clock);
    pass<HolderIdentified>(*m_finder, &monitor::HolderFinder::finished);
    m_capture = std::make_unique<recording::MonitorRecorder>(options, shards, m_clock);
    pass<MonitorCaptured>(*m_capture, &recording::MonitorRecorder::finished);
    connect(m_monitor.get(), &monitor::Monitor::batchReady, this, &Session::onBatch);
    connect(m_monitor.get(), &monitor::Monitor::statusChanged, this, &Session::onMonitorStatus);
    m_monitor->askReplicasBy(m_route->replicas());
    m_monitor->remember(std::exchange(m_remembered, {}));
    m_recording.tap(*m_monitor);
    m_monitor->start();
}

void Session::makeConsole(redis::ConnectionOptions options) {
    const bool isDemo = m_target.kind == SessionTarget::Kind::Demo;
    if (!m_target.profile.writing.user.isEmpty())
        options.credentials = m_target.profile.writing;
    ArmedConsole::MakeConsole make;
    if (options.access == redis::AccessMode::ReadWrite) {
        make = [this, options, log = isDemo ? nullptr : &m_audit] {
            auto console = std::make_unique<control::Console>(options, m_route->shards(), m_clock, log, auditPlace(),
                                                              profile::lockClientOptions(m_target.profile.locks));
            console->requireProof(
                [this](const auto& lock, const auto& waiter) { return m_monitor->provesDead(lock, waiter); });
            m_monitor->noteOwnClient(console->client());
            return console;
        };
    }
    m_console = std::make_unique<ArmedConsole>(make, profile::sampleName(m_target.profile.discovery.matches), m_clock);
    connect(m_console.get(), &ArmedConsole::forceReleased, this, &Session::onForceReleased);
    pass<Arming>(*m_console, &ArmedConsole::armingChanged);
    pass<OperationFinished>(*m_console, &ArmedConsole::operationFinished);
    pass<OwnLocksChanged>(*m_console, &ArmedConsole::ownLocksChanged);
    pass<OwnLockLost>(*m_console, &ArmedConsole::ownLockLost);
    pass<ReleaseRefused>(*m_console, &ArmedConsole::releaseRefused);
}

control::AuditPlace Session::auditPlace() const {
    return {m_status.server, m_target.label.name, profile::wordFor(m_target.label.environment)};
}

void Session::setLabel(const profile::ProfileLabel& label) {
    m_target.label = label;
    if (m_console)
        m_console->setPlace(auditPlace());
}

void Session::close(control::OwnLocksAtExit ownLocks) {
    if (m_closing.stop_requested())
        return;
    m_closing.request_stop();
    m_dumps.reset();
    m_scope.spawn(disconnectFromTarget(ownLocks));
}

Task<void> Session::disconnectFromTarget(control::OwnLocksAtExit ownLocks) {
    (void)co_await m_prepared.wait(Deadline::never(m_clock), m_scope.stopToken());
    if (m_console)
        m_console->disarm();  // no new operation begins
    if (m_console && ownLocks == control::OwnLocksAtExit::Release)
        co_await m_console->releaseAll(Deadline::in(m_clock, releaseTime));
    endWatching();
    if (m_recorder)
        m_recorder->stop();
    co_await m_recording.end(Deadline::in(m_clock, releaseTime), m_scope.stopToken());
    co_await closeTunnel();
    co_await m_demo.stop(Deadline::in(m_clock, releaseTime), m_scope.stopToken());
    Q_EMIT reported(OwnLocksChanged());
    Q_EMIT reported(Arming());
    endWith(ConnectionPhase::Disconnected);
    Q_EMIT closed();
}

// Opened before the first connection, which has less time than ssh and the user who is asked.
Task<Result<Done>> Session::openTunnel() {
    topology::SshTunnel* tunnel = m_route->tunnel();
    if (!tunnel)
        co_return Done();
    pass<topology::SshQuestion>(*tunnel, &topology::SshTunnel::asked);
    pass<SshQuestionOver>(*tunnel, &topology::SshTunnel::questionOver);
    const Completion<Done> opened = tunnel->open();
    const Result<Done> up = co_await opened.wait(Deadline::never(m_clock), m_closing.get_token());
    co_return up;
}

Task<void> Session::closeTunnel() {
    topology::SshTunnel* tunnel = m_route ? m_route->tunnel() : nullptr;
    if (!tunnel)
        co_return;
    const Completion<Done> closed = tunnel->close();
    const Result<Done> ended = co_await closed.wait(Deadline::in(m_clock, releaseTime), m_scope.stopToken());
    if (!ended && ended.error().code == ErrorCode::Timeout)
        qCWarning(logEngine) << "ssh does not end:" << ended.error().text;
}

// ---- the connection, as the monitor sees it ----

void Session::onMonitorStatus(const monitor::MonitorStatus& monitorStatus) {
    ConnectionStatus status = m_status;
    status.error = monitorStatus.error;
    status.nextAttempt = monitorStatus.nextAttempt;
    switch (monitorStatus.phase) {
        case monitor::MonitorPhase::Stopped:
        case monitor::MonitorPhase::Connecting:
            return;
        case monitor::MonitorPhase::Watching:
            status.phase = ConnectionPhase::Connected;
            status.watchesNothing = monitorStatus.watchesNothing;
            status.lastHeard = monitorStatus.lastHeard;
            status.serverVersion = bounded(QString::fromLatin1(monitorStatus.server.version));
            noteRole(monitorStatus.server, status);
            break;
        case monitor::MonitorPhase::Reconnecting:
            status.phase = ConnectionPhase::Reconnecting;
            status.watchesNothing = false;
            status.lastHeard = monitorStatus.lastHeard;
            break;
        case monitor::MonitorPhase::Failed:
            status.phase = ConnectionPhase::Failed;
            QMetaObject::invokeMethod(this, &Session::endAttempts, Qt::QueuedConnection);  // the monitor calls here
            break;
    }
    setStatus(status);
}

// Nothing was watched during the sleep. Own locks are checked first, because work may depend on them.
void Session::noteSleep(Milliseconds time) {
    if (!m_monitor || !m_console)
        return;
    m_console->checkOwnLocks();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    m_monitor->startOver(Error(ErrorCode::ConnectionLost, Cause::ServerSilent, {QString::number(seconds)}));
}

// Checks end before the route that they use.
void Session::endWatching() {
    m_checkedUsers.reset();
    m_checks.request_stop();
    m_finder.reset();
    m_capture.reset();
    m_console.reset();
    m_monitor.reset();
}

// Otherwise Sentinels or nodes of a Cluster would still be asked, although nothing waits for their answers.
void Session::endAttempts() {
    if (m_closing.stop_requested())
        return;
    endWatching();
    m_route.reset();
}

void Session::noteRole(const redis::ServerInfo& server, ConnectionStatus& status) {
    status.isReplica = server.role == "replica";
    status.isClusterNode = server.mode == "cluster" && !m_route->shards().isCluster();
    if (!m_route->masters())
        status.master = server.master;
    if (status.isReplica)
        m_console->refuseOnReplica(server.master);
    else
        m_console->allowWrites();
    if (status.isDemo && !std::exchange(m_wasArmed, true))
        m_console->arm(std::nullopt);
}

void Session::onMasterChanged(const redis::Endpoint& master) {
    ConnectionStatus status = m_status;
    status.master = master.display();
    setStatus(status);
}

void Session::endWith(ConnectionPhase phase, const std::optional<Error>& error) {
    ConnectionStatus status = m_status;
    status.phase = phase;
    status.error = error;
    setStatus(status);
}

void Session::setStatus(const ConnectionStatus& status) {
    if (status == m_status)
        return;
    m_status = status;
    m_recording.add(linkStatusOf(m_status));
    Q_EMIT reported(m_status);
}

// ---- the recording ----

void Session::record(const recording::RecordingRequest& request) {
    recording::RecordingInfo info;
    info.isDemo = m_target.kind == SessionTarget::Kind::Demo;
    info.server = info.isDemo ? QStringLiteral("demo") : m_target.profile.display();
    info.limits = m_monitorOptions.limits;
    info.timeouts = m_monitorOptions.timeouts;
    m_recording.begin(request, info);
    if (m_status.phase != ConnectionPhase::Disconnected)
        m_recording.add(linkStatusOf(m_status));
    if (m_monitor)
        m_recording.tap(*m_monitor);
    Q_EMIT reported(m_recording.status());
}

void Session::onRecordingChanged(const recording::RecordingStatus& status) {
    if (m_monitor && status.phase != recording::RecordingPhase::Running)
        m_monitor->endTap();
    Q_EMIT reported(status);
}

void Session::onBatch(const monitor::SharedBatch& batch) {
    m_recording.add(recording::BatchEnded{batch->at, batch->stats, batch->synchronizers});
    keep(batch);
    recallHolds(*batch);
}

// What was loaded at the beginning are the newest events of all locks. Of a lock that is held for long, the last one
// may be older.
void Session::recallHolds(const monitor::MonitorBatch& batch) {
    const bool isSwept = std::ranges::any_of(
        batch.events, [](const monitor::LockEvent& event) { return event.type == monitor::EventType::Swept; });
    if (!isSwept || !m_recorder || !m_pastUntil)
        return;
    const WallTime until = *std::exchange(m_pastUntil, std::nullopt);
    connect(m_recorder.get(), &history::Recorder::recalled, this,
            [this, until](std::vector<monitor::LockEvent> events) {
                std::erase_if(events, [until](const monitor::LockEvent& event) { return event.at > until; });
                if (m_monitor)
                    m_monitor->recall(monitor::RememberedHolds(events));
            });
    m_recorder->recall(m_monitor->holdsToRecall(history::EventStore::mostLocksRead));
}

void Session::keep(const monitor::SharedBatch& batch) {
    if (m_recorder)
        m_recorder->append(batch->events);
    m_relay.pass(batch);
}

// An event of its own, because it is not known which events of the next read are caused by the force-release: reads use
// another connection, and the same holder may have released and taken the lock again in between.
void Session::onForceReleased(const monitor::LockSnapshot& broken) {
    monitor::MonitorBatch batch;
    batch.at = m_clock.wallNow();
    batch.events = monitor::forcedOut(broken, batch.at);
    m_recording.add(recording::LockForced{broken, batch.at});
    keep(std::make_shared<const monitor::MonitorBatch>(std::move(batch)));
}

}  // namespace lockkeeper

#include "moc_session.cpp"
