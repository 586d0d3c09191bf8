// SPDX-License-Identifier: Apache-2.0
#include "recording/clienttrace.h"
#include "recording/replay.h"
#include "support/locksnapshots.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

namespace tst_clienttrace {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::recording;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const QDir scenarios(test::places::data() + QStringLiteral("/redisson-4.7.0"));

// "acquired L A": clients by their letter.
QByteArray shortened(const LockEvent& event) {
    QByteArray text = wordFor(event.type).toLatin1() + ' ' + event.lock.name.bytes();
    if (event.holder)
        text += ' ' + event.holder->id.client().bytes().first(1).toUpper();
    return text;
}

std::vector<LockEvent> eventsOf(RecordingFile& file) {
    Replay replay(file, Replay::Batches::Together);
    while (replay.nextAt())
        (void)replay.feed();
    const SharedBatch batch = replay.take();
    return batch ? batch->events : std::vector<LockEvent>();
}

QByteArrayList storyOf(const QString& path) {
    const RecordingFile::Opened opened = RecordingFile::open(path);
    QByteArrayList story;
    for (const LockEvent& event : opened.file ? eventsOf(*opened.file) : std::vector<LockEvent>()) {
        if (event.type != EventType::Swept)
            story += shortened(event);
    }
    return story;
}

std::vector<SynchronizerReading> readingsIn(const ClientTrace& trace) {
    std::vector<SynchronizerReading> readings;
    for (const Record& record : trace.records) {
        const auto* ended = std::get_if<BatchEnded>(&record.entry);
        if (ended && ended->synchronizers)
            readings.push_back(*ended->synchronizers);
    }
    return readings;
}

// "semaphore S 0 x1": the name, the count, and how many clients wait; "latch T 2 x1".
QByteArray shortened(const Synchronizer& one) {
    QByteArray text = one.kind == SynchronizerKind::Semaphore ? "semaphore " : "latch ";
    text += one.name.bytes() + ' ' + (one.count ? QByteArray::number(*one.count) : QByteArray("?")) + " x" +
            QByteArray::number(one.clients);
    if (one.leased.value_or(0) > 0)
        text += " leased " + QByteArray::number(*one.leased);
    return text;
}

QByteArray scenarioOf(const QByteArray& steps) {
    return R"({"scenario": "made up", "client": "Redisson", "steps": [)" + steps + "]}";
}

QByteArray heldStep(const QByteArray& pttl, const QByteArray& more = {}) {
    return R"({"do": "A.lock L", "keys": {"L": {"type": "hash", "value": {"<A>:1": "1"}, "pttl": )" + pttl + "}}" +
           more + '}';
}

}  // namespace

class TestClientTrace : public QObject {
    Q_OBJECT

private:
    [[nodiscard]] QString fileWith(const QByteArray& content) const {
        QFile file(m_directory.filePath(QStringLiteral("trace.json")));
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? file.fileName() : QString();
    }
    QTemporaryDir m_directory;

private Q_SLOTS:
    void everyScenarioOpensAsARecording() {
        const QStringList files = scenarios.entryList({QStringLiteral("*.json")});
        QVERIFY(!files.isEmpty());
        for (const QString& name : files) {
            const RecordingFile::Opened opened = RecordingFile::open(scenarios.filePath(name));
            QVERIFY2(opened.file, qPrintable(name));
            QCOMPARE(opened.file->info().server, QFileInfo(name).baseName());
            QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
            QVERIFY2(opened.file->last() > opened.file->first(), qPrintable(name));
        }
    }

    void tellsWhatTheClientDid_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArrayList>("story");
        QTest::newRow("hold, reenter, hand over")
            << "reentrant.json" << QByteArrayList{"acquired L A",      "reentered L A",   "renewed L A",
                                                  "released_once L A", "handed_over L B", "released L B"};
        QTest::newRow("the watchdog, and a lease that ends")
            << "watchdog.json" << QByteArrayList{"acquired L A", "renewed L A", "released L A",
                                                 "acquired L A", "expired L A", "diagnosis L"};
        QTest::newRow("a reader is cut short")
            << "mixed_readers.json"
            << QByteArrayList{"acquired R A", "acquired R B",    "diagnosis R",  "released R A",
                              "diagnosis R",  "released R B",    "acquired R B", "acquired R A",
                              "diagnosis R",  "handed_over R C", "diagnosis R",  "released R C"};
        QTest::newRow("a master dies") << "sentinel_crash.json"
                                       << QByteArrayList{"acquired L A", "renewed L A",     "released L A",
                                                         "acquired L B", "renewed L B",     "renewed L B",
                                                         "renewed L B",  "handed_over L C", "released L C"};
    }
    void tellsWhatTheClientDid() {
        QFETCH(QString, file);
        QFETCH(QByteArrayList, story);
        QCOMPARE(storyOf(scenarios.filePath(file)), story);
    }

    // Each caption appears when its step has been done.
    void theTextsOfTheStepsAreCaptions() {
        const RecordingFile::Opened opened = RecordingFile::open(scenarios.filePath(QStringLiteral("reentrant.json")));
        QVERIFY(opened.file);
        Replay replay(*opened.file, Replay::Batches::Together);
        QStringList captions;
        while (const std::optional<SteadyTime> at = replay.nextAt()) {
            const std::optional<Caption> caption = replay.feed().caption;
            if (!caption)
                continue;
            captions += caption->text;
            QVERIFY(*at > opened.file->first());
        }
        QFile file(scenarios.filePath(QStringLiteral("reentrant.json")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QStringList texts;
        for (const QJsonValue& step : QJsonDocument::fromJson(file.readAll()).object()[u"steps"].toArray())
            texts += step[u"do"].toString();
        QVERIFY(!texts.isEmpty());
        QCOMPARE(captions, texts);
    }

    // As a server would show them: those that clients wait for. "S 0 x1": the name, the count, and how many clients
    // wait.
    void showsWhatClientsWaitFor_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArrayList>("story");
        QTest::newRow("a semaphore") << "semaphore.json"
                                     << QByteArrayList{"semaphore S 0 x1",  "", "semaphore S 3 x1", "",
                                                       "semaphore S -1 x1", ""};
        QTest::newRow("permits with leases")
            << "permit_semaphore.json"
            << QByteArrayList{"semaphore P 0 x1 leased 2", "", "semaphore P 0 x1 leased 2", ""};
        QTest::newRow("a latch, and two who await it")
            << "latch.json" << QByteArrayList{"latch T 2 x1", "latch T 2 x2", "latch T 1 x2", ""};
        QTest::newRow("slots that move") << "cluster_latch_reshard.json"
                                         << QByteArrayList{"latch L 1 x1",      "", "semaphore K2 0 x1", "",
                                                           "semaphore K2 0 x1", ""};
        QTest::newRow("locks alone") << "reentrant.json" << QByteArrayList{};
    }
    void showsWhatClientsWaitFor() {
        QFETCH(QString, file);
        QFETCH(QByteArrayList, story);
        QFile scenario(scenarios.filePath(file));
        QVERIFY(scenario.open(QIODevice::ReadOnly));
        QByteArrayList seen;
        for (const SynchronizerReading& reading : readingsIn(*clientTraceIn(scenario.readAll()))) {
            QByteArrayList words;
            for (const Synchronizer& one : reading.seen)
                words += shortened(one);
            seen += words.join(", ");
        }
        QCOMPARE(seen, story);
    }

    // A replay shows them in the panel and in the printed lines.
    void aReplayHasThem() {
        const RecordingFile::Opened opened = RecordingFile::open(scenarios.filePath(QStringLiteral("latch.json")));
        Replay replay(*opened.file, Replay::Batches::AsDelivered);
        int most = 0;
        while (replay.nextAt()) {
            const Replay::Passed passed = replay.feed();
            for (const Synchronizer& one : passed.batch&& passed.batch->synchronizers
                                               ? passed.batch->synchronizers->seen
                                               : std::vector<Synchronizer>())
                most = std::max(most, one.clients);
        }
        QCOMPARE(most, 2);
    }

    // If the ends of all leases are known, the leases are listed, those that end first at the front.
    void leasesAreListedIfAllEndsAreKnown_data() {
        QTest::addColumn<QByteArray>("ends");
        QTest::addColumn<size_t>("listed");
        QTest::newRow("all") << QByteArray(R"("<permit-1>": "922337203685477", "<permit-2>": "<now+5000>")")
                             << size_t(2);
        QTest::newRow("not all") << QByteArray(R"("<permit-1>": "<deadline>", "<permit-2>": "<now+5000>")")
                                 << size_t(0);
    }
    void leasesAreListedIfAllEndsAreKnown() {
        QFETCH(QByteArray, ends);
        QFETCH(size_t, listed);
        const std::optional<ClientTrace> trace = clientTraceIn(scenarioOf(
            R"({"do": "C.acquire P starts waiting", "keys_at": 100, "channels": ["redisson_sc:{P}"], "keys": {
                "P": {"type": "string", "value": "0", "pttl": -1},
                "{P}:timeout": {"type": "zset", "value": {)" +
            ends + R"(}, "pttl": -1}}})"));
        const std::vector<SynchronizerReading> readings = readingsIn(*trace);
        QCOMPARE(readings.size(), size_t(1));
        const Synchronizer& permits = readings.front().seen.at(0);
        QCOMPARE(permits.leased, std::optional<qint64>(2));
        QCOMPARE(permits.leases.size(), listed);
        if (listed == 0)
            return;
        QCOMPARE(permits.leases.at(0).id, QByteArray(16, '\2'));
        QCOMPARE(permits.leases.at(0).ends, std::optional(trace->info.begun + 5100ms));
        QCOMPARE(permits.leases.at(1).ends, std::nullopt);
    }

    // Keys that exist, also under two names of one channel; keys that are no counter; and clients that have died.
    void readsWhatItFinds_data() {
        QTest::addColumn<QByteArray>("steps");
        QTest::addColumn<QByteArray>("last");
        const QByteArray channel = R"("channels": ["redisson_sc:{S}"], )";
        const auto step = [&channel](const QByteArray& text, const QByteArray& keys) {
            return QByteArray(R"({"do": ")" + text + R"(", )" + channel + R"("keys": {)" + keys + "}}");
        };
        const QByteArray one = R"("S": {"type": "string", "value": "0", "pttl": -1})";
        QTest::newRow("a name in braces")
            << step("?", R"("{S}": {"type": "string", "value": "7", "pttl": -1})") << QByteArray("semaphore {S} 7 x1");
        QTest::newRow("no key") << step("?", "") << QByteArray("semaphore S 0 x1");
        QTest::newRow("no counter") << step("?", R"("S": {"type": "list", "value": [], "pttl": -1})")
                                    << QByteArray("semaphore S ? x1");
        QTest::newRow("three wait, one is killed")
            << step("A.acquire S starts waiting", one) + ',' + step("B.acquire S starts waiting", one) + ',' +
                   step("C.acquire S starts waiting", one) + ',' + step("B is killed", one)
            << QByteArray("semaphore S 0 x2");
        const QByteArray answered =
            R"("channels": ["redisson_sc:{S}"], "answers": {"A.acquire S 4": "OK acquired"}, "keys": {)" + one + "}";
        QTest::newRow("two wait, one has it")
            << step("A.acquire S 4 permits starts waiting", one) + ',' + step("B.acquire S starts waiting", one) +
                   R"(,{"do": "C.release S", "answer": "OK released", )" + answered + '}'
            << QByteArray("semaphore S 0 x1");
    }
    void readsWhatItFinds() {
        QFETCH(QByteArray, steps);
        QFETCH(QByteArray, last);
        const std::vector<SynchronizerReading> readings = readingsIn(*clientTraceIn(scenarioOf(steps)));
        QVERIFY(!readings.empty());
        QCOMPARE(shortened(readings.back().seen.at(0)), last);
    }

    // A file cannot make more rows than a server.
    void showsNoMoreThanOfAServer() {
        QByteArrayList channels;
        for (int i = 0; i <= SynchronizerReading::mostSeen; ++i)
            channels += "\"redisson_sc:{" + QByteArray::number(i) + "}\"";
        const std::vector<SynchronizerReading> readings = readingsIn(
            *clientTraceIn(scenarioOf(R"({"do": "?", "keys": {}, "channels": [)" + channels.join(',') + "]}")));
        QCOMPARE(readings.size(), size_t(1));
        QCOMPARE(std::ssize(readings.front().seen), SynchronizerReading::mostSeen);
        QVERIFY(readings.front().isCutOff());
    }

    // The length of a step follows from its text, the keys' own time, a lease that went on, or one that has ended.
    void aStepTakesItsTime_data() {
        QTest::addColumn<QByteArray>("steps");
        QTest::addColumn<Milliseconds>("length");
        const QByteArray first = heldStep("2900", R"(, "keys_at": 100)");
        QTest::newRow("nothing tells it") << heldStep("2900") << Milliseconds(200ms);
        QTest::newRow("it is written") << first << Milliseconds(100ms);
        QTest::newRow("the lease went on") << first + ',' + heldStep("2400") << Milliseconds(600ms);
        QTest::newRow("the lease was renewed") << first + ',' + heldStep("3000") << Milliseconds(300ms);
        QTest::newRow("the lease has ended")
            << first + R"(,{"do": "nothing", "keys": {}})" << Milliseconds(100ms + 2900ms + 200ms);
        QTest::newRow("it was deleted") << first +
                                               R"(,{"do": "DEL", "effects": [{"command": ["DEL", "L"]}], "keys": {}})"
                                        << Milliseconds(300ms);
        QTest::newRow("the text tells it") << first + R"(,{"do": "2.4 s later", "keys": {}})" << Milliseconds(2500ms);
    }
    void aStepTakesItsTime() {
        QFETCH(QByteArray, steps);
        QFETCH(Milliseconds, length);
        const std::optional<ClientTrace> trace = clientTraceIn(scenarioOf(steps));
        QVERIFY(trace);
        QCOMPARE(trace->records.back().at - trace->info.begunSteady, SteadyTime::duration(length));
    }

    void aDeadlineIsAsLongAfterItsStepAsWritten() {
        const std::optional<ClientTrace> trace = clientTraceIn(scenarioOf(
            R"({"do": "wait", "keys_at": 100, "keys": {"L": {"type": "hash", "value": {"<A>:1": "1"}, "pttl": 900},
                "redisson_lock_queue:{L}": {"type": "list", "value": ["<B>:2", "<C>:3"], "pttl": -1},
                "redisson_lock_timeout:{L}": {"type": "zset", "value": {"<B>:2": "<now+5000>", "<C>:3": "<deadline>"}, "pttl": -1}}})"));
        QVERIFY(trace);
        const auto read = std::ranges::find_if(trace->records, [](const Record& record) {
            const auto* input = std::get_if<StoreInput>(&record.entry);
            return input && std::holds_alternative<LockRead>(*input);
        });
        QVERIFY(read != trace->records.end());
        const QList<FairWaiter> queue = std::get<LockRead>(std::get<StoreInput>(read->entry)).lock.fairQueue;
        QCOMPARE(queue.size(), 2);
        QCOMPARE(queue[0].deadline, std::optional(trace->info.begun + 5100ms));
        QCOMPARE(queue[1].deadline, std::nullopt);
    }

    // Numbers that no client writes must do no harm, either.
    void anotherTextIsNoScenario_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("opens");
        QTest::newRow("no JSON") << QByteArray("{") << false;
        QTest::newRow("an event") << QByteArray(R"({"event": "found"})") << false;
        QTest::newRow("no steps") << scenarioOf({}) << false;
        QTest::newRow("a step without keys") << scenarioOf(R"({"do": "A.lock L"})") << false;
        QTest::newRow("keys that are a list") << scenarioOf(R"({"keys": []})") << false;
        QTest::newRow("a step that is a number") << scenarioOf("7") << false;
        const QByteArray empty = R"({"keys": {}})";
        QTest::newRow("many steps") << scenarioOf((empty + ',').repeated(9'999) + empty) << true;
        QTest::newRow("more steps than any scenario") << scenarioOf((empty + ',').repeated(10'000) + empty) << false;
        QTest::newRow("the longest lease")
            << scenarioOf(heldStep("9223372036854775807") + ',' + heldStep("-9223372036854775807")) << true;
        QTest::newRow("the longest step") << scenarioOf(heldStep("1", R"(, "keys_at": 9223372036854775807)")) << true;
        QTest::newRow("before the begin") << scenarioOf(heldStep("1", R"(, "keys_at": -9223372036854775807)")) << true;
    }
    void anotherTextIsNoScenario() {
        QFETCH(QByteArray, text);
        QFETCH(bool, opens);
        const RecordingFile::Opened opened = RecordingFile::open(fileWith(text));
        QCOMPARE(opened.file != nullptr, opens);
        if (!opens)
            QCOMPARE(opened.problem.kind, OpenProblem::Kind::NotRecording);
    }
};

LOCKKEEPER_TEST(TestClientTrace, Guiless)

}  // namespace tst_clienttrace

#include "tst_clienttrace.moc"
