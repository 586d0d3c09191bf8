// SPDX-License-Identifier: Apache-2.0
#include "history/eventstore.h"
#include "monitor/format/eventjson.h"
#include "support/awkwardnames.h"
#include "support/eventstory.h"
#include "support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

namespace tst_eventstore {

using namespace lockkeeper;
using namespace lockkeeper::history;
using namespace lockkeeper::test;
using namespace std::chrono_literals;
using monitor::EventType;

namespace {

const WallTime start(24h * 20'833);
const profile::ProfileId here(QStringLiteral("@redis.example:6379/0"));
const profile::ProfileId elsewhere(QStringLiteral("elsewhere"));
const profile::ProfileId nowhere(QStringLiteral("nowhere"));
const monitor::Holder alice = holder(clientA, 33);

// A program with a database of its own, open in SQLite's mode with a log. Its changes are in the log only.
class AnotherProgram {
public:
    explicit AnotherProgram(const QString& path) {
        QDir().mkpath(QFileInfo(path).path());
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("another"));
        database.setDatabaseName(path);
        if (!database.open())
            qFatal("no database");
        QSqlQuery query(database);
        for (const char* statement : {"CREATE TABLE bookmarks (url)", "PRAGMA journal_mode = WAL",
                                      "PRAGMA wal_autocheckpoint = 0", "INSERT INTO bookmarks VALUES (1), (2), (3)"})
            query.exec(QString::fromLatin1(statement));
    }
    ~AnotherProgram() { QSqlDatabase::removeDatabase(QStringLiteral("another")); }

    // How many bookmarks a program finds that opens the file now.
    static int bookmarksIn(const QString& path) {
        int count = -1;
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("count"));
            database.setDatabaseName(path);
            QSqlQuery query(database.open() ? database : QSqlDatabase());
            if (query.exec(QStringLiteral("SELECT count(*) FROM bookmarks")) && query.next())
                count = query.value(0).toInt();
        }
        QSqlDatabase::removeDatabase(QStringLiteral("count"));
        return count;
    }
};

// Files whose names end so cannot be renamed.
class StuckStore final : public EventStore {
public:
    StuckStore(const QString& path, QString stuck) : EventStore(path), m_stuck(std::move(stuck)) {}

protected:
    bool rename(const QString& from, const QString& to) override {
        return !from.endsWith(m_stuck) && EventStore::rename(from, to);
    }

private:
    const QString m_stuck;
};

}  // namespace

class TestEventStore : public QObject {
    Q_OBJECT

private:
    QString path() const { return m_directory->filePath(QStringLiteral("data/history.sqlite")); }
    // One event for each name, one second apart.
    static std::vector<monitor::LockEvent> events(int first, int count) {
        std::vector<monitor::LockEvent> result;
        for (int i = first; i < first + count; ++i)
            result.push_back(EventStory(QByteArray::number(i).constData(), start)
                                 .event(EventType::Acquired, 1s * i, {alice})
                                 .events()
                                 .front());
        return result;
    }
    static QStringList namesOf(const Result<std::vector<monitor::LockEvent>>& events) {
        if (!events)
            return {events.error().text};
        QStringList names;
        for (const monitor::LockEvent& event : *events)
            names << event.lock.name.display();
        return names;
    }
    void writeFile(const QByteArray& content) const {
        QVERIFY(QDir().mkpath(m_directory->filePath(QStringLiteral("data"))));
        QFile file(path());
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(content);
    }
    void runSql(const QStringList& statements) const {
        QVERIFY(QDir().mkpath(m_directory->filePath(QStringLiteral("data"))));
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("test"));
            database.setDatabaseName(path());
            QVERIFY(database.open());
            for (const QString& statement : statements)
                QVERIFY(QSqlQuery(database).exec(statement));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("test"));
    }

    std::unique_ptr<QTemporaryDir> m_directory;

private Q_SLOTS:
    // With the times that were not watched, but nothing of other locks or profiles.
    void readsOfSeveralLocks() {
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY(store.append(here, events(1, 4)));
        QVERIFY(store.append(here, {monitor::notWatchedSince(start, start + 9s)}));
        QVERIFY(store.append(elsewhere, events(2, 1)));
        const Result<HistoryExcerpt> excerpt =
            store.read({here, QList{lockName("4"), lockName("2"), lockName("none")}});
        QCOMPARE(namesOf(excerpt->events), (QStringList{"2", "4", ""}));
        QVERIFY(excerpt->complete);
        QList<LockName> many{lockName("1")};
        for (int i = 0; i < EventStore::mostLocksRead; ++i)
            many += LockName("x" + QByteArray::number(i));
        QVERIFY(!store.read({here, many})->complete);
    }

    void init() { m_directory = std::make_unique<QTemporaryDir>(); }

    void givesBackWhatItWasGiven() {
        monitor::Holder reader = holder(clientB, -7, 3, monitor::HoldMode::Read);
        std::vector<monitor::LockEvent> all = EventStory("\xff\x00 no text", start)
                                                  .event(EventType::Acquired, 1234ms, {alice, reader}, 29s)
                                                  .waiters(5s, 2)
                                                  .gap(20s, 4s, {reader})
                                                  .ends(EventType::Released, 21s, reader)
                                                  .events();
        all[0].suspect = true;
        all[1].type = EventType::Diagnosed;
        all[1].diagnosis = monitor::Diagnosis{monitor::Certainty::Likely,
                                              monitor::WatchdogStopped{alice.id, 7, start + 1s, 30s, start + 31s}};
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY(store.append(here, all));
        const Result<std::vector<monitor::LockEvent>> back = store.newest(here, 100);
        QVERIFY(back);
        QCOMPARE(back->size(), all.size());
        for (size_t i = 0; i < all.size(); ++i) {
            const monitor::LockEvent& before = all[i];
            const monitor::LockEvent& after = (*back)[i];
            QCOMPARE(after.at, before.at);
            QCOMPARE(after.type, before.type);
            QCOMPARE(after.holder, before.holder);
            QCOMPARE(after.suspect, before.suspect);
            QCOMPARE(after.gap, before.gap);
            QCOMPARE(after.diagnosis, before.diagnosis);
            QCOMPARE(after.lock.name, before.lock.name);
            QCOMPARE(after.lock.kind, before.lock.kind);
            QCOMPARE(after.lock.holders, before.lock.holders);
            QCOMPARE(after.lock.waiters, before.lock.waiters);
            QCOMPARE(after.lock.ttl.has_value(), before.lock.ttl.has_value());
            // The end of the lease is unchanged, also for an event that came later than the read.
            if (after.lock.ttl)
                QCOMPARE(after.lock.seenAtWall + *after.lock.ttl, before.lock.seenAtWall + *before.lock.ttl);
        }
    }

    void everyNameComesBackAsItWas_data() { addAwkwardNames(); }
    void everyNameComesBackAsItWas() {
        QFETCH(const QByteArray, name);
        std::vector<monitor::LockEvent> all = events(0, 1);
        all[0].lock.name = LockName(name);
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY(store.append(here, all));
        const Result<std::vector<monitor::LockEvent>> back = store.newest(here, 10);
        QVERIFY(back);
        QCOMPARE(back->size(), size_t{1});
        QCOMPARE(back->front().lock.name.bytes(), name);
        const Result<HistoryExcerpt> excerpt = store.read({here, LockName(name)});
        QVERIFY(excerpt);
        QCOMPARE(excerpt->events.size(), size_t{1});
        QCOMPARE(excerpt->events.front().lock.name.bytes(), name);
    }

    // A line of an earlier version is read unchanged: the file does not say what the name was before.
    void aNameThatAnEarlierVersionChangedStaysAsItIs() {
        QString line = QString::fromUtf8(monitor::toJsonLine(events(3, 1).front()));
        line.replace(QStringLiteral("\"lock\":\"3\""), QStringLiteral("\"lock\":\"3\ufffd\""));
        runSql({QStringLiteral("CREATE TABLE connection (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)"),
                QStringLiteral("CREATE TABLE event (id INTEGER PRIMARY KEY, connection INTEGER NOT NULL, "
                               "at INTEGER NOT NULL, lease_end INTEGER, line TEXT NOT NULL)"),
                QStringLiteral("INSERT INTO connection (name) VALUES ('%1')").arg(here.text()),
                QStringLiteral("INSERT INTO event (connection, at, line) VALUES (1, 0, '%1')").arg(line),
                QStringLiteral("PRAGMA user_version = 1")});
        EventStore store(path());
        QVERIFY(store.open());
        QCOMPARE(namesOf(store.read({here, lockName("3\xef\xbf\xbd")})->events),
                 QStringList{QStringLiteral("3\ufffd")});
        QVERIFY(store.read({here, lockName("3\xef\xbf\xbe")})->events.empty());
    }

    void survivesARestart() {
        {
            EventStore store(path());
            QVERIFY(store.open());
            QVERIFY(store.append(here, events(0, 3)));
        }
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY(store.setAside().isEmpty());
        QCOMPARE(namesOf(store.newest(here, 100)),
                 (QStringList{QStringLiteral("0"), QStringLiteral("1"), QStringLiteral("2")}));
    }

    void keepsConnectionsApartAndGivesTheNewest() {
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY(store.append(here, events(0, 5)));
        QVERIFY(store.append(elsewhere, events(10, 5)));
        QCOMPARE(namesOf(store.newest(here, 2)), (QStringList{QStringLiteral("3"), QStringLiteral("4")}));
        QVERIFY(namesOf(store.newest(nowhere, 2)).isEmpty());
    }

    void knowsTheTimeOfTheNewestEvent() {
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY(store.append(here, events(0, 5)));
        QVERIFY(store.append(elsewhere, events(10, 5)));
        QCOMPARE(store.lastAt(here).value(), std::optional<WallTime>(start + 4s));
        QCOMPARE(store.lastAt(nowhere).value(), std::optional<WallTime>());
    }

    void dropsWhatIsBeyondItsBounds_data() {
        QTest::addColumn<int>("hours");
        QTest::addColumn<qint64>("rows");
        QTest::addColumn<QStringList>("left");
        const auto names = [](int first, int last) {
            QStringList list;
            for (int i = first; i <= last; ++i)
                list << QString::number(i);
            return list;
        };
        QTest::newRow("within both") << 24 << qint64(10) << names(0, 9);
        QTest::newRow("too many") << 24 << qint64(4) << names(6, 9);
        QTest::newRow("too old") << 1 << qint64(10) << names(5, 9);
        QTest::newRow("nothing may stay") << 24 << qint64(0) << QStringList();
    }
    void dropsWhatIsBeyondItsBounds() {
        QFETCH(const int, hours);
        QFETCH(const qint64, rows);
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY(store.append(here, events(0, 10)));
        QVERIFY(store.prune({std::chrono::hours(hours), rows}, start + 1h + 5s));
        QTEST(namesOf(store.newest(here, 100)), "left");
    }

    void readsWhatConcernsAClient() {
        EventStore store(path());
        QVERIFY(store.open());
        const monitor::Holder bob = holder(clientB, 7);
        QVERIFY(store.append(here, EventStory("quiet", start).event(EventType::Acquired, 0s, {bob}).events()));
        // The lock's next holder counts too, although that line does not name the client.
        QVERIFY(store.append(here, EventStory("L", start)
                                       .event(EventType::Acquired, 1s, {alice})
                                       .event(EventType::HandedOver, 2s, {bob})
                                       .events()));
        QVERIFY(store.append(here, {monitor::notWatchedSince(start + 2s, start + 5s)}));
        QVERIFY(store.append(elsewhere, EventStory("M", start).event(EventType::Acquired, 6s, {alice}).events()));
        const Result<HistoryExcerpt> excerpt = store.read({here, ClientId(clientA)});
        QVERIFY(excerpt);
        QCOMPARE(namesOf(excerpt->events), (QStringList{QStringLiteral("L"), QStringLiteral("L"), QString()}));
        QCOMPARE(excerpt->reachesTo, std::optional(start));
        QVERIFY(excerpt->complete);
        // Near miss: an id that is only a prefix.
        QVERIFY(store.read({here, ClientId(clientA.chopped(1))})->events.size() == 1);
    }

    void readsWhatConcernsALock() {
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY(store.append(here, events(0, 5)));
        QCOMPARE(namesOf(store.read({here, lockName("3")})->events), QStringList{QStringLiteral("3")});
        QVERIFY(store.read({here, lockName("none")})->events.empty());
        QVERIFY(!store.read({nowhere, lockName("3")})->reachesTo);
    }

    void readsNoMoreThanItsBounds() {
        EventStore store(path());
        QVERIFY(store.open());
        std::vector<monitor::LockEvent> many = events(0, EventStore::mostLocksRead + 20);
        QVERIFY(store.append(here, many));
        Result<HistoryExcerpt> excerpt = store.read({here, ClientId(clientA)});
        QCOMPARE(excerpt->events.size(), size_t{EventStore::mostLocksRead});
        QVERIFY(!excerpt->complete);
        QCOMPARE(excerpt->events.back().lock.name, many.back().lock.name);

        const std::vector<monitor::LockEvent> one(
            EventStore::mostEventsRead + 5,
            EventStory("L", start).event(EventType::Renewed, 1h, {alice}).events().front());
        QVERIFY(store.append(here, one));
        excerpt = store.read({here, lockName("L")});
        QCOMPARE(excerpt->events.size(), size_t{EventStore::mostEventsRead});
        QVERIFY(!excerpt->complete);
        QCOMPARE(excerpt->reachesTo, std::optional(start + 1h));
    }

    void aFileOfVersionOneIsReadToo() {
        const QString line = QString::fromUtf8(monitor::toJsonLine(events(3, 1).front()));
        runSql({QStringLiteral("CREATE TABLE connection (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)"),
                QStringLiteral("CREATE TABLE event (id INTEGER PRIMARY KEY, connection INTEGER NOT NULL, "
                               "at INTEGER NOT NULL, lease_end INTEGER, line TEXT NOT NULL)"),
                QStringLiteral("INSERT INTO connection (name) VALUES ('%1')").arg(here.text()),
                QStringLiteral("INSERT INTO event (connection, at, line) VALUES (1, 0, '%1')").arg(line),
                QStringLiteral("PRAGMA user_version = 1")});
        for (int run = 0; run < 2; ++run) {
            EventStore store(path());
            QVERIFY(store.open());
            QVERIFY(store.setAside().isEmpty());
            QCOMPARE(namesOf(store.read({here, ClientId(clientA)})->events), QStringList{QStringLiteral("3")});
            QCOMPARE(namesOf(store.read({here, lockName("3")})->events), QStringList{QStringLiteral("3")});
        }
    }

    void forgetsAConnectionForGood() {
        const QString secret = QStringLiteral("secret-name");
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY(store.append(here, EventStory("secret-name", start).event(EventType::Acquired, 0s, {alice}).events()));
        QVERIFY(store.append(elsewhere, events(0, 2)));
        QVERIFY(store.forget(here));
        QVERIFY(namesOf(store.newest(here, 10)).isEmpty());
        QCOMPARE(namesOf(store.newest(elsewhere, 10)).size(), 2);
        for (const QString& name : QDir(m_directory->filePath(QStringLiteral("data"))).entryList(QDir::Files)) {
            QFile file(m_directory->filePath(QStringLiteral("data/") + name));
            QVERIFY(file.open(QFile::ReadOnly));
            QVERIFY2(!file.readAll().contains(secret.toUtf8()), qPrintable(name));
        }
        QVERIFY(store.append(here, events(5, 1)));
        QCOMPARE(namesOf(store.newest(here, 10)), QStringList{QStringLiteral("5")});
    }

    void setsAsideWhatItCannotUse_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QStringList>("sql");
        QTest::addColumn<QString>("why");
        QTest::newRow("no database at all") << QByteArray(5000, 'x') << QStringList() << QStringLiteral("damaged");
        QTest::newRow("of a later version")
            << QByteArray()
            << QStringList{QStringLiteral("CREATE TABLE event (new_column)"), QStringLiteral("PRAGMA user_version = 3")}
            << QStringLiteral("later-version");
        QTest::newRow("somebody else's database")
            << QByteArray() << QStringList{QStringLiteral("CREATE TABLE bookmarks (url)")}
            << QStringLiteral("not-ours");
    }
    void setsAsideWhatItCannotUse() {
        QFETCH(const QByteArray, content);
        QFETCH(const QStringList, sql);
        QFETCH(const QString, why);
        if (sql.isEmpty())
            writeFile(content);
        else
            runSql(sql);
        QFile original(path());
        QVERIFY(original.open(QFile::ReadOnly));
        const QByteArray before = original.readAll();
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY2(store.setAside().startsWith(path() + QLatin1Char('.') + why), qPrintable(store.setAside()));
        QFile aside(store.setAside());
        QVERIFY(aside.open(QFile::ReadOnly));
        QCOMPARE(aside.readAll(), before);
        QVERIFY(store.append(here, events(0, 1)));
        QCOMPARE(namesOf(store.newest(here, 10)), QStringList{QStringLiteral("0")});
    }

    void setsAsideAFileWithADamagedPage() {
        {
            EventStore store(path());
            QVERIFY(store.open());
            QVERIFY(store.append(here, events(0, 500)));
        }
        QFile file(path());
        QVERIFY(file.open(QFile::ReadWrite));
        QVERIFY(file.size() > 3 * 4096);
        for (qint64 page = 4096; page < file.size(); page += 4096) {
            file.seek(page);
            file.write(QByteArray(100, '\xee'));
        }
        file.close();
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY(store.setAside().contains(QStringLiteral(".damaged-")));
        QVERIFY(namesOf(store.newest(here, 10)).isEmpty());
    }

    // The program that uses the file has it open, so its changes are in the log beside it.
    void setsAsideTheLogToo() {
        const AnotherProgram other(path());
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY(store.setAside().contains(QStringLiteral(".not-ours-")));
        QVERIFY(QFile::exists(store.setAside() + QStringLiteral("-wal")));
        QCOMPARE(AnotherProgram::bookmarksIn(store.setAside()), 3);
    }

    void keepsAllOfAFileThatCannotBeSetAside_data() {
        QTest::addColumn<QString>("stuck");
        QTest::newRow("the log") << QStringLiteral("history.sqlite-wal");
        QTest::newRow("the index of the log") << QStringLiteral("history.sqlite-shm");
        QTest::newRow("the file") << QStringLiteral("history.sqlite");
    }
    void keepsAllOfAFileThatCannotBeSetAside() {
        QFETCH(const QString, stuck);
        const AnotherProgram other(path());
        const QStringList before = QDir(m_directory->filePath(QStringLiteral("data"))).entryList(QDir::Files);
        QCOMPARE(before.size(), 3);
        StuckStore store(path(), stuck);
        const Result<Done> opened = store.open();
        QVERIFY(!opened);
        QCOMPARE(opened.error().cause, Cause::FileNotRenamed);
        QCOMPARE(opened.error().arguments, QStringList{m_directory->filePath(QStringLiteral("data/") + stuck)});
        QCOMPARE(store.setAside(), QString());
        QCOMPARE(QDir(m_directory->filePath(QStringLiteral("data"))).entryList(QDir::Files), before);
        QCOMPARE(AnotherProgram::bookmarksIn(path()), 3);
    }

    void saysWhyItCannotBeWritten() {
        QVERIFY(QDir().mkpath(path()));  // a folder where the file should be
        EventStore store(path());
        const Result<Done> opened = store.open();
        QVERIFY(!opened);
        QCOMPARE(opened.error().code, ErrorCode::Storage);
        QVERIFY(!opened.error().text.isEmpty());
    }

    void isReadableByItsOwnerOnly() {
        EventStore store(path());
        QVERIFY(store.open());
        QVERIFY(!(QFile::permissions(path()) & (QFile::ReadGroup | QFile::ReadOther)));
    }
};

LOCKKEEPER_TEST(TestEventStore, Guiless)

}  // namespace tst_eventstore

#include "tst_eventstore.moc"
