// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/exitcode.h"
#include "async/completion.h"
#include "async/taskscope.h"
#include "base/systemclock.h"
#include "locks/lockclient.h"
#include "platform/guardedcommand.h"
#include "platform/terminationsignals.h"
#include "topology/route.h"

#include <QObject>

namespace lockkeeper::app {

// Which user's connections a command opens, where the profile names two.
enum class ConnectAs { WritingUser, WatchingUser };

// A command of this program that connects with a LockClient, and may run a command of the user under a guard. Ends
// with the exit code of the user's command, or one of ExitCode.
class ServerCommand : public QObject {
    Q_OBJECT
public:
    ~ServerCommand() override;

    void start();
    // While waiting for the server: gives up. While the command runs: ends it and all that it has started.
    void onSignal(int signal, platform::TerminationSignals::Sender sender);
    // Passes the signal to the command, if it runs.
    void passOn(int signal);
    // Stops the command, and then this program, unless it was continued meanwhile.
    void onStopRequested();
    // This program was stopped for a while: what it holds may be another's now. The command stays stopped until that is
    // read.
    void onContinued();

Q_SIGNALS:
    void finished(int exitCode);

protected:
    ServerCommand(Arguments arguments, const QByteArray& clientName, QObject* parent,
                  ConnectAs user = ConnectAs::WritingUser);

    // Waits until the server of the lock is connected, or cannot be.
    virtual Task<Result<Done>> connect();
    // What the command does when connected. Sets m_exitCode.
    virtual Task<void> work() = 0;
    // Ends all tasks. Derived classes call it in their destructors.
    void endTasks();
    // Why the server has not executed the request: which node of several, and what to do about it.
    [[nodiscard]] QString failureWords(const Error& error) const;
    [[nodiscard]] static QString secondsText(Milliseconds time);
    void setExitCode(ExitCode code) { m_exitCode = static_cast<int>(code); }

    // What is held is lost: ends the command, if it is to be ended, and complains. Once.
    void onLost(const QString& why);
    // How long a release is tried: until what is held ends by itself, or until a signal comes. After a signal: at
    // most for the grace.
    struct Patience {
        Deadline end;
        std::stop_token stop;
        [[nodiscard]] bool isOver() const { return end.hasPassed() || stop.stop_requested(); }
    };
    [[nodiscard]] Patience patienceUntil(Deadline end);
    // Whether the server has certainly not executed the release that failed so.
    [[nodiscard]] static bool wasNotDone(const Error& failure);
    // Waits until the release that failed so can be sent again. False: it cannot.
    [[nodiscard]] Task<bool> whenReadyAgain(LockName name, Error failure, Patience patience);
    // For commands that hold something:

    // Prints what is lost.
    virtual void complainOfLoss(const QString& why) const { Q_UNUSED(why) }
    // Reads whether the command's lock or permit is still held. Calls onLost() if it is not.
    virtual Task<Result<Done>> readHold() { return endedTask<Result<Done>>(Done()); }
    // When the hold ends by this computer's clock, if nothing prolongs it.
    [[nodiscard]] virtual SteadyTime heldUntil() const { return SteadyTime(); }
    [[nodiscard]] bool endsOnLoss() const { return m_arguments.onLost == Arguments::OnLost::Kill; }
    [[nodiscard]] platform::GuardedCommand::Plan plan() const;
    // What ends the command before its lease ends: a grace before, which is at most a third of the lease. With
    // --on-lost warn the command is ended only if this program is gone.
    [[nodiscard]] platform::GuardedCommand::Limit limitOf(SteadyTime leaseEnd, Milliseconds lease) const;

    const Arguments m_arguments;
    SystemClock m_clock;
    topology::Route m_route;
    locks::LockClient m_client;
    platform::GuardedCommand m_command;
    std::stop_source m_waiting;  // stops every wait for the server
    Completion<int> m_commandEnded;
    std::optional<int> m_exitCode;  // nothing: not decided
    bool m_isLost = false;          // while the command ran
    TaskScope m_scope;

private:
    Task<void> run();
    void complainOfCommand(const QString& why) const;
    // The name on the server.
    [[nodiscard]] LockName key() const;
    void complainOfOneNode();
    Task<Result<Done>> openTunnel();
    Task<void> closeTunnel();
    Task<void> resume();

    quint64 m_stops = 0;  // stops and continuations of this program so far
};

}  // namespace lockkeeper::app
