// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "async/completion.h"
#include "async/taskscope.h"
#include "base/systemclock.h"
#include "locks/kinds/lock.h"
#include "locks/lockclient.h"
#include "platform/terminationsignals.h"
#include "topology/route.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

namespace lockkeeper::app {

// `lockkeeper lock`: holds a lock while a command runs, as flock(1) does. Exit codes: that of the command (128 + N if
// signal N ended it), 75 if the lock was not obtained in time, 3 without a connection, 126 and 127 if the command
// cannot be started.
class LockCommand : public QObject {
    Q_OBJECT
public:
    explicit LockCommand(Arguments arguments, QObject* parent = nullptr);
    ~LockCommand() override;

    void start();
    // While waiting for the lock: exits. While the command runs: forwards the signal, and exits when the command ends.
    void onSignal(int signal, platform::TerminationSignals::Sender sender);

Q_SIGNALS:
    void finished(int exitCode);

private:
    Task<void> run();
    Task<Result<Done>> connect();
    Task<Result<Done>> openTunnel();
    Task<void> closeTunnel();
    Task<bool> takeLock();
    Task<int> runCommand();
    void startCommand();
    void passOnToken(locks::FencingToken token);
    void onLost(locks::LossReason why);

    const Arguments m_arguments;
    SystemClock m_clock;
    topology::Route m_route;
    locks::LockClient m_client;
    const locks::Lock m_lock;
    QProcess m_command;
    QTimer m_killTimer;
    std::stop_source m_waiting;  // stops the wait for the connection and the lock
    Completion<int> m_commandEnded;
    int m_exitCode = 0;
    TaskScope m_scope;
};

}  // namespace lockkeeper::app
