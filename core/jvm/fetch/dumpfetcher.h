// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "base/ids.h"
#include "jvm/fetch/dumpplan.h"
#include "topology/ssh/sshquestion.h"

#include <QObject>
#include <QProcessEnvironment>

#include <functional>
#include <map>

namespace lockkeeper::topology {
class AskpassServer;
}

namespace lockkeeper::jvm {

// What a session knows for its dumps.
struct FetchContext {
    profile::DumpSettings settings;                                // with the password
    QString caFile;                                                // of the connection
    QString askpass;                                               // see topology::SshTunnel
    std::function<QByteArray(const ClientId& client)> demoDump{};  // null: this is no demo
};

// Gets thread dumps by the ways of a DumpPlan, one at a time, each bounded in bytes and in time. Nothing is written to
// a disk, here or there. Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT DumpFetcher final : public QObject {
    Q_OBJECT
public:
    DumpFetcher(FetchContext context, Clock& clock);
    // What is under way ends as cancelled.
    ~DumpFetcher() override;

    // processesFound() answers once.
    void search(OperationId id, const ProcessSearch& search);
    // fetched() answers once.
    void fetch(OperationId id, const DumpOrder& order);
    // Ends the program or the request of this operation.
    void cancel(OperationId id);
    // The answer to a question of asked(). Does nothing if the question is over, or is not of this object.
    void answer(topology::SshQuestionId id, const topology::SshAnswer& answer);

Q_SIGNALS:
    void processesFound(lockkeeper::OperationId id,
                        const lockkeeper::Result<QList<lockkeeper::jvm::RemoteProcess>>& processes);
    // Of two dumps, the first one is there, and the pause has begun.
    void firstFetched(lockkeeper::OperationId id);
    void fetched(lockkeeper::OperationId id, const lockkeeper::Result<QByteArrayList>& dumps);
    // The numbers of the questions are none of those of a tunnel.
    void asked(const lockkeeper::topology::SshQuestion& question);
    void questionOver(lockkeeper::topology::SshQuestionId id);

private:
    Task<void> runSearch(OperationId id, ProcessSearch search, std::stop_token stop);
    Task<void> runFetch(OperationId id, DumpOrder order, std::stop_token stop);
    Task<Result<QByteArray>> one(DumpOrder order, std::stop_token stop);
    Task<Result<QByteArray>> run(QStringList command, QString host, qsizetype limit, std::stop_token stop);
    Task<Result<QByteArray>> get(WebDump dump, std::stop_token stop);
    [[nodiscard]] bool begin(OperationId id);
    void passQuestions(topology::AskpassServer& server);

    const FetchContext m_context;
    Clock& m_clock;
    std::optional<OperationId> m_current;
    std::stop_source m_stop;  // of the current one
    topology::AskpassServer* m_asking = nullptr;
    std::map<topology::SshQuestionId, topology::SshQuestionId> m_questions;  // open ones: number outside, of the server
    quint64 m_lastQuestion = 0;
    TaskScope m_scope;
};

}  // namespace lockkeeper::jvm
