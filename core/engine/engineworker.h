// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/audit/auditlog.h"
#include "engine/engine.h"
#include "history/historyfile.h"
#include "monitor/monitoroptions.h"
#include "session/opensession.h"

#include <map>
#include <memory>

namespace lockkeeper {

struct SessionTarget;
class SystemClock;

// The part of the engine on its own thread: the clock, the history and the sessions. It
// passes each request to the session that it names, and adds the session to every report.
class EngineWorker : public QObject {
    Q_OBJECT
public:
    // auditFolder: see control::AuditLog.
    EngineWorker(monitor::MonitorOptions monitorOptions, const history::HistoryOptions& historyOptions,
                 const QString& auditFolder);
    ~EngineWorker() override;

    void open(SessionId id, const SessionTarget& target);
    void openLab(SessionId id, const lab::LabOrder& order);
    void close(SessionId id, control::OwnLocksAtExit ownLocks);
    void request(SessionId session, OperationId id, const SessionRequest& request);
    void readHistory(OperationId id, const history::HistoryQuery& query);
    void forgetHistory(OperationId id, const profile::ProfileId& profile);
    void setRetention(const history::Retention& retention);
    void shutDown(control::OwnLocksAtExit ownLocks);

Q_SIGNALS:
    void reported(lockkeeper::SessionId session, const lockkeeper::SessionReport& report);
    void historyFailed(const lockkeeper::Error& error);
    void historySetAside(const QString& path);
    void historyRead(lockkeeper::OperationId operation, const lockkeeper::history::HistoryExcerpt& excerpt);
    void historyForgotten(lockkeeper::OperationId operation, const std::optional<lockkeeper::Error>& error);
    void auditWritten(const lockkeeper::control::WrittenAuditLine& line);
    void shutDownFinished();

private:
    void begin(SessionId id, std::unique_ptr<OpenSession> session);
    void onClosed(SessionId id);

    const monitor::MonitorOptions m_monitorOptions;
    std::unique_ptr<SystemClock> m_clock;
    std::unique_ptr<control::AuditLog> m_audit;
    std::unique_ptr<history::HistoryFile> m_history;  // null if there is no file to keep events in
    std::map<SessionId, std::unique_ptr<OpenSession>> m_sessions;
    bool m_ending = false;
};

}  // namespace lockkeeper
