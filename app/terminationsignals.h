#pragma once

#include <QObject>

namespace lockkeeper::app {

// SIGINT, SIGTERM and SIGHUP as a Qt signal, so that the program can end in order: own locks released, the demo's server stopped.
// One object a program.
class TerminationSignals : public QObject {
    Q_OBJECT
public:
    // A terminal's Ctrl+C reaches every process in its foreground; a kill(1) only the one that is named.
    enum class Sender { Terminal, Process };

    explicit TerminationSignals(QObject* parent = nullptr);

    // From now on a signal ends the program at once: for those who lose patience with an orderly end.
    void restoreDefaults();

Q_SIGNALS:
    void received(int signal, lockkeeper::app::TerminationSignals::Sender sender);

private:
    void onReadable();
};

}  // namespace lockkeeper::app
