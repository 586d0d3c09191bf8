#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/lockevent.h"

#include <QSqlDatabase>

#include <variant>
#include <vector>

class QSqlQuery;

namespace lockkeeper::history {

// How much past is worth its room on the disk; whatever is beyond either bound goes.
struct Retention {
    std::chrono::hours age{24 * 7};
    qint64 rows = 1'000'000;

    // Otherwise nothing is written, and what was kept before stays as it is.
    [[nodiscard]] bool keepsAnything() const noexcept { return age.count() > 0 && rows > 0; }
    friend bool operator==(const Retention&, const Retention&) = default;
};

// What of the past is wanted: of all locks that this client held or waited for, or of one lock.
struct HistoryQuery {
    QString connection;  // as in ConnectionStatus::server
    std::variant<ClientId, LockName> about;
};

struct HistoryExcerpt {
    std::vector<monitor::LockEvent> events;  // oldest first; with them when nothing at all was watched
    // What happened before is not among them: the first event that was kept at all, or the first of so many.
    std::optional<WallTime> reachesTo;
    bool reachesNow = false;  // the events are being kept, and all up to now are among them
    bool complete = true;     // false: more locks or events than anybody reads were left out
    std::optional<Error> error;
};

// Events on disk, in one SQLite file for all connections; each is kept as the line of JSON that `watch --json` prints. A
// file that is damaged or of a later version is set aside, never deleted, and a new one begun. Several programs may use
// one file. Blocks on the disk: not for a thread that anybody waits for. Thread: the one that opens it.
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
    // Where open() has put a file that it could not use; empty when there was none.
    [[nodiscard]] const QString& setAside() const noexcept { return m_setAside; }

    // All or none of them.
    [[nodiscard]] Result<Done> append(const QString& connection, const std::vector<monitor::LockEvent>& events);
    // The latest `count` of this connection, oldest first.
    [[nodiscard]] Result<std::vector<monitor::LockEvent>> newest(const QString& connection, int count);
    // At most so many locks and events, the newest of them.
    [[nodiscard]] Result<HistoryExcerpt> read(const HistoryQuery& query);
    // Everything about this connection, so that nothing of it is left in the file.
    [[nodiscard]] Result<Done> forget(const QString& connection);
    // Drops what is beyond the bounds.
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
    const QString m_name;  // of the database among Qt's
    QSqlDatabase m_database;
    QString m_setAside;
};

}  // namespace lockkeeper::history

Q_DECLARE_METATYPE(lockkeeper::history::HistoryExcerpt)
