// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"
#include "platform/commandlimit.h"

#include <QObject>
#include <QProcessEnvironment>

#include <chrono>
#include <memory>

namespace lockkeeper::platform {

// A command and a guard, which is a process of the program lockkeeper-guard between this program and the command. The
// guard becomes the parent of all processes that the command starts and leaves behind. So it can end all of them, also
// when this program is killed. The guard has a keeper, a process around it: if one of the two is killed, the other one
// ends all processes. Without a terminal the command leads a process group of its own. With a terminal it stays in this
// program's group, where Ctrl+C reaches it. When this program is killed, the guard ends all processes as by end(), but
// not later than Limit::killOrphansAt. Portable: the command without a guard. Processes that it starts are neither
// waited for nor ended. Thread: the one that makes it. The thread must live as long as the command.
class LOCKKEEPER_EXPORT GuardedCommand : public QObject {
    Q_OBJECT
public:
    using WaitFor = platform::WaitFor;
    using Limit = CommandLimit;

    struct Plan {
        QStringList command;  // the program and its arguments
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        WaitFor waitFor = WaitFor::Session;
        std::chrono::milliseconds grace{5000};  // between the signal of end() and SIGKILL
        Limit limit;
    };

    enum class StartFailure { NotFound, NotExecutable };

    // guard: the path of the program lockkeeper-guard. The file is opened here, so that a program that waits for its
    // lock while a newer version is installed still starts the guard of its own version. Portable: not used.
    explicit GuardedCommand(const QString& guard);
    // Makes the guard end the command, without waiting for it.
    ~GuardedCommand() override;

    // Why the guard cannot be started, so that nobody takes a lock for a command that will not run. Empty: it can.
    [[nodiscard]] QString whyNotStartable() const;
    void start(const Plan& plan);
    [[nodiscard]] bool isRunning() const;
    // Sends the signal to the command alone.
    void sendSignal(int signal);
    // Sends the signal to all processes that the command has started, and after the grace SIGKILL to those that remain.
    // None is left when finished() is emitted. A second call sends its signal, too.
    void end(int signal);
    // As above, by SIGTERM.
    void end();
    // Replaces the last limit. The guard applies it even while this program is suspended; the portable version does
    // not.
    void setLimit(const Limit& limit);
    // Stops all processes that the command has started, first by SIGTSTP, and returns when none of them runs, at the
    // latest after a second. They stay stopped until resume(): if another process continues the command, the guard
    // stops them again.
    // Portable: suspend(), halt() and resume() do nothing.
    void suspend();
    // As suspend(), by SIGSTOP alone and without waiting.
    void halt();
    void resume();

Q_SIGNALS:
    void failedToStart(lockkeeper::platform::GuardedCommand::StartFailure failure, const QString& why);
    // The command is being ended, because no later limit was set in time.
    void limitReached();
    // No process that is waited for runs any more. exitCode: the command's, or 128 + N if signal N has ended it.
    void finished(int exitCode);

private:
    class Process;
    std::unique_ptr<Process> m_process;
};

}  // namespace lockkeeper::platform
