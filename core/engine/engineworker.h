// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/audit/auditlog.h"
#include "engine/engine.h"
#include "history/historyfile.h"
#include "monitor/monitoroptions.h"
#include "session/batchrelay.h"

#include <map>
#include <memory>

namespace lockkeeper {

class RecordedLab;
class Session;
struct SessionTarget;
class SystemClock;

// The part of the engine on its own thread: the clock, the history and the sessions. Each session is a Session. This
// class passes each call to the session that it names, and adds the session to every signal.
class EngineWorker : public QObject {
    Q_OBJECT
public:
    // auditFolder: see control::AuditLog.
    EngineWorker(monitor::MonitorOptions monitorOptions, const history::HistoryOptions& historyOptions,
                 const QString& auditFolder);
    ~EngineWorker() override;

    void open(SessionId id, const SessionTarget& target);
    void openLab(SessionId id, const lab::LabOrder& order);
    void requestLab(SessionId id, const lab::LabRequest& request);
    void close(SessionId id, control::OwnLocksAtExit ownLocks);
    void setLabel(SessionId id, const profile::ProfileLabel& label);
    void arm(SessionId id, Milliseconds time);
    void disarm(SessionId id);
    void setDiscovery(SessionId id, monitor::DiscoveryState state);
    void retryNow(SessionId id);
    void record(SessionId id, const recording::RecordingRequest& request);
    void stopRecording(SessionId id);
    void acquire(SessionId session, OperationId id, const control::AcquireRequest& request);
    void release(SessionId session, OperationId id, const control::ReleaseRequest& request);
    void forceRelease(SessionId session, OperationId id, const control::ForceReleaseRequest& request);
    void identify(SessionId session, OperationId id, const monitor::HolderSearch& search);
    void cancel(SessionId session, OperationId id);
    void answerSsh(SessionId session, topology::SshQuestionId question, const topology::SshAnswer& answer);
    // The GUI has taken a batch, so the session's next batch may be sent.
    void sendWaitingBatch(SessionId id);
    void readHistory(OperationId id, const history::HistoryQuery& query);
    void forgetHistory(OperationId id, const profile::ProfileId& profile);
    void setRetention(const history::Retention& retention);
    void shutDown(control::OwnLocksAtExit ownLocks);

Q_SIGNALS:
    void connectionChanged(lockkeeper::SessionId session, const lockkeeper::ConnectionStatus& status);
    void armingChanged(lockkeeper::SessionId session, const lockkeeper::Arming& arming);
    void batchReady(lockkeeper::SessionId session, const lockkeeper::monitor::SharedBatch& batch,
                    const lockkeeper::BatchRelay::Receipt& receipt);
    void historyLoaded(lockkeeper::SessionId session, const std::vector<lockkeeper::monitor::LockEvent>& events);
    void operationFinished(lockkeeper::SessionId session, lockkeeper::OperationId operation,
                           const lockkeeper::control::OperationResult& result);
    void holderIdentified(lockkeeper::SessionId session, lockkeeper::OperationId operation,
                          const lockkeeper::monitor::HolderIdentity& identity);
    void ownLocksChanged(lockkeeper::SessionId session, const QList<lockkeeper::control::OwnLock>& locks);
    void ownLockLost(lockkeeper::SessionId session, const lockkeeper::LockName& name,
                     lockkeeper::locks::LossReason why);
    void releaseRefused(lockkeeper::SessionId session, const lockkeeper::LockName& name, const lockkeeper::Error& why);
    void sshAsked(lockkeeper::SessionId session, const lockkeeper::topology::SshQuestion& question);
    void sshQuestionOver(lockkeeper::SessionId session, lockkeeper::topology::SshQuestionId question);
    void labChanged(lockkeeper::SessionId session, const lockkeeper::lab::SharedLabUpdate& update);
    void recordingChanged(lockkeeper::SessionId session, const lockkeeper::recording::RecordingStatus& status);
    void sessionClosed(lockkeeper::SessionId session);
    void historyFailed(const lockkeeper::Error& error);
    void historySetAside(const QString& path);
    void historyRead(lockkeeper::OperationId operation, const lockkeeper::history::HistoryExcerpt& excerpt);
    void historyForgotten(lockkeeper::OperationId operation, const std::optional<lockkeeper::Error>& error);
    void shutDownFinished();

private:
    [[nodiscard]] Session* find(SessionId id) const;
    [[nodiscard]] RecordedLab* findLab(SessionId id) const;
    void follow(SessionId id, const Session& session);
    void onClosed(SessionId id);
    void onLabClosed(SessionId id);
    void noteClosed(SessionId id);

    const monitor::MonitorOptions m_monitorOptions;
    std::unique_ptr<SystemClock> m_clock;
    std::unique_ptr<control::AuditLog> m_audit;
    std::unique_ptr<history::HistoryFile> m_history;  // null if there is no file to keep events in
    std::map<SessionId, std::unique_ptr<Session>> m_sessions;
    std::map<SessionId, std::unique_ptr<RecordedLab>> m_labs;
    bool m_ending = false;
};

}  // namespace lockkeeper
