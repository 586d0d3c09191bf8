// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QObject>
#include <QProcessEnvironment>

#include <chrono>
#include <memory>

namespace lockkeeper::platform {

// A command and a guard, which is a process between this program and the command. The guard becomes the parent of all
// processes that the command starts and leaves behind. So it can end all of them, also when this program is killed. The
// guard has a keeper, a process around it: if one of the two is killed, the other one ends all processes. Without a
// terminal the command leads a process group of its own. With a terminal it stays in this program's group, where Ctrl+C
// reaches it. When this program is killed, the guard ends all processes as by end(), but not later than
// Limit::killOrphansAt.
// Portable: the command without a guard. Processes that it starts are neither waited for nor ended.
// Thread: the one that makes it. The thread must live as long as the command.
class LOCKKEEPER_EXPORT GuardedCommand : public QObject {
    Q_OBJECT
public:
    // What to wait for after the command has ended: nothing else, the processes of its session, all processes that it
    // has started.
    enum class WaitFor { Command, Session, All };

    // The times that limit the command, in steadyTime(). At endAt it is ended as by end(). At killAt the remaining
    // processes get SIGKILL, even if the grace of end() is not over. While this program, or the guard's keeper, is
    // gone, killOrphansAt applies as killAt does, because nobody then renews the lock that the command works under.
    struct Limit {
        std::chrono::steady_clock::time_point endAt = std::chrono::steady_clock::time_point::max();
        std::chrono::steady_clock::time_point killAt = std::chrono::steady_clock::time_point::max();
        std::chrono::steady_clock::time_point killOrphansAt = std::chrono::steady_clock::time_point::max();
    };

    struct Plan {
        QStringList command;  // the program and its arguments
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        WaitFor waitFor = WaitFor::Session;
        std::chrono::milliseconds grace{5000};  // between the signal of end() and SIGKILL
        Limit limit;
    };

    enum class StartFailure { NotFound, NotExecutable };

    GuardedCommand();
    // Makes the guard end the command, without waiting for it.
    ~GuardedCommand() override;

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

// Whether this program was started as a guard. Call it first in main(), after reserveStandardStreams().
[[nodiscard]] LOCKKEEPER_EXPORT bool isGuard(int argc, char* argv[]);
// Runs the guard, and returns the exit code of the program.
[[nodiscard]] LOCKKEEPER_EXPORT int runGuard(int argc, char* argv[]);

}  // namespace lockkeeper::platform
