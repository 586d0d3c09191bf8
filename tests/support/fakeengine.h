// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <vector>

namespace lockkeeper::test {

// An Engine played by the test: it keeps what was asked of it, and says what the test makes it say, about the session that
// was opened last unless the test names another.
class FakeEngine final : public Engine {
public:
    using Engine::Engine;

    struct Closed {
        SessionId session = SessionId::None;
        control::OwnLocksAtExit ownLocks = control::OwnLocksAtExit::Release;
    };

    struct SshAnswered {
        SessionId session = SessionId::None;
        topology::SshQuestionId question{};
        topology::SshAnswer answer;
    };

    SessionId open(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames,
                   const profile::ProfileLabel& label = {}) override {
        connects.push_back(profile);
        lastLabel = label;
        lastKnownNames = knownNames;
        return nextSession();
    }
    SessionId openDemo(redis::AccessMode access) override {
        demos.push_back(access);
        return nextSession();
    }
    SessionId openLab(const lab::LabOrder& order) override {
        labs.push_back(order);
        return nextSession();
    }
    void requestLab(SessionId, const lab::LabRequest& request) override { labRequests.push_back(request); }
    void close(SessionId closing, control::OwnLocksAtExit ownLocks) override { closes.push_back({closing, ownLocks}); }
    void arm(SessionId, std::chrono::minutes time) override { armings.push_back(time); }
    void disarm(SessionId) override { ++disarmings; }
    void retryNow(SessionId) override { ++retries; }
    void setDiscovery(SessionId, monitor::DiscoveryState state) override { discoveries.push_back(state); }
    OperationId acquire(SessionId asking, const control::AcquireRequest& request) override {
        acquires.push_back(request);
        return nextId(asking);
    }
    OperationId release(SessionId asking, const control::ReleaseRequest& request) override {
        releases.push_back(request);
        return nextId(asking);
    }
    OperationId forceRelease(SessionId asking, const control::ForceReleaseRequest& request) override {
        forceReleases.push_back(request);
        return nextId(asking);
    }
    OperationId identify(SessionId asking, const monitor::HolderSearch& search) override {
        searches.push_back(search);
        return nextId(asking);
    }
    void cancel(SessionId, OperationId operation) override { cancelled.push_back(operation); }
    void answerSsh(SessionId asking, topology::SshQuestionId question, const topology::SshAnswer& answer) override {
        sshAnswers.push_back({asking, question, answer});
    }
    void record(SessionId, const recording::RecordingRequest& request) override { recordings.push_back(request); }
    void stopRecording(SessionId) override { ++stoppedRecordings; }
    OperationId readHistory(const history::HistoryQuery& query) override {
        historyQueries.push_back(query);
        return nextId(session);
    }
    OperationId forgetHistory(const profile::ProfileId& profile) override {
        forgottenProfiles << profile.text();
        return nextId(session);
    }
    void setRetention(const history::Retention& retention) override { retentions.push_back(retention); }
    void shutDown(control::OwnLocksAtExit ownLocks) override { shutDowns.push_back(ownLocks); }

    void say(const ConnectionStatus& status) {
        Q_EMIT connectionChanged(session, status);
        if (armsWhatConnects && status.phase == ConnectionPhase::Connected && !status.readOnly)
            sayArmed();
    }
    void say(const recording::RecordingStatus& status) { Q_EMIT recordingChanged(session, status); }
    void say(const Arming& arming) { Q_EMIT armingChanged(session, arming); }
    // Without an end.
    void sayArmed() {
        Arming armed;
        armed.state = ArmingState::Armed;
        say(armed);
    }
    void say(const monitor::MonitorBatch& batch) {
        Q_EMIT batchReady(session, std::make_shared<const monitor::MonitorBatch>(batch));
    }
    void say(const lab::LabUpdate& update) {
        Q_EMIT labChanged(session, std::make_shared<const lab::LabUpdate>(update));
    }
    void sayHistory(const std::vector<monitor::LockEvent>& events) { Q_EMIT historyLoaded(session, events); }
    void failHistory(const Error& error) { Q_EMIT historyFailed(error); }
    void setHistoryAside(const QString& path) { Q_EMIT historySetAside(path); }
    void say(const QList<control::OwnLock>& locks) { Q_EMIT ownLocksChanged(session, locks); }
    // The answer to the latest operation.
    void finishLast(const control::OperationResult& result) { Q_EMIT operationFinished(m_lastAsking, lastId, result); }
    void finishLast(const monitor::HolderIdentity& identity) { Q_EMIT holderIdentified(m_lastAsking, lastId, identity); }
    void finishLast(const history::HistoryExcerpt& excerpt) { Q_EMIT historyRead(lastId, excerpt); }
    void finishForgetting(const std::optional<Error>& error) { Q_EMIT historyForgotten(lastId, error); }
    void refuseRelease(const LockName& name, const Error& why) { Q_EMIT releaseRefused(session, name, why); }
    void loseOwnLock(const LockName& name, locks::LossReason why) { Q_EMIT ownLockLost(session, name, why); }
    void ask(const topology::SshQuestion& question) { Q_EMIT sshAsked(session, question); }
    void endQuestion(topology::SshQuestionId question) { Q_EMIT sshQuestionOver(session, question); }
    void finishClosing(SessionId closed) { Q_EMIT sessionClosed(closed); }
    void finishShutDown() { Q_EMIT shutDownFinished(); }

    // The next one that is opened is the first again.
    void forgetSessions() {
        session = SessionId::None;
        m_sessions = 0;
    }

    SessionId session = SessionId::None;  // whom say() is about
    std::vector<profile::ConnectionProfile> connects;
    QList<LockName> lastKnownNames;
    profile::ProfileLabel lastLabel;
    std::vector<redis::AccessMode> demos;
    std::vector<lab::LabOrder> labs;
    std::vector<lab::LabRequest> labRequests;
    std::vector<Closed> closes;
    bool armsWhatConnects = true;  // as tests want it that are about something else
    std::vector<std::chrono::minutes> armings;
    int disarmings = 0;
    std::vector<monitor::DiscoveryState> discoveries;
    int retries = 0;
    std::vector<recording::RecordingRequest> recordings;
    int stoppedRecordings = 0;
    std::vector<control::AcquireRequest> acquires;
    std::vector<control::ReleaseRequest> releases;
    std::vector<control::ForceReleaseRequest> forceReleases;
    std::vector<monitor::HolderSearch> searches;
    std::vector<history::HistoryQuery> historyQueries;
    QStringList forgottenProfiles;
    std::vector<history::Retention> retentions;
    std::vector<OperationId> cancelled;
    std::vector<control::OwnLocksAtExit> shutDowns;
    std::vector<SshAnswered> sshAnswers;
    OperationId lastId{};

private:
    SessionId nextSession() {
        session = SessionId(++m_sessions);
        return session;
    }
    OperationId nextId(SessionId asking) {
        m_lastAsking = asking;
        lastId = OperationId(static_cast<quint64>(lastId) + 1);
        return lastId;
    }

    SessionId m_lastAsking = SessionId::None;
    quint64 m_sessions = 0;
};

}  // namespace lockkeeper::test
