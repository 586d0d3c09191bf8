// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/who/holderidentity.h"
#include "redis/connection.h"
#include "topology/shards.h"

#include <QObject>

namespace lockkeeper::monitor {

class MonitorConnection;

// Finds the address behind a client's UUID, only on request. It runs MONITOR on its own connection until the first line
// that shows the client, or until the limit; then it runs CLIENT LIST. If MONITOR is refused or shows nothing, it
// guesses. It only reads, and keeps only the address of MONITOR's output. Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT HolderFinder : public QObject {
    Q_OBJECT
public:
    // The shards must outlive it.
    HolderFinder(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock, QObject* parent = nullptr);
    // A running search ends as cancelled.
    ~HolderFinder() override;

    // finished() reports the result once. While a search is running, another one is refused with Overloaded.
    void find(OperationId id, const HolderSearch& search);
    // Ends the MONITOR of this search at once.
    void cancel(OperationId id);
    [[nodiscard]] bool isRunning() const noexcept { return m_current.has_value(); }

Q_SIGNALS:
    void finished(lockkeeper::OperationId id, const lockkeeper::monitor::HolderIdentity& identity);

private:
    Task<void> run(OperationId id, HolderSearch search, redis::TransportFactory makeTransport);
    Task<Result<QByteArray>> listen(MonitorConnection* connection, HolderSearch search);
    Task<QList<ClientListEntry>> listClients(MonitorConnection* connection);

    const redis::ConnectionOptions m_options;
    topology::Shards& m_shards;
    Clock& m_clock;
    std::optional<OperationId> m_current;
    Completion<QByteArray> m_address;  // what the running search waits for
    TaskScope m_scope;
};

}  // namespace lockkeeper::monitor
