#pragma once

#include "app/arguments.h"
#include "engine/engine.h"
#include "monitor/aliasof.h"

#include <QObject>
#include <QTimer>

#include <map>

namespace lockkeeper::app {

// Exit codes, as resources/manual/command-line.md promises them.
enum class ExitCode { Done = 0, Usage = 2, NoConnection = 3 };

// `list` and `watch`: the engine without a window, for a terminal or a script. Thread: the engine's own side, as a window's.
class Headless : public QObject {
    Q_OBJECT
public:
    // aliasOf: for the lines of JSON.
    Headless(Engine& engine, Arguments arguments, monitor::AliasOf aliasOf, QObject* parent = nullptr);

    void start();
    // From the outside: a signal, or the end of --for.
    void finish(ExitCode code);

Q_SIGNALS:
    void finished(int exitCode);

private:
    void onConnectionChanged(const ConnectionStatus& status);
    void onBatch(const monitor::MonitorBatch& batch);
    void tellOfWatching(const monitor::MonitorStats& stats);
    void tellOfSynchronizers(const monitor::SynchronizerLook& look);
    void tellOfLitter(const monitor::MonitorStats& stats, WallTime at);
    void keepForList(const monitor::MonitorBatch& batch);
    void printList();
    void print(const monitor::LockEvent& event);
    void printLine(const QByteArray& line);

    Engine& m_engine;
    const Arguments m_arguments;
    const monitor::AliasOf m_aliasOf;
    QTimer m_end;
    monitor::MonitorStats m_told;  // watch: what the last lines about the source and the sweep said
    monitor::SynchronizerLook m_synchronizers;  // watch: as the last lines about them said
    std::map<QByteArray, monitor::LockEvent> m_found;  // list: by name, as it is printed
    ExitCode m_exitCode = ExitCode::Done;
    bool m_finishing = false;
};

}  // namespace lockkeeper::app
