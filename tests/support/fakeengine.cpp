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

void FakeEngine::requestLab(SessionId, const lab::LabRequest& request) {
    labRequests.push_back(request);
}

void FakeEngine::close(SessionId closing, control::OwnLocksAtExit ownLocks) {
    closes.push_back({closing, ownLocks});
}

void FakeEngine::setLabel(SessionId, const profile::ProfileLabel& label) {
    lastLabel = label;
}

void FakeEngine::arm(SessionId, std::chrono::minutes time) {
    armings.push_back(time);
}

void FakeEngine::disarm(SessionId) {
    ++disarmings;
}

void FakeEngine::retryNow(SessionId) {
    ++retries;
}

void FakeEngine::setDiscovery(SessionId, monitor::DiscoveryState state) {
    discoveries.push_back(state);
}

OperationId FakeEngine::acquire(SessionId asking, const control::AcquireRequest& request) {
    acquires.push_back(request);
    return nextId(asking);
}

OperationId FakeEngine::release(SessionId asking, const control::ReleaseRequest& request) {
    releases.push_back(request);
    return nextId(asking);
}

OperationId FakeEngine::forceRelease(SessionId asking, const control::ForceReleaseRequest& request) {
    forceReleases.push_back(request);
    return nextId(asking);
}

OperationId FakeEngine::identify(SessionId asking, const monitor::HolderSearch& search) {
    searches.push_back(search);
    return nextId(asking);
}

void FakeEngine::cancel(SessionId, OperationId operation) {
    cancelled.push_back(operation);
}

void FakeEngine::answerSsh(SessionId asking, topology::SshQuestionId question, const topology::SshAnswer& answer) {
    sshAnswers.push_back({asking, question, answer});
}

void FakeEngine::record(SessionId, const recording::RecordingRequest& request) {
    recordings.push_back(request);
}

void FakeEngine::stopRecording(SessionId) {
    ++stoppedRecordings;
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

void FakeEngine::report(const ConnectionStatus& status) {
    Q_EMIT connectionChanged(session, status);
    if (armsWhatConnects && status.phase == ConnectionPhase::Connected && !status.readOnly)
        sayArmed();
}

void FakeEngine::report(const recording::RecordingStatus& status) {
    Q_EMIT recordingChanged(session, status);
}

void FakeEngine::report(const Arming& arming) {
    Q_EMIT armingChanged(session, arming);
}

void FakeEngine::sayArmed() {
    Arming armed;
    armed.state = ArmingState::Armed;
    report(armed);
}

void FakeEngine::report(const monitor::MonitorBatch& batch) {
    Q_EMIT batchReady(session, std::make_shared<const monitor::MonitorBatch>(batch));
}

void FakeEngine::report(const lab::LabUpdate& update) {
    Q_EMIT labChanged(session, std::make_shared<const lab::LabUpdate>(update));
}

void FakeEngine::sayHistory(const std::vector<monitor::LockEvent>& events) {
    Q_EMIT historyLoaded(session, events);
}

void FakeEngine::failHistory(const Error& error) {
    Q_EMIT historyFailed(error);
}

void FakeEngine::setHistoryAside(const QString& path) {
    Q_EMIT historySetAside(path);
}

void FakeEngine::report(const QList<control::OwnLock>& locks) {
    Q_EMIT ownLocksChanged(session, locks);
}

void FakeEngine::finishLast(const control::OperationResult& result) {
    Q_EMIT operationFinished(m_lastAsking, lastId, result);
}

void FakeEngine::finishLast(const monitor::HolderIdentity& identity) {
    Q_EMIT holderIdentified(m_lastAsking, lastId, identity);
}

void FakeEngine::finishLast(const history::HistoryExcerpt& excerpt) {
    Q_EMIT historyRead(lastId, excerpt);
}

void FakeEngine::finishForgetting(const std::optional<Error>& error) {
    Q_EMIT historyForgotten(lastId, error);
}

void FakeEngine::refuseRelease(const LockName& name, const Error& why) {
    Q_EMIT releaseRefused(session, name, why);
}

void FakeEngine::loseOwnLock(const LockName& name, locks::LossReason why) {
    Q_EMIT ownLockLost(session, name, why);
}

void FakeEngine::ask(const topology::SshQuestion& question) {
    Q_EMIT sshAsked(session, question);
}

void FakeEngine::endQuestion(topology::SshQuestionId question) {
    Q_EMIT sshQuestionOver(session, question);
}

void FakeEngine::finishClosing(SessionId closed) {
    Q_EMIT sessionClosed(closed);
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
    lastId = OperationId(static_cast<quint64>(lastId) + 1);
    return lastId;
}

}  // namespace lockkeeper::test
