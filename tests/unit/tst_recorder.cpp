// SPDX-License-Identifier: Apache-2.0
#include "history/recorder.h"
#include "support/eventstory.h"
#include "support/testprogram.h"

#include <QDir>
#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

namespace tst_recorder {

using namespace lockkeeper;
using namespace lockkeeper::history;
using namespace lockkeeper::test;
using namespace std::chrono_literals;
using monitor::EventType;

namespace {

const profile::ProfileId here(QStringLiteral("@redis.example:6379/0"));
const profile::ProfileId elsewhere(QStringLiteral("elsewhere"));

}  // namespace

class TestRecorder : public QObject {
    Q_OBJECT

private:
    HistoryOptions options() const {
        HistoryOptions options;
        options.path = m_directory->filePath(QStringLiteral("history.sqlite"));
        return options;
    }
    std::vector<monitor::LockEvent> event(const char* name, EventType type = EventType::Acquired) const {
        return EventStory(name, m_clock.wallNow()).event(type, 0ms, {holder(clientA, 33)}).events();
    }
    // "a b |": the names; a bar marks where watching ended.
    static QString loadedBy(Recorder& recorder, const profile::ProfileId& profile) {
        QSignalSpy loaded(&recorder, &Recorder::loaded);
        recorder.record({profile, QString()});
        if (!loaded.wait())
            return QStringLiteral("nothing was answered");
        QStringList names;
        for (const monitor::LockEvent& one : loaded.front().at(0).value<std::vector<monitor::LockEvent>>())
            names << (one.lock.name.isEmpty() ? QStringLiteral("|") : one.lock.name.display());
        return names.join(QLatin1Char(' '));
    }

    // Answers come in the order of the requests.
    static bool isAnswered(HistoryFile& file) {
        QSignalSpy read(&file, &HistoryFile::wasRead);
        file.read(OperationId(99), {profile::ProfileId(QStringLiteral("nowhere")), ClientId(clientA)});
        return read.wait();
    }
    static HistoryExcerpt readBack(HistoryFile& file) {
        QSignalSpy read(&file, &HistoryFile::wasRead);
        file.read(OperationId(98), {here, ClientId(clientA)});
        return read.wait() ? read.front().at(1).value<HistoryExcerpt>() : HistoryExcerpt();
    }
    QSqlDatabase openFile() const {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("another"));
        database.setDatabaseName(options().path);
        return database.open() ? database : QSqlDatabase();
    }
    // Has the effect of a full disk: every insert fails.
    void fillDisk() const {
        QVERIFY(QSqlQuery(openFile())
                    .exec(QStringLiteral(
                        "CREATE TRIGGER full BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'disk is full'); END")));
    }
    void makeRoom() const { QVERIFY(QSqlQuery(openFile()).exec(QStringLiteral("DROP TRIGGER full"))); }

    std::unique_ptr<QTemporaryDir> m_directory;
    ManualClock m_clock;

private Q_SLOTS:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }
    void cleanup() { QSqlDatabase::removeDatabase(QStringLiteral("another")); }

    void keepsEventsForTheNextRun() {
        {
            HistoryFile file(options(), m_clock);
            Recorder recorder(file);
            QCOMPARE(loadedBy(recorder, here), QString());
            recorder.append(event("a"));
            m_clock.advance(600ms);
            recorder.append(event("b"));  // the event is not written yet when the program ends
        }
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("a b |"));
        QCOMPARE(loadedBy(recorder, elsewhere), QString());
    }

    void eachFurtherAttemptToConnectMakesTheGapLonger() {
        {
            HistoryFile file(options(), m_clock);
            Recorder recorder(file);
            QCOMPARE(loadedBy(recorder, here), QString());
            recorder.append(event("a"));
        }
        for (int attempt = 0; attempt < 3; ++attempt) {
            m_clock.advance(3s);
            HistoryFile file(options(), m_clock);
            Recorder recorder(file);
            QCOMPARE(loadedBy(recorder, here), QStringLiteral("a |"));
        }
    }

    void keepsNothingWhileNothingIsRecorded() {
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        recorder.append(event("before"));
        QVERIFY(!m_clock.hasTimers());
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("a"));
        recorder.stop();
        recorder.append(event("after"));
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("a |"));
    }

    void sweepsAreNotHistory() {
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("", EventType::Swept));
        QVERIFY(!m_clock.hasTimers());
    }

    void dropsTheOldestWhenTheDiskIsTooSlow() {
        HistoryOptions small = options();
        small.waiting = 4;
        HistoryFile file(small, m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        for (const char* name : {"a", "b", "c", "d", "e"})
            recorder.append(event(name));
        // A mark stands in place of the dropped events; it and the mark of the end take one place each.
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("| d e |"));
    }

    void tellsOfAFailingDiskOnceAndGoesOn() {
        HistoryOptions broken = options();
        QVERIFY(QDir().mkpath(broken.path));  // a folder where the file should be
        HistoryFile file(broken, m_clock);
        Recorder recorder(file);
        QSignalSpy failed(&file, &HistoryFile::failed);
        QCOMPARE(loadedBy(recorder, here), QString());
        for (const char* name : {"a", "b", "c"}) {
            recorder.append(event(name));
            m_clock.advance(1s);
        }
        // Answers come in the order of the requests.
        QCOMPARE(loadedBy(recorder, here), QString());
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed.front().front().value<Error>().code, ErrorCode::Storage);
        // When the disk works again, the waiting events and new ones are stored.
        QVERIFY(QDir().rmdir(broken.path));
        recorder.append(event("d"));
        recorder.stop();
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("a b c | d |"));
    }

    void triesAgainWhatADiskThatIsFullRefused() {
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QSignalSpy failed(&file, &HistoryFile::failed);
        QCOMPARE(loadedBy(recorder, here), QString());
        fillDisk();
        for (const char* name : {"a", "b"}) {
            recorder.append(event(name));
            m_clock.advance(600ms);
            QVERIFY(isAnswered(file));
        }
        QCOMPARE(failed.count(), 1);
        QVERIFY2(failed.front().front().value<Error>().text.contains(QStringLiteral("disk is full")),
                 qPrintable(failed.front().front().value<Error>().text));
        QVERIFY(!readBack(file).reachesNow);
        makeRoom();
        // The recorder retries by itself: there are no new events and no requests.
        QVERIFY(m_clock.hasTimers());
        m_clock.advance(600ms);
        QVERIFY(isAnswered(file));
        QVERIFY(!m_clock.hasTimers());
        QCOMPARE(readBack(file).events.size(), size_t{2});
        QVERIFY(readBack(file).reachesNow);
        // A second failure is reported again.
        fillDisk();
        recorder.append(event("c"));
        m_clock.advance(600ms);
        QVERIFY(isAnswered(file));
        QCOMPARE(failed.count(), 2);
    }

    void waitsForAFileThatAnotherProgramLocks() {
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        QSqlDatabase other = openFile();
        QVERIFY(QSqlQuery(other).exec(QStringLiteral("BEGIN IMMEDIATE")));
        QSignalSpy failed(&file, &HistoryFile::failed);
        recorder.append(event("a"));
        m_clock.advance(600ms);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(QSqlQuery(other).exec(QStringLiteral("ROLLBACK")));
        m_clock.advance(600ms);
        QVERIFY(isAnswered(file));
        QCOMPARE(readBack(file).events.size(), size_t{1});
        QVERIFY(readBack(file).reachesNow);
    }

    void whatWaitsIsOfItsOwnConnection() {
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        fillDisk();
        recorder.append(event("a"));
        QCOMPARE(loadedBy(recorder, elsewhere), QString());
        recorder.append(event("b"));
        recorder.stop();
        // The history is complete also while the disk fails.
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("a |"));
        makeRoom();
        m_clock.advance(600ms);
        QCOMPARE(loadedBy(recorder, elsewhere), QStringLiteral("b |"));
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("a |"));
        QVERIFY(!m_clock.hasTimers());
    }

    void tellsWhatHadToBeGivenUp() {
        HistoryOptions small = options();
        small.waiting = 3;
        HistoryFile file(small, m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("a"));
        m_clock.advance(600ms);
        QVERIFY(isAnswered(file));
        fillDisk();
        const WallTime firstLost = m_clock.wallNow();
        for (const char* name : {"b", "c", "d", "e"}) {
            recorder.append(event(name));
            m_clock.advance(1s);
            QVERIFY(isAnswered(file));
        }
        makeRoom();
        m_clock.advance(1s);
        QVERIFY(isAnswered(file));
        const std::vector<monitor::LockEvent> events = readBack(file).events;
        QCOMPARE(events.size(), size_t{4});  // a, the mark, d, e
        QCOMPARE(events[0].lock.name, lockName("a"));
        QCOMPARE(events[1].type, EventType::NotWatched);
        QVERIFY(events[1].notWritten);
        QCOMPARE(events[1].at - events[1].gap, firstLost);
        QCOMPARE(events[1].at, events[2].at);
        QCOMPARE(events[2].lock.name, lockName("d"));
    }

    // A list reads what the window has kept, whatever its age.
    void aFileThatIsOnlyReadStaysAsItIs() {
        HistoryOptions reading = options();
        reading.use = HistoryOptions::Use::Read;
        reading.retention.rows = 1;
        {
            HistoryFile none(reading, m_clock);
            Recorder recorder(none);
            QCOMPARE(loadedBy(recorder, here), QString());
        }
        QVERIFY(!QFileInfo::exists(reading.path));
        {
            HistoryFile file(options(), m_clock);
            Recorder recorder(file);
            (void)loadedBy(recorder, here);
            recorder.append(event("a"));
            recorder.append(event("b"));
        }
        {
            HistoryFile file(reading, m_clock);
            Recorder recorder(file);
            QCOMPARE(loadedBy(recorder, here), QStringLiteral("a b |"));
            m_clock.advance(10s);  // beyond the time until a recorder that was refused tries again
            recorder.append(event("c"));
        }
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("a b |"));
    }

    void forgetsAlsoWhatCouldNotBeWritten() {
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        fillDisk();
        recorder.append(event("a"));
        m_clock.advance(600ms);
        QSignalSpy forgotten(&file, &HistoryFile::forgotten);
        file.forget(OperationId(1), here);
        QVERIFY(forgotten.wait());
        makeRoom();
        recorder.append(event("b"));
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("b |"));
    }

    void theGapStandsInTheFileThoughNobodyWaitedForIt() {
        {
            HistoryFile file(options(), m_clock);
            Recorder recorder(file);
            QCOMPARE(loadedBy(recorder, here), QString());
            recorder.append(event("a"));
        }
        m_clock.advance(5s);
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        recorder.record({here, QString()});
        recorder.append(event("b"));
        const std::vector<monitor::LockEvent> events = readBack(file).events;
        QCOMPARE(events.size(), size_t{4});  // a, the end of watching, the gap, b
        QCOMPARE(events[2].type, EventType::NotWatched);
        QCOMPARE(events[2].gap, Milliseconds(5s));
        QCOMPARE(events[3].lock.name, lockName("b"));
    }

    void readsAlsoWhatIsNotWrittenYet() {
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("a"));
        QSignalSpy read(&file, &HistoryFile::wasRead);
        file.read(OperationId(7), {here, ClientId(clientA)});
        QVERIFY(read.wait());
        QCOMPARE(read.front().at(0).value<OperationId>(), OperationId(7));
        QCOMPARE(read.front().at(1).value<HistoryExcerpt>().events.size(), size_t{1});
        QVERIFY(read.front().at(1).value<HistoryExcerpt>().reachesNow);
        QVERIFY(!m_clock.hasTimers());
        recorder.stop();
        file.read(OperationId(8), {here, ClientId(clientA)});
        QVERIFY(read.wait());
        QVERIFY(!read.back().at(1).value<HistoryExcerpt>().reachesNow);
    }

    void saysWhyItCannotRead() {
        HistoryOptions broken = options();
        QVERIFY(QDir().mkpath(broken.path));
        HistoryFile file(broken, m_clock);
        Recorder recorder(file);
        QSignalSpy read(&file, &HistoryFile::wasRead);
        QSignalSpy forgotten(&file, &HistoryFile::forgotten);
        file.read(OperationId(1), {here, ClientId(clientA)});
        file.forget(OperationId(2), here);
        QVERIFY(forgotten.wait());
        QCOMPARE(read.front().at(1).value<HistoryExcerpt>().error->code, ErrorCode::Storage);
        QCOMPARE(forgotten.front().at(1).value<std::optional<Error>>()->code, ErrorCode::Storage);
    }

    void forgetsWhatIsWrittenAndWhatWaits() {
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("a"));
        m_clock.advance(600ms);
        recorder.append(event("b"));
        QSignalSpy forgotten(&file, &HistoryFile::forgotten);
        file.forget(OperationId(1), here);
        QVERIFY(forgotten.wait());
        QVERIFY(!forgotten.front().at(1).value<std::optional<Error>>());
        recorder.append(event("c"));
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("c |"));
    }

    void keepsNothingUntilItIsWanted() {
        HistoryOptions off = options();
        off.retention.age = 0h;
        HistoryFile file(off, m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("a"));
        QVERIFY(!m_clock.hasTimers());
        QSignalSpy forgotten(&file, &HistoryFile::forgotten);
        file.read(OperationId(1), {here, ClientId(clientA)});
        file.forget(OperationId(2), here);
        QVERIFY(forgotten.wait());
        QVERIFY(!QFile::exists(off.path));
        file.setRetention(Retention());
        recorder.append(event("b"));
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("b |"));
    }

    void aTimeWithoutKeepingIsAGap() {
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("a"));
        Retention nothing;
        nothing.rows = 0;
        file.setRetention(nothing);
        QVERIFY(!m_clock.hasTimers());
        recorder.append(event("missed"));
        m_clock.advance(5s);
        file.setRetention(Retention());
        recorder.append(event("b"));
        QSignalSpy read(&file, &HistoryFile::wasRead);
        file.read(OperationId(1), {here, ClientId(clientA)});
        QVERIFY(read.wait());
        const auto events = read.front().at(1).value<HistoryExcerpt>().events;
        QCOMPARE(events.size(), size_t{4});  // a, the end of watching, the gap, b
        QCOMPARE(events[2].type, EventType::NotWatched);
        QCOMPARE(events[2].gap, Milliseconds(5s));
    }

    void aGapBeginsAfterWhatIsNotWrittenYet() {
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        fillDisk();
        recorder.append(event("a"));
        Retention nothing;
        nothing.rows = 0;
        file.setRetention(nothing);
        m_clock.advance(5s);
        file.setRetention(Retention());
        QVERIFY(isAnswered(file));
        makeRoom();
        m_clock.advance(600ms);
        const std::vector<monitor::LockEvent> events = readBack(file).events;
        QCOMPARE(events.size(), size_t{3});  // a, the end of watching, the gap
        QCOMPARE(events[2].gap, Milliseconds(5s));
    }

    void keepingThatBeginsAfterNothingLeavesNoGap() {
        HistoryOptions off = options();
        off.retention.age = 0h;
        HistoryFile file(off, m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        m_clock.advance(5s);
        file.setRetention(Retention());
        QVERIFY(readBack(file).events.empty());
    }

    void aSmallerRoomDropsTheOldestAtOnce() {
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, here), QString());
        for (const char* name : {"a", "b", "c"})
            recorder.append(event(name));
        recorder.stop();
        Retention small;
        small.rows = 2;
        file.setRetention(small);
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("c |"));
    }

    void severalSessionsKeepTheirEventsInOneFile() {
        HistoryFile file(options(), m_clock);
        Recorder one(file);
        Recorder other(file);
        QCOMPARE(loadedBy(one, here), QString());
        QCOMPARE(loadedBy(other, elsewhere), QString());
        one.append(event("a"));
        other.append(event("b"));
        one.append(event("c"));
        one.stop();
        QCOMPARE(loadedBy(one, here), QStringLiteral("a c |"));
        other.stop();
        QCOMPARE(loadedBy(other, elsewhere), QStringLiteral("b |"));
    }

    // Otherwise each event would be stored twice.
    void oneSessionAtATimeRecordsAProfile() {
        HistoryFile file(options(), m_clock);
        Recorder first(file);
        QCOMPARE(loadedBy(first, here), QString());
        first.append(event("a"));
        {
            Recorder second(file);
            QCOMPARE(loadedBy(second, here), QStringLiteral("a |"));
            second.append(event("twice"));
        }
        first.stop();
        QCOMPARE(loadedBy(first, here), QStringLiteral("a |"));
    }

    // Two windows of one user share the file.
    void oneProgramAtATimeRecordsAProfile() {
        HistoryFile file(options(), m_clock);
        Recorder first(file);
        QCOMPARE(loadedBy(first, here), QString());
        first.append(event("a"));
        m_clock.advance(600ms);
        QVERIFY(isAnswered(file));
        HistoryFile ofTheOther(options(), m_clock);
        Recorder second(ofTheOther);
        QCOMPARE(loadedBy(second, here), QStringLiteral("a |"));
        second.append(event("twice"));
        Recorder third(ofTheOther);
        QCOMPARE(loadedBy(third, elsewhere), QString());
        third.append(event("b"));
        third.stop();
        QCOMPARE(loadedBy(third, elsewhere), QStringLiteral("b |"));
        first.stop();
        QVERIFY(isAnswered(file));
        QCOMPARE(loadedBy(second, here), QStringLiteral("a |"));
    }

    void theOtherProgramRecordsOnWhenTheFirstHasEnded() {
        HistoryFile file(options(), m_clock);
        Recorder first(file);
        QCOMPARE(loadedBy(first, here), QString());
        first.append(event("a"));
        HistoryFile ofTheOther(options(), m_clock);
        Recorder second(ofTheOther);
        QCOMPARE(loadedBy(second, here), QString());
        first.stop();
        QVERIFY(isAnswered(file));
        m_clock.advance(6s);
        second.append(event("b"));
        second.stop();
        QVERIFY(isAnswered(ofTheOther));
        QCOMPARE(loadedBy(first, here), QStringLiteral("a | b |"));
    }

    // Histories were kept under the address before profiles had ids.
    void takesOverWhatWasKeptUnderTheAddress() {
        const profile::ProfileId address(QStringLiteral("redis.example:6379/0"));
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QCOMPARE(loadedBy(recorder, address), QString());
        recorder.append(event("a"));
        recorder.stop();
        QSignalSpy loaded(&recorder, &Recorder::loaded);
        recorder.record({here, address.text()});
        QVERIFY(loaded.wait());
        QCOMPARE(loaded.front().front().value<std::vector<monitor::LockEvent>>().front().lock.name, lockName("a"));
        QCOMPARE(loadedBy(recorder, address), QString());
    }

    void tellsWhereADamagedFileIsNow() {
        QFile damaged(options().path);
        QVERIFY(damaged.open(QFile::WriteOnly));
        damaged.write(QByteArray(5000, 'x'));
        damaged.close();
        HistoryFile file(options(), m_clock);
        Recorder recorder(file);
        QSignalSpy aside(&file, &HistoryFile::setAside);
        QCOMPARE(loadedBy(recorder, here), QString());
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("|"));
        QCOMPARE(aside.count(), 1);
        QVERIFY(QFile::exists(aside.front().front().toString()));
    }
};

LOCKKEEPER_TEST(TestRecorder, Guiless)

}  // namespace tst_recorder

#include "tst_recorder.moc"
