// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "history/historyquery.h"
#include "lab/run/labframe.h"
#include "lab/run/laborder.h"
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
    // Opens an experiment on private servers, which end with the session. labChanged() follows. Of the other calls only
    // close(), requestLab(), record() and stopRecording() may name this session.
    virtual SessionId openLab(const lab::LabOrder& order) = 0;
    virtual void requestLab(SessionId session, const lab::LabRequest& request) = 0;
    // Disconnects. sessionClosed() follows, within a bounded time. No other call may name the session after this one.
    virtual void close(SessionId session, control::OwnLocksAtExit ownLocks) = 0;
    // The state is Running at first.
    virtual void setDiscovery(SessionId session, monitor::DiscoveryState state) = 0;
    // The saved connection has another name or environment from now on. Each line of the audit has the label at the
    // time of the act.
    virtual void setLabel(SessionId session, const profile::ProfileLabel& label) = 0;
    // While the session is Reconnecting: begins the next attempt at once.
    virtual void retryNow(SessionId session) = 0;

    // A session is read-only until it is armed. It is read-only again when the time is over, after disarm(), or when
    // the connection that writes is lost. New acquires and force-releases then fail at once with NotArmed; held locks
    // are still renewed, and may be released. A session whose profile is ReadOnly does not change.
    virtual void arm(SessionId session, std::chrono::minutes time) = 0;
    virtual void disarm(SessionId session) = 0;

    // Actions of the operator. Each returns an id. operationFinished() answers each id exactly once; at once with
    // ConnectionLost if there is no such session.
    virtual OperationId acquire(SessionId session, const control::AcquireRequest& request) = 0;
    virtual OperationId release(SessionId session, const control::ReleaseRequest& request) = 0;
    virtual OperationId forceRelease(SessionId session, const control::ForceReleaseRequest& request) = 0;
    // Runs a MONITOR. Call it only when the user asks for it and knows its cost. holderIdentified() answers exactly
    // once.
    virtual OperationId identify(SessionId session, const monitor::HolderSearch& search) = 0;
    // Ends an acquire that still waits, or a MONITOR. Any other operation has been sent already and finishes normally.
    virtual void cancel(SessionId session, OperationId operation) = 0;

    // The answer to a question of sshAsked(). Does nothing if the question is over.
    virtual void answerSsh(SessionId session, topology::SshQuestionId question, const topology::SshAnswer& answer) = 0;

    // Records what the session sees from now on until it is closed. Of the time before, the file has only the state at
    // the beginning; for a lab session it has everything from its beginning. recordingChanged() follows. A session has
    // one recording at a time; a second request ends the first recording.
    virtual void record(SessionId session, const recording::RecordingRequest& request) = 0;
    virtual void stopRecording(SessionId session) = 0;

    // The history on disk belongs to all sessions, including closed ones.
    // historyRead() answers exactly once.
    virtual OperationId readHistory(const history::HistoryQuery& query) = 0;
    // Deletes the history permanently. historyForgotten() answers exactly once.
    virtual OperationId forgetHistory(const profile::ProfileId& profile) = 0;
    // How much is kept on disk from now on; events beyond it are deleted at once.
    virtual void setRetention(const history::Retention& retention) = 0;

    // Closes every session, then ends every task and thread. shutDownFinished() follows within a bounded time. The
    // engine cannot be used afterwards.
    virtual void shutDown(control::OwnLocksAtExit ownLocks) = 0;

Q_SIGNALS:
    void connectionChanged(lockkeeper::SessionId session, const lockkeeper::ConnectionStatus& status);
    // Each session is ReadOnly at first.
    void armingChanged(lockkeeper::SessionId session, const lockkeeper::Arming& arming);
    // At most 20 a second for each session, and none without a change.
    void batchReady(lockkeeper::SessionId session, const lockkeeper::monitor::SharedBatch& batch);
    // At most once a session, before its first batch: what earlier runs saw on the server, oldest first. The last event
    // reports for how long the server was not watched.
    void historyLoaded(lockkeeper::SessionId session, const std::vector<lockkeeper::monitor::LockEvent>& events);
    void operationFinished(lockkeeper::SessionId session, lockkeeper::OperationId operation,
                           const lockkeeper::control::OperationResult& result);
    void holderIdentified(lockkeeper::SessionId session, lockkeeper::OperationId operation,
                          const lockkeeper::monitor::HolderIdentity& identity);
    // The complete list of locks that this session's console holds, after each change.
    void ownLocksChanged(lockkeeper::SessionId session, const QList<lockkeeper::control::OwnLock>& locks);
    // A lock of this session's console was taken away, or its lease expired.
    void ownLockLost(lockkeeper::SessionId session, const lockkeeper::LockName& name,
                     lockkeeper::locks::LossReason why);
    // The server refuses to release a lock of this session's console, and no operation waits for the release any more.
    // The lock may stay until its lease expires.
    void releaseRefused(lockkeeper::SessionId session, const lockkeeper::LockName& name, const lockkeeper::Error& why);
    // ssh asks a question before the session can connect. ssh and the jump host limit the time for an answer.
    void sshAsked(lockkeeper::SessionId session, const lockkeeper::topology::SshQuestion& question);
    // The question was answered, or needs no answer any more. sessionClosed() also ends all questions.
    void sshQuestionOver(lockkeeper::SessionId session, lockkeeper::topology::SshQuestionId question);
    void labChanged(lockkeeper::SessionId session, const lockkeeper::lab::SharedLabUpdate& update);
    void recordingChanged(lockkeeper::SessionId session, const lockkeeper::recording::RecordingStatus& status);
    // No other signal follows about this session.
    void sessionClosed(lockkeeper::SessionId session);

    // Events cannot be stored or read; watching continues.
    void historyFailed(const lockkeeper::Error& error);
    // The file of events could not be used and was renamed to this path; a new one was begun.
    void historySetAside(const QString& path);
    void historyRead(lockkeeper::OperationId operation, const lockkeeper::history::HistoryExcerpt& excerpt);
    void historyForgotten(lockkeeper::OperationId operation, const std::optional<lockkeeper::Error>& error);
    void shutDownFinished();
};

}  // namespace lockkeeper
