// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "history/historyquery.h"
#include "lockkeeper_monitor_export.h"

#include <QSqlDatabase>

#include <optional>
#include <vector>

class QSqlQuery;

namespace lockkeeper::history {

// Events on disk, in one SQLite file for all profiles. Each event is stored as the line of JSON that `watch --json`
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
    virtual ~EventStore();

    [[nodiscard]] Result<Done> open();
    // The new path of a file that open() could not use; empty if there was none.
    [[nodiscard]] const QString& setAside() const noexcept { return m_setAside; }

    // Moves the events under the profile's former name to its id, unless there are events under its id already.
    [[nodiscard]] Result<Done> adopt(const ProfileKey& profile);
    // Writes all events or none.
    [[nodiscard]] Result<Done> append(const profile::ProfileId& profile, const std::vector<monitor::LockEvent>& events);
    // The newest `count` events of this profile, oldest first.
    [[nodiscard]] Result<std::vector<monitor::LockEvent>> newest(const profile::ProfileId& profile, int count);
    // The time of the profile's newest event; nothing if it has none.
    [[nodiscard]] Result<std::optional<WallTime>> lastAt(const profile::ProfileId& profile);
    // Limits the number of locks and events; the newest are returned.
    [[nodiscard]] Result<HistoryExcerpt> read(const HistoryQuery& query);
    // Deletes everything about this profile from the file, also from free pages and logs.
    [[nodiscard]] Result<Done> forget(const profile::ProfileId& profile);
    // Deletes events beyond the limits.
    [[nodiscard]] Result<Done> prune(const Retention& retention, WallTime now);

protected:
    // False if the file keeps its name.
    [[nodiscard]] virtual bool rename(const QString& from, const QString& to);

private:
    enum class Usable { Yes, Damaged, OfLaterVersion, NotOurs };

    [[nodiscard]] Result<Done> openFile();
    [[nodiscard]] Result<Usable> examine();
    [[nodiscard]] Result<Done> makeTables();
    [[nodiscard]] Result<Done> addLockKeys();
    [[nodiscard]] Result<Done> fillLockKeys();
    [[nodiscard]] Result<Done> putAside(const QString& why);
    [[nodiscard]] Result<Done> moveWithLog(const QString& to);
    [[nodiscard]] Result<qint64> idOf(const profile::ProfileId& profile);
    [[nodiscard]] Result<Done> insert(qint64 connection, const std::vector<monitor::LockEvent>& events);
    enum class Edge { First, Last };
    [[nodiscard]] Result<std::optional<WallTime>> timeOf(Edge edge, const profile::ProfileId& profile);
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
