#include "history/recorder.h"
#include "support/eventstory.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::history;
using namespace lockkeeper::test;
using namespace std::chrono_literals;
using monitor::EventType;

namespace {

const QString here = QStringLiteral("redis.example:6379/0");

}  // namespace

class TestRecorder : public QObject {
    Q_OBJECT

private:
    RecorderOptions options() const {
        RecorderOptions options;
        options.path = m_directory->filePath(QStringLiteral("history.sqlite"));
        return options;
    }
    std::vector<monitor::LockEvent> event(const char* name, EventType type = EventType::Acquired) const {
        return EventStory(name, m_clock.wallNow()).event(type, 0ms, {holder(clientA, 33)}).events();
    }
    // "a b |": the names; a bar is where watching ended.
    static QString loadedBy(Recorder& recorder, const QString& connection) {
        QSignalSpy loaded(&recorder, &Recorder::loaded);
        recorder.record(connection);
        if (!loaded.wait())
            return QStringLiteral("nothing was answered");
        QStringList names;
        for (const monitor::LockEvent& one : loaded.front().at(1).value<std::vector<monitor::LockEvent>>())
            names << (one.lock.name.isEmpty() ? QStringLiteral("|") : one.lock.name.display());
        return names.join(QLatin1Char(' '));
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    ManualClock m_clock;

private Q_SLOTS:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }

    void keepsEventsForTheNextRun() {
        {
            Recorder recorder(options(), m_clock);
            QCOMPARE(loadedBy(recorder, here), QString());
            recorder.append(event("a"));
            m_clock.advance(600ms);
            recorder.append(event("b"));  // not written yet when the program ends
        }
        Recorder recorder(options(), m_clock);
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("a b |"));
        QCOMPARE(loadedBy(recorder, QStringLiteral("elsewhere")), QString());
    }

    void keepsNothingWhileNothingIsRecorded() {
        Recorder recorder(options(), m_clock);
        recorder.append(event("before"));
        QVERIFY(!m_clock.hasTimers());
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("a"));
        recorder.stop();
        recorder.append(event("after"));
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("a |"));
    }

    void sweepsAreNotHistory() {
        Recorder recorder(options(), m_clock);
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("", EventType::Swept));
        QVERIFY(!m_clock.hasTimers());
    }

    void dropsTheOldestWhenTheDiskIsTooSlow() {
        RecorderOptions small = options();
        small.waiting = 2;
        Recorder recorder(small, m_clock);
        QCOMPARE(loadedBy(recorder, here), QString());
        for (const char* name : {"a", "b", "c", "d"})
            recorder.append(event(name));
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("c d |"));
    }

    void tellsOfAFailingDiskOnceAndGoesOn() {
        RecorderOptions broken = options();
        QVERIFY(QDir().mkpath(broken.path));  // a folder where the file should be
        Recorder recorder(broken, m_clock);
        QSignalSpy failed(&recorder, &Recorder::failed);
        QCOMPARE(loadedBy(recorder, here), QString());
        for (const char* name : {"a", "b", "c"}) {
            recorder.append(event(name));
            m_clock.advance(1s);
        }
        // Answers come in the order of the asking.
        QCOMPARE(loadedBy(recorder, here), QString());
        QCOMPARE(failed.count(), 1);
        QCOMPARE(failed.front().front().value<Error>().code, ErrorCode::Storage);
        // Once there is a disk again, what comes is kept.
        QVERIFY(QDir().rmdir(broken.path));
        recorder.append(event("d"));
        recorder.stop();
        QVERIFY(loadedBy(recorder, here).endsWith(QStringLiteral("d |")));
    }

    void readsAlsoWhatIsNotWrittenYet() {
        Recorder recorder(options(), m_clock);
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("a"));
        QSignalSpy read(&recorder, &Recorder::wasRead);
        recorder.read(OperationId(7), {here, ClientId(clientA)});
        QVERIFY(read.wait());
        QCOMPARE(read.front().at(0).value<OperationId>(), OperationId(7));
        QCOMPARE(read.front().at(1).value<HistoryExcerpt>().events.size(), size_t{1});
        QVERIFY(read.front().at(1).value<HistoryExcerpt>().reachesNow);
        QVERIFY(!m_clock.hasTimers());
        recorder.stop();
        recorder.read(OperationId(8), {here, ClientId(clientA)});
        QVERIFY(read.wait());
        QVERIFY(!read.back().at(1).value<HistoryExcerpt>().reachesNow);
    }

    void saysWhyItCannotRead() {
        RecorderOptions broken = options();
        QVERIFY(QDir().mkpath(broken.path));
        Recorder recorder(broken, m_clock);
        QSignalSpy read(&recorder, &Recorder::wasRead);
        QSignalSpy forgotten(&recorder, &Recorder::forgotten);
        recorder.read(OperationId(1), {here, ClientId(clientA)});
        recorder.forget(OperationId(2), here);
        QVERIFY(forgotten.wait());
        QCOMPARE(read.front().at(1).value<HistoryExcerpt>().error->code, ErrorCode::Storage);
        QCOMPARE(forgotten.front().at(1).value<std::optional<Error>>()->code, ErrorCode::Storage);
    }

    void forgetsWhatIsWrittenAndWhatWaits() {
        Recorder recorder(options(), m_clock);
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("a"));
        m_clock.advance(600ms);
        recorder.append(event("b"));
        QSignalSpy forgotten(&recorder, &Recorder::forgotten);
        recorder.forget(OperationId(1), here);
        QVERIFY(forgotten.wait());
        QVERIFY(!forgotten.front().at(1).value<std::optional<Error>>());
        recorder.append(event("c"));
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("c |"));
    }

    void keepsNothingUntilItIsWanted() {
        RecorderOptions off = options();
        off.retention.age = 0h;
        Recorder recorder(off, m_clock);
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("a"));
        QVERIFY(!m_clock.hasTimers());
        QSignalSpy forgotten(&recorder, &Recorder::forgotten);
        recorder.read(OperationId(1), {here, ClientId(clientA)});
        recorder.forget(OperationId(2), here);
        QVERIFY(forgotten.wait());
        QVERIFY(!QFile::exists(off.path));
        recorder.setRetention(Retention());
        recorder.append(event("b"));
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("b |"));
    }

    void aTimeWithoutKeepingIsAGap() {
        Recorder recorder(options(), m_clock);
        QCOMPARE(loadedBy(recorder, here), QString());
        recorder.append(event("a"));
        Retention nothing;
        nothing.rows = 0;
        recorder.setRetention(nothing);
        QVERIFY(!m_clock.hasTimers());
        recorder.append(event("missed"));
        m_clock.advance(5s);
        recorder.setRetention(Retention());
        recorder.append(event("b"));
        QSignalSpy read(&recorder, &Recorder::wasRead);
        recorder.read(OperationId(1), {here, ClientId(clientA)});
        QVERIFY(read.wait());
        const auto events = read.front().at(1).value<HistoryExcerpt>().events;
        QCOMPARE(events.size(), size_t{4});  // a, up to then, the gap, b
        QCOMPARE(events[2].type, EventType::NotWatched);
        QCOMPARE(events[2].gap, Milliseconds(5s));
    }

    void aSmallerRoomDropsTheOldestAtOnce() {
        Recorder recorder(options(), m_clock);
        QCOMPARE(loadedBy(recorder, here), QString());
        for (const char* name : {"a", "b", "c"})
            recorder.append(event(name));
        recorder.stop();
        Retention small;
        small.rows = 2;
        recorder.setRetention(small);
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("c |"));
    }

    void tellsWhereADamagedFileIsNow() {
        QFile file(options().path);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(QByteArray(5000, 'x'));
        file.close();
        Recorder recorder(options(), m_clock);
        QSignalSpy aside(&recorder, &Recorder::setAside);
        QCOMPARE(loadedBy(recorder, here), QString());
        QCOMPARE(loadedBy(recorder, here), QStringLiteral("|"));
        QCOMPARE(aside.count(), 1);
        QVERIFY(QFile::exists(aside.front().front().toString()));
    }
};

QTEST_GUILESS_MAIN(TestRecorder)
#include "tst_recorder.moc"
