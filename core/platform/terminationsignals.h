// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QObject>

namespace lockkeeper::platform {

// Signals of the system as Qt signals, so that the program can end in order: release its own locks, stop the demo's
// server. A signal that was ignored when the program started, as by nohup(1), stays ignored. One object per program.
// Portable: SIGINT, SIGTERM and SIGHUP only. It checks ten times a second for a signal, and guesses the sender: the
// terminal for SIGINT, a process for the others.
class LOCKKEEPER_EXPORT TerminationSignals : public QObject {
    Q_OBJECT
public:
    // Ctrl+C in a terminal sends the signal to every process in the foreground; kill(1) only to the named one.
    enum class Sender { Terminal, Process };
    // ForCommand: SIGQUIT also ends the program, passedOn(), stopRequested() and continued() are emitted, and SIGPIPE
    // is ignored. ForService: SIGHUP does not end the program, but requests a reload, unless it says
    // that the terminal has ended; SIGPIPE is ignored.
    enum class Taken { Ending, ForCommand, ForService };

    explicit TerminationSignals(Taken taken = Taken::Ending, QObject* parent = nullptr);

    // Whether a signal has come that is not emitted yet: for a loop that keeps the event loop from running.
    [[nodiscard]] static bool arePending();
    // Stops this program until SIGCONT. If SIGCONT has come since stopRequested(), the program does not stop, and
    // continued() follows. Portable: does nothing.
    static void stopProgram();
    // After this call a signal ends the program at once, for a user who does not want to wait for the orderly end.
    void restoreDefaults();

Q_SIGNALS:
    // SIGINT, SIGTERM or SIGHUP, except for a service.
    void received(int signal, lockkeeper::platform::TerminationSignals::Sender sender);
    // SIGHUP of a process, for a service.
    void reloadRequested();
    // SIGUSR1, SIGUSR2 or SIGALRM.
    void passedOn(int signal);
    // SIGTSTP, as by Ctrl+Z: the program does not stop until stopProgram(). If both stopRequested() and continued() are
    // due, only the last one is emitted.
    void stopRequested();
    // SIGCONT: the program was stopped for a while, or was to be stopped.
    void continued();
};

}  // namespace lockkeeper::platform
