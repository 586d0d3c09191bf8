// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "history/historyfile.h"
#include "monitor/monitoroptions.h"

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
    // a topology::SshQuestion. Without it ssh asks at the terminal.
    void setAskpass(const QString& program) { m_askpass = program; }
    // Call before open(): records that session from its beginning.
    void recordNext(const recording::RecordingRequest& request) { m_recordNext = request; }

    SessionId open(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames,
                   const profile::ProfileLabel& label = {}) override;
    SessionId openDemo(redis::AccessMode access) override;
    SessionId openLab(const lab::LabOrder& order) override;
    void close(SessionId session, control::OwnLocksAtExit ownLocks) override;
    OperationId request(SessionId session, const SessionRequest& request) override;
    OperationId readHistory(const history::HistoryQuery& query) override;
    OperationId forgetHistory(const profile::ProfileId& profile) override;
    void setRetention(const history::Retention& retention) override;
    void shutDown(control::OwnLocksAtExit ownLocks) override;

private:
    template <typename Call>
    void post(Call call);
    // call: (worker, id). The answer has this id.
    template <typename Call>
    OperationId postAsking(Call call);
    SessionId openTarget(SessionTarget target);
    void pass(SessionId session, const SessionReport& report);

    QThread m_thread;
    EngineWorker* m_worker;  // lives on m_thread and is deleted there
    QString m_askpass;
    std::optional<recording::RecordingRequest> m_recordNext;
    quint64 m_lastSession = 0;
    quint64 m_lastOperation = 0;
};

}  // namespace lockkeeper
