// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/audit/auditfile.h"
#include "engine/filethread.h"
#include "history/historyquery.h"
#include "lockkeeper_monitor_export.h"
#include "profile/connectionprofile.h"
#include "session/sessionreport.h"

#include <QObject>

namespace lockkeeper {

// The GUI's interface to Lockkeeper: opens and closes sessions, takes the operator's requests for each of them, and
// reports immutable values. A session is one server (or one database of it) that is watched and operated. Any number
// can be open at once, and none disturbs another. Only its implementation (ThreadedEngine) crosses threads; tests use a
// scripted one. Thread: the GUI's. Every signal arrives there, and nothing here blocks.
class LOCKKEEPER_MONITOR_EXPORT Engine : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // Connects, and tries to reconnect after a loss. knownNames: names of locks seen there in earlier sessions, newest
    // first; they are read before all others. label: of a saved connection, for the audit.
    virtual SessionId open(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames,
                           const profile::ProfileLabel& label = {}) = 0;
    // Opens a private server with a fleet of simulated clients, which end with the session. See lab/.
    virtual SessionId openDemo(redis::AccessMode access) = 0;
    // Opens an experiment on private servers, which end with the session. It executes LabRequests, and what is about a
    // recording.
    virtual SessionId openLab(const lab::LabOrder& order) = 0;
    // Disconnects. SessionClosed follows, within a bounded time. No other call may name the session after this one.
    virtual void close(SessionId session, control::OwnLocksAtExit ownLocks) = 0;
    // What the session is to do, and the id of it, which its answer names. If there is no such session, an operation
    // and a search are answered with ConnectionLost, and everything else does nothing.
    virtual OperationId request(SessionId session, const SessionRequest& request) = 0;
    // Calls the slot with the session and the report for each later report of this type.
    template <typename Report, typename Receiver, typename Slot>
    void onReport(Receiver* receiver, Slot slot) const {
        connect(this, &Engine::reported, receiver, [receiver, slot](SessionId session, const SessionReport& report) {
            passReport<Report>(report, receiver, slot, session);
        });
    }

    // The history on disk belongs to all sessions, including closed ones.
    // historyRead() answers exactly once.
    virtual OperationId readHistory(const history::HistoryQuery& query) = 0;
    // Deletes the history permanently. historyForgotten() answers exactly once.
    virtual OperationId forgetHistory(const profile::ProfileId& profile) = 0;
    // How much is kept on disk from now on; events beyond it are deleted at once.
    virtual void setRetention(const history::Retention& retention) = 0;

    // Where what is slow is done with files; it ends with the engine.
    [[nodiscard]] FileThread& files() noexcept { return m_sharedFiles ? *m_sharedFiles : m_files; }
    // Uses that one in place of its own. It outlives the engine, so that the end of this engine waits for no work.
    void shareFiles(FileThread& files) noexcept { m_sharedFiles = &files; }

    // Closes every session, then ends every task and thread. shutDownFinished() follows within a bounded time. The
    // engine cannot be used afterwards.
    virtual void shutDown(control::OwnLocksAtExit ownLocks) = 0;

Q_SIGNALS:
    void reported(lockkeeper::SessionId session, const lockkeeper::SessionReport& report);

    // Events cannot be stored or read; watching continues.
    void historyFailed(const lockkeeper::Error& error);
    // The file of events could not be used and was renamed to this path; a new one was begun.
    void historySetAside(const QString& path);
    void historyRead(lockkeeper::OperationId operation, const lockkeeper::history::HistoryExcerpt& excerpt);
    void historyForgotten(lockkeeper::OperationId operation, const std::optional<lockkeeper::Error>& error);
    // A line was written into the audit, of any session of this program.
    void auditWritten(const lockkeeper::control::WrittenAuditLine& line);
    void shutDownFinished();

private:
    FileThread m_files;
    FileThread* m_sharedFiles = nullptr;
};

}  // namespace lockkeeper
