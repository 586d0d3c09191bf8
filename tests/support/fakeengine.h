// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <vector>

namespace lockkeeper::test {

// An Engine that the test controls. It records the requests, and reports what the test chooses, for the session that
// was opened last unless the test names another.
class FakeEngine final : public Engine {
public:
    FakeEngine();
    ~FakeEngine() override;

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
                   const profile::ProfileLabel& label = {}) override;
    SessionId openDemo(redis::AccessMode access) override;
    SessionId openLab(const lab::LabOrder& order) override;
    void requestLab(SessionId, const lab::LabRequest& request) override;
    void close(SessionId closing, control::OwnLocksAtExit ownLocks) override;
    void setLabel(SessionId, const profile::ProfileLabel& label) override;
    void arm(SessionId, std::chrono::minutes time) override;
    void disarm(SessionId) override;
    void retryNow(SessionId) override;
    void setDiscovery(SessionId, monitor::DiscoveryState state) override;
    OperationId acquire(SessionId asking, const control::AcquireRequest& request) override;
    OperationId release(SessionId asking, const control::ReleaseRequest& request) override;
    OperationId forceRelease(SessionId asking, const control::ForceReleaseRequest& request) override;
    OperationId identify(SessionId asking, const monitor::HolderSearch& search) override;
    void cancel(SessionId, OperationId operation) override;
    void answerSsh(SessionId asking, topology::SshQuestionId question, const topology::SshAnswer& answer) override;
    void record(SessionId, const recording::RecordingRequest& request) override;
    void stopRecording(SessionId) override;
    OperationId readHistory(const history::HistoryQuery& query) override;
    OperationId forgetHistory(const profile::ProfileId& profile) override;
    void setRetention(const history::Retention& retention) override;
    void shutDown(control::OwnLocksAtExit ownLocks) override;

    void report(const ConnectionStatus& status);
    void report(const recording::RecordingStatus& status);
    void report(const Arming& arming);
    // Reports the session as armed without an end.
    void sayArmed();
    void report(const monitor::MonitorBatch& batch);
    void report(const lab::LabUpdate& update);
    void sayHistory(const std::vector<monitor::LockEvent>& events);
    void failHistory(const Error& error);
    void setHistoryAside(const QString& path);
    void report(const QList<control::OwnLock>& locks);
    // The answer to the latest operation.
    void finishLast(const control::OperationResult& result);
    void finishLast(const monitor::HolderIdentity& identity);
    void finishLast(const history::HistoryExcerpt& excerpt);
    void finishForgetting(const std::optional<Error>& error);
    void refuseRelease(const LockName& name, const Error& why);
    void loseOwnLock(const LockName& name, locks::LossReason why);
    void ask(const topology::SshQuestion& question);
    void endQuestion(topology::SshQuestionId question);
    void finishClosing(SessionId closed);
    void finishShutDown();

    SessionId session = SessionId::None;  // the session that report() is about
    std::vector<profile::ConnectionProfile> connects;
    QList<LockName> lastKnownNames;
    profile::ProfileLabel lastLabel;
    std::vector<redis::AccessMode> demos;
    std::vector<lab::LabOrder> labs;
    std::vector<lab::LabRequest> labRequests;
    std::vector<Closed> closes;
    bool armsWhatConnects = true;  // as tests need it that do not test arming
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
    SessionId nextSession();
    OperationId nextId(SessionId asking);

    SessionId m_lastAsking = SessionId::None;
    quint64 m_sessions = 0;
};

}  // namespace lockkeeper::test
