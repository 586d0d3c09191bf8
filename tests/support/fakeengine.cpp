// SPDX-License-Identifier: Apache-2.0
#include "support/fakeengine.h"

#include <memory>

namespace lockkeeper::test {

// The special members, too, are compiled once here instead of in each test of the window.
FakeEngine::FakeEngine() = default;

FakeEngine::~FakeEngine() = default;

SessionId FakeEngine::open(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames,
                           const profile::ProfileLabel& label) {
    connects.push_back(profile);
    lastLabel = label;
    lastKnownNames = knownNames;
    return nextSession();
}

SessionId FakeEngine::openDemo(redis::AccessMode access) {
    demos.push_back(access);
    return nextSession();
}

SessionId FakeEngine::openLab(const lab::LabOrder& order) {
    labs.push_back(order);
    return nextSession();
}

void FakeEngine::close(SessionId closing, control::OwnLocksAtExit ownLocks) {
    closes.push_back({closing, ownLocks});
}

// Keeps what tests ask for.
struct FakeEngine::Note {
    FakeEngine& engine;
    SessionId asking;

    void operator()(const SetDiscovery& wanted) const { engine.discoveries.push_back(wanted.state); }
    void operator()(const SetLabel& wanted) const { engine.lastLabel = wanted.label; }
    void operator()(RetryNow) const { ++engine.retries; }
    void operator()(ArmFor wanted) const { engine.armings.push_back(wanted.time); }
    void operator()(Disarm) const { ++engine.disarmings; }
    void operator()(const control::Operation& operation) const { std::visit(*this, operation); }
    void operator()(const control::AcquireRequest& request) const { engine.acquires.push_back(request); }
    void operator()(const control::ReleaseRequest& request) const { engine.releases.push_back(request); }
    void operator()(const control::ForceReleaseRequest& request) const { engine.forceReleases.push_back(request); }
    void operator()(const monitor::HolderSearch& search) const { engine.searches.push_back(search); }
    void operator()(const recording::CaptureRequest& request) const { engine.captures.push_back(request); }
    void operator()(const jvm::ProcessSearch& search) const { engine.processSearches.push_back(search); }
    void operator()(const jvm::DumpOrder& order) const { engine.dumpOrders.push_back(order); }
    void operator()(CancelOperation wanted) const { engine.cancelled.push_back(wanted.operation); }
    void operator()(CheckServer) const { ++engine.checks; }
    void operator()(const AnswerSsh& given) const {
        engine.sshAnswers.push_back({asking, given.question, given.answer});
    }
    void operator()(const recording::RecordingRequest& request) const { engine.recordings.push_back(request); }
    void operator()(StopRecording) const { ++engine.stoppedRecordings; }
    void operator()(const KeepDumps& kept) const { engine.keptDumps.push_back(kept); }
    void operator()(const lab::LabRequest& request) const { engine.labRequests.push_back(request); }
    void operator()(BatchTaken) const {}
};

OperationId FakeEngine::request(SessionId asking, const SessionRequest& request) {
    std::visit(Note{*this, asking}, request);
    const bool isAnswered = refusalOf({}, request).has_value();
    return isAnswered ? nextId(asking) : OperationId(++m_operations);
}

OperationId FakeEngine::readHistory(const history::HistoryQuery& query) {
    historyQueries.push_back(query);
    return nextId(session);
}

OperationId FakeEngine::forgetHistory(const profile::ProfileId& profile) {
    forgottenProfiles << profile.text();
    return nextId(session);
}

void FakeEngine::setRetention(const history::Retention& retention) {
    retentions.push_back(retention);
}

void FakeEngine::shutDown(control::OwnLocksAtExit ownLocks) {
    shutDowns.push_back(ownLocks);
}

void FakeEngine::report(const SessionReport& what) {
    Q_EMIT reported(session, what);
    const auto* status = std::get_if<ConnectionStatus>(&what);
    if (armsWhatConnects && status && status->phase == ConnectionPhase::Connected && !status->readOnly)
        sayArmed();
}

void FakeEngine::report(const monitor::MonitorBatch& batch) {
    report(BatchReady{std::make_shared<const monitor::MonitorBatch>(batch), nullptr});
}

void FakeEngine::report(const lab::LabUpdate& update) {
    report(std::make_shared<const lab::LabUpdate>(update));
}

void FakeEngine::report(const QList<control::OwnLock>& locks) {
    report(OwnLocksChanged{locks});
}

void FakeEngine::sayArmed() {
    Arming armed;
    armed.state = ArmingState::Armed;
    report(armed);
}

void FakeEngine::failHistory(const Error& error) {
    Q_EMIT historyFailed(error);
}

void FakeEngine::setHistoryAside(const QString& path) {
    Q_EMIT historySetAside(path);
}

void FakeEngine::finishLast(const control::OperationResult& result) {
    Q_EMIT reported(m_lastAsking, OperationFinished{lastId, result});
}

void FakeEngine::finishLast(const monitor::HolderIdentity& identity) {
    Q_EMIT reported(m_lastAsking, HolderIdentified{lastId, identity});
}

void FakeEngine::finishLast(const history::HistoryExcerpt& excerpt) {
    Q_EMIT historyRead(lastId, excerpt);
}

void FakeEngine::finishForgetting(const std::optional<Error>& error) {
    Q_EMIT historyForgotten(lastId, error);
}

void FakeEngine::finishClosing(SessionId closed) {
    Q_EMIT reported(closed, SessionClosed());
}

void FakeEngine::finishShutDown() {
    Q_EMIT shutDownFinished();
}

SessionId FakeEngine::nextSession() {
    session = SessionId(++m_sessions);
    return session;
}

OperationId FakeEngine::nextId(SessionId asking) {
    m_lastAsking = asking;
    lastId = OperationId(++m_operations);
    return lastId;
}

}  // namespace lockkeeper::test
