// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/exitcode.h"
#include "app/tools/watchprinter.h"
#include "engine/engine.h"
#include "jvm/threaddump.h"

#include <QObject>
#include <QTimer>

#include <map>

namespace lockkeeper::app {

class DumpTaker;

// `list` and `watch`: uses the engine without a window, for a terminal or a script. Thread: the one that the Engine
// belongs to, as for the window.
class Headless : public QObject {
    Q_OBJECT
public:
    // aliasOf: used in the JSON lines.
    Headless(Engine& engine, Arguments arguments, monitor::AliasOf aliasOf, QObject* parent = nullptr);

    // Mode threads: the dumps of one file, not empty. Before start().
    void setDumps(std::vector<jvm::ThreadDump> dumps);
    void start();
    // Called from outside: after a signal, or at the end of --for.
    void finish(ExitCode code);

Q_SIGNALS:
    void finished(int exitCode);

private:
    void onConnectionChanged(const ConnectionStatus& status);
    // Prints a loss once for each reason, until the next connection.
    void complainOnce(const QString& loss);
    // Prints the advice once for each master.
    void tellOfReplica(const ConnectionStatus& status);
    void onBatch(const monitor::MonitorBatch& batch);
    void onRecordingChanged(const recording::RecordingStatus& status);
    void keepForList(const monitor::MonitorBatch& batch);
    // Ends the list when its second sweep has ended, and no lock needs another read.
    void endListIfWhole(const monitor::LockEvent& swept);
    void endList();
    // Whether a lock that is free and waited for has no diagnosis yet. A later read may show one.
    [[nodiscard]] bool isListUnclear() const;
    // Prints what is not shown of a Cluster. True if there is anything.
    bool complainOfGaps();
    [[nodiscard]] std::vector<ListedClient> listedClients() const;
    // Of each client, also of those that are not watched: by its id.
    [[nodiscard]] std::map<QByteArray, QList<LockName>> locksOfClients() const;
    void complainOfLeftOut() const;
    void takeDump(SessionId session);
    // False if it could not be written, and the program is ending.
    bool printList();
    void printDiagnoses(const monitor::LockRow& row);
    // False as printList().
    bool printThreads();
    // Whether it ends by itself once all locks were read.
    [[nodiscard]] bool isList() const;
    bool flush();
    // Whether the program is to end. Read while an output that nobody reads keeps the event loop from running.
    [[nodiscard]] bool isToEnd() const;

    Engine& m_engine;
    const Arguments m_arguments;
    WatchPrinter m_printer;
    std::vector<jvm::ThreadDump> m_dumps;  // threads
    jvm::DumpClock m_dumpClock;            // of them
    DumpTaker* m_taker = nullptr;          // threads: null if there is nothing to take, or it was taken
    QTimer m_end;
    monitor::MonitorStats m_stats;                          // list: the last statistics
    std::map<QByteArray, monitor::SharedRow> m_found;       // list: by name, in the order of printing
    std::map<QByteArray, monitor::SharedClient> m_clients;  // list: by id
    monitor::MonitorBatch m_synchronizers;                  // list: the last ones, and nothing else
    WallTime m_listedAt{};                                  // list: time of the last batch
    int m_sweeps = 0;                                       // list: those that have ended
    bool m_areSwept = false;                                // list: all nodes
    QTimer m_patience;                                      // list: until the last read that it waits for
    std::optional<QString> m_toldMaster;  // the master of the replica that is watched, once it was printed
    QStringList m_toldLosses;             // the losses that were printed since the last connection
    bool m_sweptAgain = false;            // list: one more sweep has been waited for
    bool m_toldOfCluster = false;         // it was printed that the server is one node of a Cluster
    ExitCode m_exitCode = ExitCode::Done;
    bool m_isListReady = false;   // threads: only the dump is awaited
    bool m_fitsNoClient = false;  // threads: the dump is of none of the clients
    bool m_finishing = false;
};

}  // namespace lockkeeper::app
