// SPDX-License-Identifier: Apache-2.0
#include "history/eventstore.h"

#include "base/isotime.h"
#include "monitor/format/eventjson.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>
#include <QtEndian>

namespace lockkeeper::history {

namespace {

Error storageError(const QSqlError& error) {
    return {ErrorCode::Storage, error.text().simplified()};
}

// SQLite's CORRUPT and NOTADB. Other errors (no permission, no space, file in use) do not mean that the file is
// damaged.
bool saysDamaged(const QSqlError& error) {
    return error.nativeErrorCode() == QStringLiteral("11") || error.nativeErrorCode() == QStringLiteral("26");
}

qint64 milliseconds(WallTime time) {
    return std::chrono::duration_cast<Milliseconds>(time.time_since_epoch()).count();
}

// The end of the lease has its own column: the line contains the TTL as last read, possibly before the event, and lines
// of earlier versions do not contain the time of that read.
QVariant leaseEnd(const monitor::LockSnapshot& lock) {
    return lock.ttl ? QVariant(milliseconds(lock.seenAtWall + *lock.ttl)) : QVariant(QMetaType(QMetaType::LongLong));
}

// Finds the events of a lock by a hash, so that a long name is not stored twice. A reader must compare the names.
qint64 keyOf(const LockName& name) {
    return qFromBigEndian<qint64>(QCryptographicHash::hash(name.bytes(), QCryptographicHash::Md5).constData());
}

std::optional<monitor::LockEvent> eventOf(const QByteArray& line, const QVariant& end) {
    std::optional<monitor::LockEvent> event = monitor::eventFromJsonLine(line);
    if (event && event->lock.ttl && !end.isNull())
        event->lock.ttl = Milliseconds(end.toLongLong() - milliseconds(event->lock.seenAtWall));
    return event;
}

}  // namespace

EventStore::EventStore(QString path)
    : m_path(std::move(path)), m_name(QUuid::createUuid().toString(QUuid::WithoutBraces)) {}

EventStore::~EventStore() {
    close();
}

void EventStore::close() {
    if (!m_database.isValid())
        return;
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_name);
}

Result<Done> EventStore::execute(const QString& statement) {
    QSqlQuery query(m_database);
    if (!query.exec(statement))
        return storageError(query.lastError());
    return Done();
}

Result<Done> EventStore::open() {
    if (!QDir().mkpath(QFileInfo(m_path).absolutePath()))
        return Error(ErrorCode::Storage, Cause::FolderNotMade, {QFileInfo(m_path).absolutePath()});
    if (const Result<Done> opened = openFile(); !opened)
        return opened;
    const Result<Usable> usable = examine();
    if (!usable)
        return usable.error();
    switch (*usable) {
        case Usable::Yes:
            return makeTables();
        case Usable::Damaged:
            return putAside(QStringLiteral("damaged"));
        case Usable::OfLaterVersion:
            return putAside(QStringLiteral("later-version"));
        case Usable::NotOurs:
            break;
    }
    return putAside(QStringLiteral("not-ours"));
}

Result<Done> EventStore::openFile() {
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    m_database.setDatabaseName(m_path);
    m_database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=2000"));
    if (!m_database.open())
        return storageError(m_database.lastError());
    // On a shared machine other users must not read who held which lock.
    QFile::setPermissions(m_path, QFile::ReadOwner | QFile::WriteOwner);
    return Done();
}

Result<EventStore::Usable> EventStore::examine() {
    QSqlQuery query(m_database);
    const bool read = query.exec(QStringLiteral("PRAGMA quick_check(1)")) && query.next();
    if (!read && !saysDamaged(query.lastError()))
        return storageError(query.lastError());
    if (!read || query.value(0).toString() != QStringLiteral("ok"))
        return Usable::Damaged;
    if (!query.exec(
            QStringLiteral("SELECT (SELECT user_version FROM pragma_user_version), count(*) FROM sqlite_master")) ||
        !query.next())
        return storageError(query.lastError());
    const int found = query.value(0).toInt();
    if (found > version)
        return Usable::OfLaterVersion;
    return found == 0 && query.value(1).toInt() > 0 ? Usable::NotOurs : Usable::Yes;
}

// Files of version 1 do not have this column.
Result<Done> EventStore::addLockKeys() {
    QSqlQuery query(m_database);
    if (!query.exec(QStringLiteral("SELECT count(*), count(CASE WHEN name = 'lock_key' THEN 1 END) "
                                   "FROM pragma_table_info('event')")) ||
        !query.next())
        return storageError(query.lastError());
    if (query.value(0).toInt() == 0 || query.value(1).toInt() > 0)
        return Done();
    query.finish();
    if (!m_database.transaction())
        return storageError(m_database.lastError());
    const Result<Done> filled = fillLockKeys();
    if (filled && m_database.commit())
        return Done();
    m_database.rollback();
    return filled ? storageError(m_database.lastError()) : filled;
}

Result<Done> EventStore::fillLockKeys() {
    if (const Result<Done> added = execute(QStringLiteral("ALTER TABLE event ADD COLUMN lock_key INTEGER")); !added)
        return added;
    QSqlQuery read(m_database);
    read.setForwardOnly(true);
    QSqlQuery write(m_database);
    write.prepare(QStringLiteral("UPDATE event SET lock_key = ? WHERE id = ?"));
    if (!read.exec(QStringLiteral("SELECT id, line FROM event")))
        return storageError(read.lastError());
    while (read.next()) {
        const std::optional<monitor::LockEvent> event = eventOf(read.value(1).toByteArray(), {});
        write.bindValue(0, keyOf(event ? event->lock.name : LockName()));
        write.bindValue(1, read.value(0));
        if (!write.exec())
            return storageError(write.lastError());
    }
    return Done();
}

Result<Done> EventStore::makeTables() {
    if (const Result<Done> added = addLockKeys(); !added)
        return added;
    const QStringList statements = {
        // Not synced at each commit: a crash loses the last moments at worst, and batches do not wait for the disk.
        QStringLiteral("PRAGMA journal_mode = WAL"), QStringLiteral("PRAGMA synchronous = NORMAL"),
        QStringLiteral("CREATE TABLE IF NOT EXISTS connection (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)"),
        // Times are milliseconds since 1970, UTC.
        QStringLiteral("CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, connection INTEGER NOT NULL, "
                       "at INTEGER NOT NULL, lease_end INTEGER, line TEXT NOT NULL, lock_key INTEGER)"),
        QStringLiteral("CREATE INDEX IF NOT EXISTS event_of_connection ON event (connection, id)"),
        QStringLiteral("CREATE INDEX IF NOT EXISTS event_by_time ON event (at)"),
        QStringLiteral("CREATE INDEX IF NOT EXISTS event_of_lock ON event (connection, lock_key, id)"),
        QStringLiteral("PRAGMA user_version = %1").arg(version)};
    for (const QString& statement : statements) {
        if (const Result<Done> done = execute(statement); !done)
            return done;
    }
    return Done();
}

Result<Done> EventStore::putAside(const QString& why) {
    close();
    const QString now = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss-zzz"));
    const QString aside = QStringLiteral("%1.%2-%3").arg(m_path, why, now);
    if (const Result<Done> moved = moveWithLog(aside); !moved)
        return moved;
    m_setAside = aside;
    const Result<Done> opened = openFile();
    return opened ? makeTables() : opened;
}

// Changes that SQLite has not merged yet are in files beside the database, which are moved, too: all of them or none.
// The database is the last, because SQLite deletes such files where there is none.
Result<Done> EventStore::moveWithLog(const QString& to) {
    QStringList moved;
    for (const QString& suffix : {QStringLiteral("-wal"), QStringLiteral("-shm"), QString()}) {
        if (!QFile::exists(m_path + suffix))
            continue;
        if (rename(m_path + suffix, to + suffix)) {
            moved.prepend(suffix);
            continue;
        }
        for (const QString& back : std::as_const(moved))
            (void)rename(to + back, m_path + back);
        return Error(ErrorCode::Storage, Cause::FileNotRenamed, {m_path + suffix});
    }
    return Done();
}

bool EventStore::rename(const QString& from, const QString& to) {
    return QFile::rename(from, to);
}

Result<Done> EventStore::adopt(const ProfileKey& profile) {
    if (profile.formerName.isEmpty())
        return Done();
    QSqlQuery query(m_database);
    query.prepare(QStringLiteral("UPDATE OR IGNORE connection SET name = ? WHERE name = ?"));
    query.addBindValue(profile.id.text());
    query.addBindValue(profile.formerName);
    if (!query.exec())
        return storageError(query.lastError());
    return Done();
}

Result<qint64> EventStore::idOf(const profile::ProfileId& profile) {
    QSqlQuery query(m_database);
    query.prepare(QStringLiteral("INSERT OR IGNORE INTO connection (name) VALUES (?)"));
    query.addBindValue(profile.text());
    if (!query.exec())
        return storageError(query.lastError());
    query.prepare(QStringLiteral("SELECT id FROM connection WHERE name = ?"));
    query.addBindValue(profile.text());
    if (!query.exec() || !query.next())
        return storageError(query.lastError());
    return query.value(0).toLongLong();
}

Result<Done> EventStore::append(const profile::ProfileId& profile, const std::vector<monitor::LockEvent>& events) {
    if (!m_database.transaction())
        return storageError(m_database.lastError());
    const Result<qint64> id = idOf(profile);
    const Result<Done> inserted = id ? insert(*id, events) : Result<Done>(id.error());
    if (inserted && m_database.commit())
        return Done();
    const Error error = inserted ? storageError(m_database.lastError()) : inserted.error();
    m_database.rollback();
    return error;
}

Result<Done> EventStore::insert(qint64 connection, const std::vector<monitor::LockEvent>& events) {
    QSqlQuery query(m_database);
    query.prepare(
        QStringLiteral("INSERT INTO event (connection, at, lease_end, line, lock_key) VALUES (?, ?, ?, ?, ?)"));
    for (const monitor::LockEvent& event : events) {
        query.bindValue(0, connection);
        query.bindValue(1, milliseconds(event.at));
        query.bindValue(2, leaseEnd(event.lock));
        query.bindValue(3, QString::fromUtf8(monitor::toJsonLine(event)));
        query.bindValue(4, keyOf(event.lock.name));
        if (!query.exec())
            return storageError(query.lastError());
    }
    return Done();
}

Result<std::vector<monitor::LockEvent>> EventStore::newest(const profile::ProfileId& profile, int count) {
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    query.prepare(QStringLiteral(
        "SELECT line, lease_end FROM event WHERE connection = (SELECT id FROM connection WHERE name = ?) "
        "ORDER BY id DESC LIMIT ?"));
    query.addBindValue(profile.text());
    query.addBindValue(count);
    if (!query.exec())
        return storageError(query.lastError());
    std::vector<monitor::LockEvent> events;
    while (query.next()) {
        if (std::optional<monitor::LockEvent> event = eventOf(query.value(0).toByteArray(), query.value(1)))
            events.push_back(std::move(*event));
    }
    if (query.lastError().isValid())
        return storageError(query.lastError());
    std::reverse(events.begin(), events.end());
    return events;
}

Result<std::optional<WallTime>> EventStore::lastAt(const profile::ProfileId& profile) {
    return timeOf(Edge::Last, profile);
}

// ---- queries ----

Result<HistoryExcerpt> EventStore::read(const HistoryQuery& query) {
    HistoryExcerpt excerpt;
    const Result<QStringList> keys = locksOf(query, excerpt);
    if (!keys)
        return keys.error();
    if (const Result<Done> done = readEvents(query, *keys, excerpt); !done)
        return done.error();
    if (excerpt.reachesTo)
        return excerpt;
    const Result<std::optional<WallTime>> first = timeOf(Edge::First, query.profile);
    if (!first)
        return first.error();
    excerpt.reachesTo = *first;
    return excerpt;
}

Result<std::optional<WallTime>> EventStore::timeOf(Edge edge, const profile::ProfileId& profile) {
    QSqlQuery query(m_database);
    query.prepare(QStringLiteral("SELECT at FROM event WHERE connection = (SELECT id FROM connection WHERE name = ?) "
                                 "ORDER BY id %1 LIMIT 1")
                      .arg(edge == Edge::First ? QStringLiteral("ASC") : QStringLiteral("DESC")));
    query.addBindValue(profile.text());
    if (!query.exec())
        return storageError(query.lastError());
    std::optional<WallTime> at;
    if (query.next())
        at = wallTimeAt(Milliseconds(query.value(0).toLongLong()));
    return at;
}

// The keys of the locks in events of this client. One pass in the order of the file: with an index, each line would be
// read from another place of the disk.
Result<QStringList> EventStore::locksOf(const HistoryQuery& query, HistoryExcerpt& excerpt) {
    if (const auto* lock = std::get_if<LockName>(&query.about))
        return QStringList{QString::number(keyOf(*lock))};
    if (const auto* locks = std::get_if<QList<LockName>>(&query.about)) {
        QStringList keys;
        for (const LockName& lock : locks->first(std::min<qsizetype>(mostLocksRead, locks->size())))
            keys << QString::number(keyOf(lock));
        excerpt.complete = keys.size() == locks->size();
        return keys;
    }
    QSqlQuery find(m_database);
    find.setForwardOnly(true);
    find.prepare(QStringLiteral(
        "SELECT lock_key FROM event NOT INDEXED WHERE connection = (SELECT id FROM connection WHERE name = ?) "
        "AND instr(line, ?) > 0 GROUP BY lock_key ORDER BY max(id) DESC LIMIT ?"));
    find.addBindValue(query.profile.text());
    find.addBindValue(QString::fromLatin1(std::get<ClientId>(query.about).bytes()) + QLatin1Char(':'));
    find.addBindValue(mostLocksRead + 1);
    if (!find.exec())
        return storageError(find.lastError());
    QStringList keys;
    while (find.next())
        keys << QString::number(find.value(0).toLongLong());
    if (find.lastError().isValid())
        return storageError(find.lastError());
    excerpt.complete = keys.size() <= mostLocksRead;
    return keys.mid(0, mostLocksRead);
}

Result<Done> EventStore::readEvents(const HistoryQuery& query, const QStringList& lockKeys, HistoryExcerpt& excerpt) {
    // An event that says "nothing was watched" belongs to no lock, so it is stored under the empty name.
    const QStringList keys = lockKeys + QStringList{QString::number(keyOf(LockName()))};
    QSqlQuery read(m_database);
    read.setForwardOnly(true);
    read.prepare(QStringLiteral("SELECT line, lease_end FROM event INDEXED BY event_of_lock "
                                "WHERE connection = (SELECT id FROM connection WHERE name = ?) AND lock_key IN (%1) "
                                "ORDER BY id DESC LIMIT ?")
                     .arg(keys.join(QLatin1Char(','))));
    read.addBindValue(query.profile.text());
    read.addBindValue(mostEventsRead + 1);
    if (!read.exec())
        return storageError(read.lastError());
    while (read.next()) {
        if (std::optional<monitor::LockEvent> event = eventOf(read.value(0).toByteArray(), read.value(1)))
            excerpt.events.push_back(std::move(*event));
    }
    if (read.lastError().isValid())
        return storageError(read.lastError());
    if (excerpt.events.size() > mostEventsRead) {
        excerpt.events.pop_back();
        excerpt.complete = false;
        excerpt.reachesTo = excerpt.events.back().at;
    }
    std::reverse(excerpt.events.begin(), excerpt.events.end());
    return Done();
}

Result<Done> EventStore::forget(const profile::ProfileId& profile) {
    QSqlQuery query(m_database);
    query.prepare(QStringLiteral("DELETE FROM event WHERE connection = (SELECT id FROM connection WHERE name = ?)"));
    query.addBindValue(profile.text());
    if (!query.exec())
        return storageError(query.lastError());
    query.prepare(QStringLiteral("DELETE FROM connection WHERE name = ?"));
    query.addBindValue(profile.text());
    if (!query.exec())
        return storageError(query.lastError());
    query.finish();
    // Deleted rows are still readable in free pages and in the write-ahead log.
    const Result<Done> rewritten = execute(QStringLiteral("VACUUM"));
    return rewritten ? execute(QStringLiteral("PRAGMA wal_checkpoint(TRUNCATE)")) : rewritten;
}

Result<Done> EventStore::prune(const Retention& retention, WallTime now) {
    const Result<Done> tooOld =
        execute(QStringLiteral("DELETE FROM event WHERE at < %1").arg(milliseconds(now - retention.age)));
    if (!tooOld)
        return tooOld;
    return execute(
        QStringLiteral("DELETE FROM event WHERE id <= (SELECT id FROM event ORDER BY id DESC LIMIT 1 OFFSET %1)")
            .arg(retention.rows));
}

}  // namespace lockkeeper::history
