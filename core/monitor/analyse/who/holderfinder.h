#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/who/holderidentity.h"
#include "redis/connection.h"

#include <QObject>

namespace lockkeeper::monitor {

struct HolderSearch {
    ClientId client;
    Milliseconds limit{10000};  // MONITOR runs no longer; see listeningTime()
};

// One watchdog interval, in which a holder that lives renews its lock once, and a tenth for delays. lease: as learned;
// zero when it is not known.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Milliseconds listeningTime(Milliseconds lease);

// Finds out who is behind a client's UUID, on request alone: a MONITOR on a connection of its own, until the first line
// that tells it or the limit, then CLIENT LIST; where MONITOR is refused or hears nothing, a guess. Reads only, and
// keeps nothing of what it hears but the one address. Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT HolderFinder : public QObject {
    Q_OBJECT
public:
    HolderFinder(redis::ConnectionOptions options, redis::TransportFactory makeTransport, Clock& clock,
                 QObject* parent = nullptr);
    // A search under way is answered as cancelled.
    ~HolderFinder() override;

    // Answered by one finished(). Of two MONITORs the second is refused as Overloaded.
    void find(OperationId id, const HolderSearch& search);
    // Ends the MONITOR of this search at once.
    void cancel(OperationId id);

Q_SIGNALS:
    void finished(lockkeeper::OperationId id, const lockkeeper::monitor::HolderIdentity& identity);

private:
    Task<void> run(OperationId id, HolderSearch search);
    Task<Result<Done>> open(redis::Connection* connection);
    Task<Result<QByteArray>> listen(redis::Connection* connection, HolderSearch search);
    Task<QList<ClientListEntry>> listClients(redis::Connection* connection);

    const redis::ConnectionOptions m_options;
    const redis::TransportFactory m_makeTransport;
    Clock& m_clock;
    std::optional<OperationId> m_current;
    Completion<QByteArray> m_address;  // what the search under way is after
    TaskScope m_scope;
};

}  // namespace lockkeeper::monitor
