// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "history/historyquery.h"
#include "lab/session/labframe.h"
#include "lab/session/laborder.h"
#include "lockkeeper_monitor_export.h"
#include "locks/hold.h"
#include "monitor/analyse/who/holderidentity.h"
#include "monitor/model/monitorbatch.h"
#include "profile/connectionprofile.h"
#include "profile/profilelabel.h"
#include "recording/recordingstatus.h"
#include "session/arming.h"
#include "session/connectionstatus.h"
#include "topology/ssh/sshquestion.h"

#include <QObject>

namespace lockkeeper {

// The GUI's side of Lockkeeper: opens and closes sessions, takes the operator's requests for each, and hands out immutable
// values. A session is one server (or one database of it) that is watched and operated; any number are open at once, and
// none disturbs another. The one hop between threads is inside its implementation (ThreadedEngine); tests play a scripted
// one. Thread: the GUI's; every signal arrives there; nothing here blocks.
class LOCKKEEPER_MONITOR_EXPORT Engine : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // Connects, and keeps trying to reconnect once it was connected. knownNames: of locks seen there in earlier sessions,
    // newest first; they are read before any others. label: of a saved connection, for the audit.
    virtual SessionId open(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames,
                           const profile::ProfileLabel& label = {}) = 0;
    // A private server with a fleet of simulated clients, ended with the session. See lab/.
    virtual SessionId openDemo(redis::AccessMode access) = 0;
    // An experiment on private servers, ended with the session; labChanged() follows. Of the other calls only close(),
    // requestLab(), record() and stopRecording() may name it.
    virtual SessionId openLab(const lab::LabOrder& order) = 0;
    virtual void requestLab(SessionId session, const lab::LabRequest& request) = 0;
    // Disconnects. sessionClosed() follows, within a bounded time. No other call may name the session after this one.
    virtual void close(SessionId session, control::OwnLocksAtExit ownLocks) = 0;
    // Begins Running.
    virtual void setDiscovery(SessionId session, monitor::DiscoveryState state) = 0;
    // The saved connection has another name or environment from now on; the audit has what held at the time of each act.
    virtual void setLabel(SessionId session, const profile::ProfileLabel& label) = 0;
    // While it is Reconnecting: the next attempt begins at once.
    virtual void retryNow(SessionId session) = 0;

    // A session is read-only until it is armed, and again when that time is over, disarm() is called, or the connection
    // that writes is lost. Then new acquires and force-releases fail at once with NotArmed; locks that are held are
    // renewed on, and may be released. Of a session whose profile is ReadOnly nothing changes.
    virtual void arm(SessionId session, std::chrono::minutes time) = 0;
    virtual void disarm(SessionId session) = 0;

    // Operator actions. Each returns the id under which operationFinished() will answer, exactly once; at once and with
    // ConnectionLost when there is no such session.
    virtual OperationId acquire(SessionId session, const control::AcquireRequest& request) = 0;
    virtual OperationId release(SessionId session, const control::ReleaseRequest& request) = 0;
    virtual OperationId forceRelease(SessionId session, const control::ForceReleaseRequest& request) = 0;
    // Runs a MONITOR: only when the user asked for it, and knows its cost. holderIdentified() answers exactly once.
    virtual OperationId identify(SessionId session, const monitor::HolderSearch& search) = 0;
    // An acquire that still waits gives up, and a MONITOR ends; anything else is on its way and finishes by itself.
    virtual void cancel(SessionId session, OperationId operation) = 0;

    // To sshAsked(). Of a question that is over: does nothing.
    virtual void answerSsh(SessionId session, topology::SshQuestionId question, const topology::SshAnswer& answer) = 0;

    // Records what the session sees from now on, until it is closed; of the time before, the file has the present state.
    // recordingChanged() follows. A session has one recording at a time; a second request ends the first. Of a lab session
    // the file has everything from its beginning.
    virtual void record(SessionId session, const recording::RecordingRequest& request) = 0;
    virtual void stopRecording(SessionId session) = 0;

    // The history on disk belongs to all sessions, also to those that are over.
    // historyRead() answers exactly once.
    virtual OperationId readHistory(const history::HistoryQuery& query) = 0;
    // For good. historyForgotten() answers exactly once.
    virtual OperationId forgetHistory(const profile::ProfileId& profile) = 0;
    // How much is kept on disk from now on; what is beyond it goes at once.
    virtual void setRetention(const history::Retention& retention) = 0;

    // Closes every session, then ends every task and thread; shutDownFinished() follows, within a bounded time. The engine is
    // of no further use.
    virtual void shutDown(control::OwnLocksAtExit ownLocks) = 0;

Q_SIGNALS:
    void connectionChanged(lockkeeper::SessionId session, const lockkeeper::ConnectionStatus& status);
    // Each begins as ReadOnly.
    void armingChanged(lockkeeper::SessionId session, const lockkeeper::Arming& arming);
    // At most 20 a second for each session, nothing when nothing changes.
    void batchReady(lockkeeper::SessionId session, const lockkeeper::monitor::SharedBatch& batch);
    // Once a session at most, before its first batch: what earlier runs saw there, oldest first; the last event says for
    // how long nobody has watched since.
    void historyLoaded(lockkeeper::SessionId session, const std::vector<lockkeeper::monitor::LockEvent>& events);
    void operationFinished(lockkeeper::SessionId session, lockkeeper::OperationId operation,
                           const lockkeeper::control::OperationResult& result);
    void holderIdentified(lockkeeper::SessionId session, lockkeeper::OperationId operation,
                          const lockkeeper::monitor::HolderIdentity& identity);
    // The complete list of locks that this session's console holds, after each change.
    void ownLocksChanged(lockkeeper::SessionId session, const QList<lockkeeper::control::OwnLock>& locks);
    // A lock of this session's console was taken away, or its lease ran out.
    void ownLockLost(lockkeeper::SessionId session, const lockkeeper::LockName& name,
                     lockkeeper::locks::LossReason why);
    // The server refuses to release a lock of this session's console, and no operation waits for that any more. The lock
    // may stay until its lease ends.
    void releaseRefused(lockkeeper::SessionId session, const lockkeeper::LockName& name, const lockkeeper::Error& why);
    // ssh wants to know something before the session can connect. The time for an answer is ssh's and the jump host's.
    void sshAsked(lockkeeper::SessionId session, const lockkeeper::topology::SshQuestion& question);
    // Answered, or not of interest any more. Also sessionClosed() ends all questions.
    void sshQuestionOver(lockkeeper::SessionId session, lockkeeper::topology::SshQuestionId question);
    void labChanged(lockkeeper::SessionId session, const lockkeeper::lab::SharedLabUpdate& update);
    void recordingChanged(lockkeeper::SessionId session, const lockkeeper::recording::RecordingStatus& status);
    // Nothing follows about this session.
    void sessionClosed(lockkeeper::SessionId session);

    // Events cannot be kept, or not be read; watching continues without.
    void historyFailed(const lockkeeper::Error& error);
    // The file of events could not be used and lies there now; a new one was begun.
    void historySetAside(const QString& path);
    void historyRead(lockkeeper::OperationId operation, const lockkeeper::history::HistoryExcerpt& excerpt);
    void historyForgotten(lockkeeper::OperationId operation, const std::optional<lockkeeper::Error>& error);
    void shutDownFinished();
};

}  // namespace lockkeeper
