#pragma once

#include <QObject>

namespace lockkeeper::app {

// SIGINT, SIGTERM and SIGHUP as a Qt signal, so that the program can end in order: own locks released, the demo's server stopped.
// A second one ends it at once. One object a program.
class TerminationSignals : public QObject {
    Q_OBJECT
public:
    explicit TerminationSignals(QObject* parent = nullptr);

Q_SIGNALS:
    void received();

private:
    void onReadable();
};

}  // namespace lockkeeper::app
