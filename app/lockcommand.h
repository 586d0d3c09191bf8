// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/arguments.h"
#include "app/exitcode.h"
#include "async/completion.h"
#include "async/taskscope.h"
#include "base/systemclock.h"
#include "locks/kinds/lock.h"
#include "locks/lockclient.h"
#include "platform/guardedcommand.h"
#include "platform/terminationsignals.h"
#include "topology/route.h"

#include <QObject>

namespace lockkeeper::app {

// `lockkeeper lock`: holds a lock while a command runs, as flock(1) does. Ends with the command's exit code, or one of
// ExitCode.
class LockCommand : public QObject {
    Q_OBJECT
public:
    explicit LockCommand(Arguments arguments, QObject* parent = nullptr);
    ~LockCommand() override;

    void start();
    // While waiting for the lock: gives up. While the command runs: ends it and all that it has started.
    void onSignal(int signal, platform::TerminationSignals::Sender sender);
    // To the command, if it runs.
    void passOn(int signal);
    // This program was stopped for a while, and its lock may be another's now.
    void onContinued();

Q_SIGNALS:
    void finished(int exitCode);

private:
    Task<void> run();
    Task<Result<Done>> connect();
    Task<Result<Done>> openTunnel();
    Task<void> closeTunnel();
    Task<bool> takeLock();
    Task<int> runCommand();
    Task<bool> giveBack();
    Task<void> leaveNothing();
    Task<void> checkHold();
    [[nodiscard]] platform::GuardedCommand::Plan plan() const;
    [[nodiscard]] Milliseconds grace() const;
    [[nodiscard]] bool endsOnLoss() const { return m_arguments.onLost == Arguments::OnLost::Kill; }
    void endBeforeLeaseEnds();
    void onLost(const QString& why);
    void complainOfWhatMayBeLeft();

    const Arguments m_arguments;
    SystemClock m_clock;
    topology::Route m_route;
    locks::LockClient m_client;
    const locks::Lock m_lock;
    platform::GuardedCommand m_command;
    std::stop_source m_waiting;  // stops every wait for the server
    Completion<int> m_commandEnded;
    QString m_token;  // of a fenced lock
    Clock::TimerId m_leaseTimer = Clock::TimerId::None;
    bool m_isLost = false;
    int m_exitCode = 0;
    TaskScope m_scope;
};

}  // namespace lockkeeper::app
