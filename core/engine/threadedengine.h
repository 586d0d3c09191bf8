// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "history/historyfile.h"
#include "monitor/monitoroptions.h"
#include "session/batchrelay.h"

#include <QThread>

namespace lockkeeper {

class EngineWorker;
struct SessionTarget;

// The real Engine: all sessions run on one thread of its own, so that a busy GUI never costs a lease. Calls are passed
// as queued events, and values come back as queued signals. The threads share only immutable values, so there are no
// mutexes.
class LOCKKEEPER_MONITOR_EXPORT ThreadedEngine : public Engine {
    Q_OBJECT
public:
    // historyOptions: where events are kept; by default nowhere. auditFolder: where force-releases are recorded;
    // without it they are refused, except those of the demo.
    explicit ThreadedEngine(const monitor::MonitorOptions& options = monitor::MonitorOptions(),
                            const history::HistoryOptions& historyOptions = history::HistoryOptions(),
                            const QString& auditFolder = QString(), QObject* parent = nullptr);
    // Without a shutDown() before, ends everything at once; own locks are left to expire.
    ~ThreadedEngine() override;

    // Call before open(): the program that ssh runs to ask, see topology::AskpassClient. Its questions become
    // sshAsked(). Without it ssh asks at the terminal.
    void setAskpass(const QString& program) { m_askpass = program; }
    // Call before open(): records that session from its beginning.
    void recordNext(const recording::RecordingRequest& request) { m_recordNext = request; }

    SessionId open(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames,
                   const profile::ProfileLabel& label = {}) override;
    SessionId openDemo(redis::AccessMode access) override;
    SessionId openLab(const lab::LabOrder& order) override;
    void requestLab(SessionId session, const lab::LabRequest& request) override;
    void close(SessionId session, control::OwnLocksAtExit ownLocks) override;
    void setLabel(SessionId session, const profile::ProfileLabel& label) override;
    void arm(SessionId session, std::chrono::minutes time) override;
    void disarm(SessionId session) override;
    void setDiscovery(SessionId session, monitor::DiscoveryState state) override;
    void retryNow(SessionId session) override;
    void record(SessionId session, const recording::RecordingRequest& request) override;
    void stopRecording(SessionId session) override;
    OperationId acquire(SessionId session, const control::AcquireRequest& request) override;
    OperationId release(SessionId session, const control::ReleaseRequest& request) override;
    OperationId forceRelease(SessionId session, const control::ForceReleaseRequest& request) override;
    OperationId identify(SessionId session, const monitor::HolderSearch& search) override;
    void cancel(SessionId session, OperationId operation) override;
    void answerSsh(SessionId session, topology::SshQuestionId question, const topology::SshAnswer& answer) override;
    OperationId readHistory(const history::HistoryQuery& query) override;
    OperationId forgetHistory(const profile::ProfileId& profile) override;
    void setRetention(const history::Retention& retention) override;
    void shutDown(control::OwnLocksAtExit ownLocks) override;

private:
    template <typename Call>
    void post(Call call);
    // call: (worker, id). The answer has this id.
    template <typename Call>
    OperationId request(Call call);
    SessionId openTarget(SessionTarget target);
    void onBatch(SessionId session, const monitor::SharedBatch& batch, const BatchRelay::Receipt& receipt);

    QThread m_thread;
    EngineWorker* m_worker;  // lives on m_thread and is deleted there
    QString m_askpass;
    std::optional<recording::RecordingRequest> m_recordNext;
    quint64 m_lastSession = 0;
    quint64 m_lastOperation = 0;
};

}  // namespace lockkeeper
