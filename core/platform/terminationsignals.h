// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QObject>

namespace lockkeeper::platform {

// SIGINT, SIGTERM and SIGHUP as a Qt signal, so that the program can end in order: release its own locks, stop the
// demo's server. One object per program.
// Portable: checks ten times a second whether a signal has come, and knows its sender by convention only: the terminal
// sends SIGINT, a process the others.
class LOCKKEEPER_EXPORT TerminationSignals : public QObject {
    Q_OBJECT
public:
    // Ctrl+C in a terminal sends the signal to every process in the foreground; kill(1) only to the named one.
    enum class Sender { Terminal, Process };

    explicit TerminationSignals(QObject* parent = nullptr);

    // After this call a signal ends the program at once, for a user who does not want to wait for the orderly end.
    void restoreDefaults();

Q_SIGNALS:
    void received(int signal, lockkeeper::platform::TerminationSignals::Sender sender);
};

}  // namespace lockkeeper::platform
