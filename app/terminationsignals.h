// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

namespace lockkeeper::app {

// SIGINT, SIGTERM and SIGHUP as a Qt signal, so that the program can end in order: release its own locks, stop the
// demo's server. One object per program.
class TerminationSignals : public QObject {
    Q_OBJECT
public:
    // Ctrl+C in a terminal sends the signal to every process in the foreground; kill(1) only to the named one.
    enum class Sender { Terminal, Process };

    explicit TerminationSignals(QObject* parent = nullptr);

    // After this call a signal ends the program at once, for a user who does not want to wait for the orderly end.
    void restoreDefaults();

Q_SIGNALS:
    void received(int signal, lockkeeper::app::TerminationSignals::Sender sender);

private:
    void onReadable();
};

}  // namespace lockkeeper::app
