// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/servercommand.h"
#include "control/forcerelease.h"
#include "jvm/threaddump.h"
#include "monitor/analyse/explain/errorstate.h"
#include "monitor/model/monitorbatch.h"
#include "ui/words/programnames.h"

#include <map>
#include <memory>
#include <vector>

namespace lockkeeper::monitor {
class Monitor;
}

namespace lockkeeper::app {

// The errors that were found, and the server whose locks they are about.
struct ExplainOrder {
    Arguments arguments;
    monitor::ErrorReport report;
    std::vector<jvm::ThreadDump> dumps{};  // of the file that the user has given; empty: none
};

// `lockkeeper explain` with a server: reads the locks that the errors name, and those that their clients hold, looks up
// the history, reads what a thread dump shows of the holders, and prints it all. Its connections refuse every command
// that writes.
class ExplainCommand : public ServerCommand {
    Q_OBJECT
public:
    explicit ExplainCommand(ExplainOrder order, QObject* parent = nullptr);
    ~ExplainCommand() override;

private:
    // Without a connection the text is explained all the same.
    Task<Result<Done>> connect() override;
    Task<void> work() override;
    Task<void> readLocks();
    [[nodiscard]] Task<monitor::ErrorState> readNamed(LockName name);
    [[nodiscard]] Task<monitor::ErrorState> readKey(LockName key);
    [[nodiscard]] ui::ProgramNames names() const;
    Task<void> searchClients();
    void noteRows(const monitor::MonitorBatch& batch);
    [[nodiscard]] bool isSearched() const;
    [[nodiscard]] bool isSwept() const;
    void noteSearch(monitor::ErrorState& state, const ClientId& client) const;
    void lookUpHistory();
    void judgeThreads();
    [[nodiscard]] std::vector<monitor::LockRow> rowsOf(size_t finding) const;

    monitor::ErrorReport m_report;
    std::vector<monitor::ErrorState> m_states;  // of the findings
    const std::vector<jvm::ThreadDump> m_dumps;
    std::optional<Error> m_notConnected;
    control::ForceRelease m_reader;                   // only reads
    std::unique_ptr<monitor::Monitor> m_search;       // while locks of clients are searched
    std::map<QByteArray, monitor::SharedRow> m_rows;  // found by the search
    std::optional<monitor::MonitorStats> m_stats;     // of the search
    qsizetype m_sweeps = 0;
};

}  // namespace lockkeeper::app
