#pragma once

#include "control/operations.h"
#include "history/eventstore.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/analyse/who/holderfinder.h"
#include "profile/connectionprofile.h"

#include <QObject>

namespace lockkeeper {

enum class ConnectionPhase {
    Disconnected,  // nothing was asked for, or the user disconnected
    Connecting,    // first attempt under way
    Connected,
    Reconnecting,  // was connected, is not now; keeps trying by itself. What is on screen is old
    Failed         // the first attempt failed; nothing is being tried
};

// Where the engine stands with its server. Immutable value.
struct ConnectionStatus {
    ConnectionPhase phase = ConnectionPhase::Disconnected;
    QString server;              // "host:port/db", no secrets
    QString serverVersion;       // "7.0.15"; empty when not known
    bool readOnly = false;
    std::optional<Error> error;  // why Failed or Reconnecting
    WallTime lastHeard{};        // Reconnecting: up to when the screen is true

    friend bool operator==(const ConnectionStatus&, const ConnectionStatus&) = default;
};

// The GUI's side of Lockkeeper: takes wishes, hands out immutable values. The one hop between threads is inside its implementation
// (ThreadedEngine); tests play a scripted one. Thread: the GUI's; every signal arrives there; nothing here blocks.
class LOCKKEEPER_MONITOR_EXPORT Engine : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // knownNames: of locks seen there in earlier sessions, newest first; they are looked at before any others.
    virtual void connectTo(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames) = 0;
    // A private server with a fleet of simulated clients, ended with the connection. See lab/.
    virtual void connectToDemo(redis::AccessMode access) = 0;
    virtual void disconnectFromServer() = 0;
    // Of the present connection; the next one begins Running.
    virtual void setDiscovery(monitor::DiscoveryState state) = 0;

    // Operator actions. Each returns the id under which operationFinished() will answer, exactly once.
    virtual OperationId acquire(const control::AcquireRequest& request) = 0;
    virtual OperationId release(const control::ReleaseRequest& request) = 0;
    virtual OperationId forceRelease(const control::ForceReleaseRequest& request) = 0;
    // Runs a MONITOR: only when the user asked for it, and knows its cost. holderIdentified() answers exactly once.
    virtual OperationId identify(const monitor::HolderSearch& search) = 0;
    // What is kept on disk, also of a connection that is over. historyRead() answers exactly once.
    virtual OperationId readHistory(const history::HistoryQuery& query) = 0;
    // For good. connection: as in ConnectionStatus::server. historyForgotten() answers exactly once.
    virtual OperationId forgetHistory(const QString& connection) = 0;
    // How much is kept on disk from now on; what is beyond it goes at once.
    virtual void setRetention(const history::Retention& retention) = 0;
    // An acquire that still waits gives up, and a MONITOR ends; anything else is on its way and finishes by itself.
    virtual void cancel(OperationId operation) = 0;

    // Releases what this console holds, ends every task and thread; shutDownFinished() follows, within a bounded time. The engine
    // is of no further use.
    virtual void shutDown(control::OwnLocksAtExit ownLocks) = 0;

Q_SIGNALS:
    void connectionChanged(const lockkeeper::ConnectionStatus& status);
    // At most 20 a second, nothing when nothing changes.
    void batchReady(const lockkeeper::monitor::MonitorBatch& batch);
    // Once a connection at most, before its first batch: what earlier runs saw there, oldest first; the last one tells
    // for how long nobody has watched since.
    void historyLoaded(const std::vector<lockkeeper::monitor::LockEvent>& events);
    // Events cannot be kept, or not be read; watching goes on without.
    void historyFailed(const lockkeeper::Error& error);
    // The file of events could not be used and lies there now; a new one was begun.
    void historySetAside(const QString& path);
    void historyRead(lockkeeper::OperationId operation, const lockkeeper::history::HistoryExcerpt& excerpt);
    void historyForgotten(lockkeeper::OperationId operation, const std::optional<lockkeeper::Error>& error);
    void operationFinished(lockkeeper::OperationId operation, const lockkeeper::control::OperationResult& result);
    void holderIdentified(lockkeeper::OperationId operation, const lockkeeper::monitor::HolderIdentity& identity);
    // The complete list of locks that this console holds, after each change.
    void ownLocksChanged(const QList<lockkeeper::control::OwnLock>& locks);
    // A lock of this console was taken away, or its lease ran out.
    void ownLockLost(const lockkeeper::LockName& name, const QString& why);
    void shutDownFinished();
};

}  // namespace lockkeeper

Q_DECLARE_METATYPE(lockkeeper::ConnectionStatus)
