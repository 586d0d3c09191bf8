#pragma once

#include "base/result.h"
#include "monitor/lockevent.h"

#include <QSqlDatabase>

#include <vector>

class QSqlQuery;

namespace lockkeeper::history {

// How much past is worth its room on the disk; whatever is beyond either bound goes.
struct Retention {
    std::chrono::hours age{24 * 7};
    qint64 rows = 1'000'000;
};

// Events on disk, in one SQLite file for all connections; each is kept as the line of JSON that `watch --json` prints. A
// file that is damaged or of a later version is set aside, never deleted, and a new one begun. Several programs may use
// one file. Blocks on the disk: not for a thread that anybody waits for. Thread: the one that opens it.
class LOCKKEEPER_EXPORT EventStore {
public:
    static constexpr int version = 1;

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
    // Drops what is beyond the bounds.
    [[nodiscard]] Result<Done> prune(const Retention& retention, WallTime now);

private:
    enum class Usable { Yes, Damaged, OfLaterVersion, NotOurs };

    [[nodiscard]] Result<Done> openFile();
    [[nodiscard]] Result<Usable> examine();
    [[nodiscard]] Result<Done> makeTables();
    [[nodiscard]] Result<Done> putAside(const QString& why);
    [[nodiscard]] Result<qint64> idOf(const QString& connection);
    [[nodiscard]] Result<Done> insert(qint64 connection, const std::vector<monitor::LockEvent>& events);
    [[nodiscard]] Result<Done> execute(const QString& statement);
    void close();

    const QString m_path;
    const QString m_name;  // of the database among Qt's
    QSqlDatabase m_database;
    QString m_setAside;
};

}  // namespace lockkeeper::history
