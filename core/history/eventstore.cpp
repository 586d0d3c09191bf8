#include "history/eventstore.h"

#include "monitor/eventjson.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>

namespace lockkeeper::history {

namespace {

Error storageError(const QSqlError& error) {
    return {ErrorCode::Storage, error.text().simplified()};
}

// SQLite's CORRUPT and NOTADB; anything else (no right, no room, in use) is not the file's fault.
bool saysDamaged(const QSqlError& error) {
    return error.nativeErrorCode() == QStringLiteral("11") || error.nativeErrorCode() == QStringLiteral("26");
}

qint64 milliseconds(WallTime time) {
    return std::chrono::duration_cast<Milliseconds>(time.time_since_epoch()).count();
}

// The line tells the TTL as it was last read, which may have been earlier than the event; when, lines of earlier versions
// do not tell.
QVariant leaseEnd(const monitor::LockSnapshot& lock) {
    return lock.ttl ? QVariant(milliseconds(lock.seenAtWall + *lock.ttl)) : QVariant(QMetaType(QMetaType::LongLong));
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
        return Error(ErrorCode::Storage, QStringLiteral("cannot make the folder %1").arg(QFileInfo(m_path).absolutePath()));
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
    // Who held what is nobody else's business on a shared machine.
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
    if (!query.exec(QStringLiteral("SELECT (SELECT user_version FROM pragma_user_version), count(*) FROM sqlite_master")) || !query.next())
        return storageError(query.lastError());
    const int found = query.value(0).toInt();
    if (found > version)
        return Usable::OfLaterVersion;
    return found == 0 && query.value(1).toInt() > 0 ? Usable::NotOurs : Usable::Yes;
}

Result<Done> EventStore::makeTables() {
    const QStringList statements = {
        // A writer that dies loses its last moments at worst, and nobody waits for the disk at each batch.
        QStringLiteral("PRAGMA journal_mode = WAL"),
        QStringLiteral("PRAGMA synchronous = NORMAL"),
        QStringLiteral("CREATE TABLE IF NOT EXISTS connection (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)"),
        // Times are milliseconds since 1970, UTC.
        QStringLiteral("CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, connection INTEGER NOT NULL, "
                       "at INTEGER NOT NULL, lease_end INTEGER, line TEXT NOT NULL)"),
        QStringLiteral("CREATE INDEX IF NOT EXISTS event_of_connection ON event (connection, id)"),
        QStringLiteral("CREATE INDEX IF NOT EXISTS event_by_time ON event (at)"),
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
    m_setAside = QStringLiteral("%1.%2-%3").arg(m_path, why, now);
    // What SQLite has not merged yet lies beside it, and belongs to it.
    for (const QString& suffix : {QStringLiteral("-wal"), QStringLiteral("-shm")})
        QFile::rename(m_path + suffix, m_setAside + suffix);
    if (!QFile::rename(m_path, m_setAside))
        return Error(ErrorCode::Storage, QStringLiteral("cannot rename %1").arg(m_path));
    const Result<Done> opened = openFile();
    return opened ? makeTables() : opened;
}

Result<qint64> EventStore::idOf(const QString& connection) {
    QSqlQuery query(m_database);
    query.prepare(QStringLiteral("INSERT OR IGNORE INTO connection (name) VALUES (?)"));
    query.addBindValue(connection);
    if (!query.exec())
        return storageError(query.lastError());
    query.prepare(QStringLiteral("SELECT id FROM connection WHERE name = ?"));
    query.addBindValue(connection);
    if (!query.exec() || !query.next())
        return storageError(query.lastError());
    return query.value(0).toLongLong();
}

Result<Done> EventStore::append(const QString& connection, const std::vector<monitor::LockEvent>& events) {
    if (!m_database.transaction())
        return storageError(m_database.lastError());
    const Result<qint64> id = idOf(connection);
    const Result<Done> inserted = id ? insert(*id, events) : Result<Done>(id.error());
    if (inserted && m_database.commit())
        return Done();
    const Error error = inserted ? storageError(m_database.lastError()) : inserted.error();
    m_database.rollback();
    return error;
}

Result<Done> EventStore::insert(qint64 connection, const std::vector<monitor::LockEvent>& events) {
    QSqlQuery query(m_database);
    query.prepare(QStringLiteral("INSERT INTO event (connection, at, lease_end, line) VALUES (?, ?, ?, ?)"));
    for (const monitor::LockEvent& event : events) {
        query.bindValue(0, connection);
        query.bindValue(1, milliseconds(event.at));
        query.bindValue(2, leaseEnd(event.lock));
        query.bindValue(3, QString::fromUtf8(monitor::toJsonLine(event)));
        if (!query.exec())
            return storageError(query.lastError());
    }
    return Done();
}

Result<std::vector<monitor::LockEvent>> EventStore::newest(const QString& connection, int count) {
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    query.prepare(QStringLiteral("SELECT line, lease_end FROM event WHERE connection = (SELECT id FROM connection WHERE name = ?) "
                                 "ORDER BY id DESC LIMIT ?"));
    query.addBindValue(connection);
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

Result<Done> EventStore::prune(const Retention& retention, WallTime now) {
    const Result<Done> tooOld =
        execute(QStringLiteral("DELETE FROM event WHERE at < %1").arg(milliseconds(now - retention.age)));
    if (!tooOld)
        return tooOld;
    return execute(QStringLiteral("DELETE FROM event WHERE id <= (SELECT id FROM event ORDER BY id DESC LIMIT 1 OFFSET %1)")
                       .arg(retention.rows));
}

}  // namespace lockkeeper::history
