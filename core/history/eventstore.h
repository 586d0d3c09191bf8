#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/lockevent.h"

#include <QSqlDatabase>

#include <variant>
#include <vector>

class QSqlQuery;

namespace lockkeeper::history {

// How much history is kept, by age and by size; events beyond either limit are deleted.
struct Retention {
    std::chrono::hours age{24 * 7};
    qint64 rows = 1'000'000;

    // If not, nothing is written, and events kept before stay as they are.
    [[nodiscard]] bool keepsAnything() const noexcept { return age.count() > 0 && rows > 0; }
    friend bool operator==(const Retention&, const Retention&) = default;
};

// Which events to read: of all locks that this client held or waited for, or of one lock.
struct HistoryQuery {
    QString connection;  // as in ConnectionStatus::server
    std::variant<ClientId, LockName> about;
};

struct HistoryExcerpt {
    std::vector<monitor::LockEvent> events;  // oldest first; includes the events that say that nothing was watched
    // Where the list begins, if earlier events are missing from it: the first event that was kept at all, or the first
    // that is within the limit.
    std::optional<WallTime> reachesTo;
    bool reachesNow = false;  // events are being recorded, and all events up to now are included
    bool complete = true;     // false: there are more locks or events than the limit, and the rest was left out
    std::optional<Error> error;
};

// Events on disk, in one SQLite file for all connections. Each event is stored as the line of JSON that `watch --json`
// prints. A file that is damaged or of a later version is renamed, never deleted, and a new one is created. Several
// programs may use one file. Calls block on the disk: do not use it on the GUI or engine thread. Thread: the one that
// opens it.
class LOCKKEEPER_MONITOR_EXPORT EventStore {
public:
    static constexpr int version = 2;
    static constexpr int mostLocksRead = 100;
    static constexpr int mostEventsRead = 20'000;

    explicit EventStore(QString path);
    EventStore(const EventStore&) = delete;
    EventStore& operator=(const EventStore&) = delete;
    ~EventStore();

    [[nodiscard]] Result<Done> open();
    // The new path of a file that open() could not use; empty if there was none.
    [[nodiscard]] const QString& setAside() const noexcept { return m_setAside; }

    // Writes all of them or none.
    [[nodiscard]] Result<Done> append(const QString& connection, const std::vector<monitor::LockEvent>& events);
    // The newest `count` events of this connection, oldest first.
    [[nodiscard]] Result<std::vector<monitor::LockEvent>> newest(const QString& connection, int count);
    // Limits the number of locks and events; the newest are returned.
    [[nodiscard]] Result<HistoryExcerpt> read(const HistoryQuery& query);
    // Deletes everything about this connection from the file, also from free pages and logs.
    [[nodiscard]] Result<Done> forget(const QString& connection);
    // Deletes events beyond the limits.
    [[nodiscard]] Result<Done> prune(const Retention& retention, WallTime now);

private:
    enum class Usable { Yes, Damaged, OfLaterVersion, NotOurs };

    [[nodiscard]] Result<Done> openFile();
    [[nodiscard]] Result<Usable> examine();
    [[nodiscard]] Result<Done> makeTables();
    [[nodiscard]] Result<Done> addLockKeys();
    [[nodiscard]] Result<Done> fillLockKeys();
    [[nodiscard]] Result<Done> putAside(const QString& why);
    [[nodiscard]] Result<qint64> idOf(const QString& connection);
    [[nodiscard]] Result<Done> insert(qint64 connection, const std::vector<monitor::LockEvent>& events);
    [[nodiscard]] Result<QStringList> locksOf(const HistoryQuery& query, HistoryExcerpt& excerpt);
    [[nodiscard]] Result<Done> readEvents(const HistoryQuery& query, const QStringList& lockKeys,
                                          HistoryExcerpt& excerpt);
    [[nodiscard]] Result<Done> execute(const QString& statement);
    void close();

    const QString m_path;
    const QString m_name;  // the name of Qt's database connection
    QSqlDatabase m_database;
    QString m_setAside;
};

}  // namespace lockkeeper::history

Q_DECLARE_METATYPE(lockkeeper::history::HistoryExcerpt)
