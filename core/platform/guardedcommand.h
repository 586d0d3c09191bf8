// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QObject>
#include <QProcessEnvironment>

#include <chrono>
#include <memory>

namespace lockkeeper::platform {

// A command and a guard, which is a process between this program and the command. The guard becomes the parent of all
// that the command starts and leaves behind, so it can end all of it, also when this program is killed. It has a keeper,
// a process around it: if one of the two is killed, the other ends all of it. Without a terminal the command leads a
// process group of its own; with one it stays in this program's, where Ctrl+C reaches it. When this program is killed, the
// guard ends all of it as by end(), but not later than Limit::killOrphansAt.
// Portable: the command without a guard. What it starts is neither waited for nor ended.
// Thread: the one that makes it, which lives as long as the command.
class LOCKKEEPER_EXPORT GuardedCommand : public QObject {
    Q_OBJECT
public:
    // After the command has ended by itself: nothing else, the processes of its session, all that it has started.
    enum class WaitFor { Command, Session, All };

    // The time that the command has, in steadyTime(). At endAt it is ended as by end(), and what is left at killAt gets
    // SIGKILL, also if end() has left it more time. killOrphansAt is the same while this program, or the guard's keeper, is
    // gone: nobody renews then what the command works under.
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
    // Lets the guard end the command, without waiting for it.
    ~GuardedCommand() override;

    void start(const Plan& plan);
    [[nodiscard]] bool isRunning() const;
    // To the command alone.
    void sendSignal(int signal);
    // The signal to all that the command has started, and SIGKILL after the grace to what is left. Nothing is left when
    // finished() comes. A second call sends its signal, too.
    void end(int signal);
    // SIGTERM
    void end();
    // Takes the place of the last one. The guard keeps it also while this program stands still. Portable: not then.
    void setLimit(const Limit& limit);
    // Stops all that the command has started, first by SIGTSTP, and returns when nothing of it runs; at the latest after a
    // second. It stays so until resume(): if somebody else continues the command, the guard stops all of it again.
    // Portable: does nothing, as halt() and resume().
    void suspend();
    // The same by SIGSTOP alone, without waiting.
    void halt();
    void resume();

Q_SIGNALS:
    void failedToStart(lockkeeper::platform::GuardedCommand::StartFailure failure, const QString& why);
    // The command is being ended, because no later limit came in time.
    void limitReached();
    // Nothing runs any more that is waited for. exitCode: the command's, 128 + N if signal N has ended it.
    void finished(int exitCode);

private:
    class Process;
    std::unique_ptr<Process> m_process;
};

// Whether this program was started as a guard. Call it first in main(), after reserveStandardStreams().
[[nodiscard]] LOCKKEEPER_EXPORT bool isGuard(int argc, char* argv[]);
// Returns the exit code of the program.
[[nodiscard]] LOCKKEEPER_EXPORT int runGuard(int argc, char* argv[]);

}  // namespace lockkeeper::platform
