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
    void close(SessionId closing, control::OwnLocksAtExit ownLocks) override;
    OperationId request(SessionId asking, const SessionRequest& request) override;
    OperationId readHistory(const history::HistoryQuery& query) override;
    OperationId forgetHistory(const profile::ProfileId& profile) override;
    void setRetention(const history::Retention& retention) override;
    void shutDown(control::OwnLocksAtExit ownLocks) override;

    void report(const SessionReport& what);
    void report(const monitor::MonitorBatch& batch);
    void report(const lab::LabUpdate& update);
    void report(const QList<control::OwnLock>& locks);
    // Reports the session as armed without an end.
    void sayArmed();
    void failHistory(const Error& error);
    void setHistoryAside(const QString& path);
    // The answer to the latest operation.
    void finishLast(const control::OperationResult& result);
    void finishLast(const monitor::HolderIdentity& identity);
    void finishLast(const history::HistoryExcerpt& excerpt);
    void finishForgetting(const std::optional<Error>& error);
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
    int checks = 0;
    std::vector<recording::RecordingRequest> recordings;
    int stoppedRecordings = 0;
    std::vector<control::AcquireRequest> acquires;
    std::vector<control::ReleaseRequest> releases;
    std::vector<control::ForceReleaseRequest> forceReleases;
    std::vector<monitor::HolderSearch> searches;
    std::vector<recording::CaptureRequest> captures;
    std::vector<jvm::ProcessSearch> processSearches;
    std::vector<jvm::DumpOrder> dumpOrders;
    std::vector<KeepDumps> keptDumps;
    std::vector<history::HistoryQuery> historyQueries;
    QStringList forgottenProfiles;
    std::vector<history::Retention> retentions;
    std::vector<OperationId> cancelled;
    std::vector<control::OwnLocksAtExit> shutDowns;
    std::vector<SshAnswered> sshAnswers;
    OperationId lastId{};  // of the latest call that has an answer

private:
    struct Note;

    SessionId nextSession();
    OperationId nextId(SessionId asking);

    SessionId m_lastAsking = SessionId::None;
    quint64 m_sessions = 0;
    quint64 m_operations = 0;
};

}  // namespace lockkeeper::test
