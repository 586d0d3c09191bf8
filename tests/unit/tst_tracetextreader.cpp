// SPDX-License-Identifier: Apache-2.0
#include "recording/excerpt.h"
#include "recording/monitortrace/tracetextreader.h"
#include "recording/replay.h"
#include "support/locksnapshots.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_tracetextreader {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::recording;
using namespace std::chrono_literals;

namespace {

const QDir traces(test::places::data() + QStringLiteral("/monitor"));

QByteArray contentOf(const QString& name) {
    QFile file(traces.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// A holder by the first letter of its client and its thread: "c24".
QByteArray shortened(const Holder& holder) {
    QByteArray text = holder.id.client().bytes().first(1) + QByteArray::number(static_cast<qint64>(holder.id.thread()));
    if (holder.mode == HoldMode::Write)
        text += 'w';
    return holder.count > 1 ? text + 'x' + QByteArray::number(holder.count) : text;
}

// "acquired orders:42 c24"; of waiters their number.
QByteArray shortened(const LockEvent& event) {
    QByteArray text = wordFor(event.type).toLatin1() + ' ' + event.lock.name.bytes();
    if (event.type == EventType::Waiters)
        return text + ' ' + QByteArray::number(event.lock.waiters.value_or(0));
    return event.holder ? text + ' ' + shortened(*event.holder) : text;
}

std::vector<LockEvent> eventsOf(RecordingFile& file) {
    Replay replay(file, Replay::Batches::Together);
    while (replay.nextAt())
        (void)replay.feed();
    const SharedBatch batch = replay.take();
    return batch ? batch->events : std::vector<LockEvent>();
}

QByteArrayList storyOf(RecordingFile& file) {
    QByteArrayList story;
    for (const LockEvent& event : eventsOf(file)) {
        if (event.type != EventType::Diagnosed)
            story += shortened(event);
    }
    return story;
}

RecordingFile::Opened opened(const QByteArray& text) {
    return RecordingFile::open({text, QStringLiteral("pasted"), WallTime(1'795'970'300s)});
}

QByteArrayList storyOf(const QByteArray& text) {
    const RecordingFile::Opened recording = opened(text);
    return recording.file ? storyOf(*recording.file) : QByteArrayList{"no trace"};
}

// All records as bytes, and the notes.
struct Outcome {
    QByteArray records;
    TraceNotes notes;
};

Outcome outcomeOf(const QByteArray& text, qsizetype chunk, const TraceTextReader::Options& options = {}) {
    BlockBuilder block;
    TraceTextReader reader(options, [&block](const Record& record, WallTime wall) { block.add(record, wall); });
    for (qsizetype at = 0; at < text.size(); at += chunk)
        reader.feed(QByteArrayView(text).sliced(at, std::min(chunk, text.size() - at)));
    reader.end();
    return {block.take().content, reader.notes()};
}

const QByteArrayList reentrant{"acquired orders:42 c24",      "reentered orders:42 c24x2", "renewed orders:42 c24x2",
                               "renewed orders:42 c24x2",     "waiters orders:42 1",       "renewed orders:42 c24x2",
                               "released_once orders:42 c24", "renewed orders:42 c24",     "released orders:42 c24",
                               "acquired orders:42 725",      "waiters orders:42 0",       "renewed orders:42 725",
                               "released orders:42 725"};
const QByteArrayList fair{"acquired export 524", "waiters export 1",    "waiters export 2",    "renewed export 524",
                          "renewed export 524",  "released export 524", "acquired export e25", "waiters export 1",
                          "renewed export e25",  "released export e25", "acquired export e26", "waiters export 0",
                          "renewed export e26",  "renewed export e26",  "released export e26"};
const QByteArrayList readWrite{
    "acquired prices 524", "acquired prices 025",  "renewed prices",   "renewed prices",      "renewed prices",
    "renewed prices",      "waiters prices 1",     "renewed prices",   "released prices 524", "renewed prices 025",
    "released prices 025", "acquired prices 026w", "waiters prices 0", "renewed prices 026w", "released prices 026w"};

}  // namespace

class TestTraceTextReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The traces of the real client were read line by line: these are its operations.
    void readsEachForm_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArrayList>("story");
        QTest::newRow("reentrant") << "reentrant.txt" << reentrant;
        QTest::newRow("fair") << "fair.txt" << fair;
        QTest::newRow("read and write") << "readwrite.txt" << readWrite;
        QTest::newRow("fenced") << "fenced-and-semaphore.txt"
                                << QByteArrayList{"acquired ledger 624", "released ledger 624"};
        QTest::newRow("scripts by EVAL, without their lines") << "reentrant-eval.txt" << reentrant;
        QTest::newRow("fair, by EVAL") << "fair-eval.txt" << fair;
        QTest::newRow("read and write, by EVAL") << "readwrite-eval.txt" << readWrite;
        QTest::newRow("fenced, by EVAL") << "fenced-eval.txt"
                                         << QByteArrayList{"acquired ledger 624", "released ledger 624"};
        QTest::newRow("scripts by hash, loaded in the trace") << "evalsha-loaded.txt" << reentrant;
        QTest::newRow("scripts by hash alone") << "evalsha-only.txt" << QByteArrayList();
        QTest::newRow("quoted in a mail") << "quoted-mail.txt" << reentrant;
        QTest::newRow("in a list") << "quoted-list.txt" << reentrant;
        QTest::newRow("behind dashes") << "quoted-dashes.txt" << reentrant;
        QTest::newRow("wrapped by a terminal") << "wrapped-80.txt" << reentrant;
        QTest::newRow("wrapped and quoted") << "wrapped-mail.txt" << reentrant;
        QTest::newRow("among other commands") << "mixed.txt" << reentrant;
        QTest::newRow("with line ends of Windows") << "crlf.txt" << reentrant;
        QTest::newRow("the last line cut off") << "cut.txt" << reentrant.first(11);
        QTest::newRow("several databases") << "databases.txt"
                                           << QByteArrayList{"acquired orders c24", "acquired orders (db 3) 725",
                                                             "released orders c24", "released orders (db 3) 725"};
        QTest::newRow("a lock with a name as of another database")
            << "named-as-database.txt"
            << QByteArrayList{"acquired D 81", "acquired D (db 3) (db 0) 81", "acquired D (db 3) 11",
                              "released D (db 3) (db 0) 81", "released D (db 3) 11"};
        QTest::newRow("a lease that ends")
            << "expired.txt" << QByteArrayList{"acquired orders c24", "expired orders c24"};
        QTest::newRow("begun in the middle")
            << "begun-late.txt" << QByteArrayList{"found orders c24", "released orders c24"};
        QTest::newRow("deleted by hand") << "by-hand.txt"
                                         << QByteArrayList{"acquired orders c24", "deleted orders c24",
                                                           "acquired stock c24", "deleted stock c24"};
        QTest::newRow("names with escapes")
            << "escapes.txt" << QByteArrayList{"acquired 锁 \"a\"\\b\n c24", "acquired {x}y 725", "acquired a b 725"};
        QTest::newRow("two clients of one machine")
            << "one-jvm.txt" << QByteArrayList{"acquired J 81", "waiters J 1", "released J 81",
                                               "acquired J 82", "waiters J 0", "released J 82"};
        QTest::newRow("two programs of one machine")
            << "samehost.txt"
            << QByteArrayList{"acquired S 81", "waiters S 1", "released S 81", "acquired S 12", "released S 12"};
        QTest::newRow("a second try of a waiter")
            << "second-try.txt"
            << QByteArrayList{"acquired R4 81", "waiters R4 1", "released R4 81", "acquired R4 82", "released R4 82"};
        QTest::newRow("held by another before the trace")
            << "held-before.txt"
            << QByteArrayList{"found HELD 81", "released HELD 81", "acquired HELD 12", "waiters HELD 0",
                              "released HELD 12"};
        QTest::newRow("a try that failed unseen")
            << "try-unseen.txt" << QByteArrayList{"acquired X2 12", "not_watched X2", "found X2 81", "released X2 81"};
        QTest::newRow("released by another after its try failed")
            << "try-fail.txt" << QByteArrayList{"acquired X1 81", "released X1 81"};
        QTest::newRow("a function") << "fcall-del.txt" << QByteArrayList{"acquired E2 81", "released E2 81"};
        QTest::newRow("a call that is cut off") << "cut-call.txt" << QByteArrayList{"acquired E3 81", "acquired E4 11"};
        QTest::newRow("a read lock that ends") << "read-expiry.txt" << QByteArrayList{"acquired W 81", "expired W 81"};
        QTest::newRow("a renewal after the reckoned end")
            << "renew-after-end.txt"
            << QByteArrayList{"acquired F1 81", "expired F1 81", "not_watched F1", "found F1 81", "released F1 81"};
        QTest::newRow("a pause of the trace")
            << "pause.txt" << QByteArrayList{"acquired G 81", "renewed G 81", "renewed G 81", "gone G 81",
                                             "not_watched G", "found G 81",   "renewed G 81", "released G 81"};
        QTest::newRow("locks that share a channel")
            << "shared-channel.txt"
            << QByteArrayList{"acquired {a} 81", "acquired a 81", "waiters a 1", "released a 81", "released {a} 81"};
        QTest::newRow("renamed") << "rename.txt"
                                 << QByteArrayList{"acquired L2 81", "deleted L2 81", "found L2b 81", "gone L2b 81"};
        QTest::newRow("an expiry that does not apply")
            << "pexpire-nx.txt" << QByteArrayList{"acquired L1 81", "renewed L1 81", "released L1 81"};
        QTest::newRow("a holder removed by hand")
            << "hdel-hand.txt" << QByteArrayList{"acquired L18 81", "deleted L18 81"};
        QTest::newRow("expired by hand") << "expire-now.txt"
                                         << QByteArrayList{"acquired L16 81",  "deleted L16 81",   "acquired L16b 81",
                                                           "deleted L16b 81",  "acquired L16c 81", "deleted L16c 81",
                                                           "acquired L16d 81", "renewed L16d 81"};
        QTest::newRow("a clock that is set back")
            << "jumpback.txt" << QByteArrayList{"acquired C2 81", "renewed C2 81",  "renewed C2 81", "renewed C2 81",
                                                "gone C2 81",     "acquired C3 81", "gone C3 81",    "acquired C3 11"};
        QTest::newRow("watched by another") << "kind.txt" << QByteArrayList{"acquired K1 81", "released K1 81"};
        QTest::newRow("answers of redis-cli") << "state.txt" << QByteArrayList{"found orders:42 c24x2"};
        QTest::newRow("answers of a Cluster") << "state-cluster.txt" << QByteArrayList{"found orders 81"};
        QTest::newRow("answers about a fair lock") << "state-fair.txt" << QByteArrayList{"found export c24"};
        QTest::newRow("answers of RESP3, quoted") << "state-readwrite.txt" << QByteArrayList{"found prices"};
        QTest::newRow("answers in a shell") << "state-shell.txt" << QByteArrayList{"found orders:42 c24"};
    }
    void readsEachForm() {
        QFETCH(QString, file);
        const RecordingFile::Opened recording = RecordingFile::open(traces.filePath(file));
        QVERIFY(recording.file);
        QVERIFY(recording.file->trace());
        QTEST(storyOf(*recording.file), "story");
    }

    void theChunksDoNotMatter_data() {
        QTest::addColumn<QString>("file");
        for (const QString& file : traces.entryList({QStringLiteral("*.txt")}))
            QTest::newRow(qPrintable(file)) << file;
    }
    void theChunksDoNotMatter() {
        QFETCH(QString, file);
        const QByteArray text = contentOf(file);
        const Outcome whole = outcomeOf(text, text.size());
        for (const qsizetype chunk : {1, 7, 4096}) {
            const Outcome parts = outcomeOf(text, chunk);
            QCOMPARE(parts.records, whole.records);
            QVERIFY(parts.notes == whole.notes);
        }
    }

    void everyBeginningOpens_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"fair.txt", "readwrite-eval.txt", "wrapped-mail.txt", "state-fair.txt"})
            QTest::newRow(file) << QString::fromLatin1(file);
    }
    void everyBeginningOpens() {
        QFETCH(QString, file);
        const QByteArray text = contentOf(file);
        const QByteArrayList story = storyOf(text);
        for (qsizetype size = 0; size < text.size(); size += 97) {
            const QByteArrayList beginning = storyOf(text.first(size));
            QVERIFY(beginning == QByteArrayList{"no trace"} || beginning.size() <= story.size() + 1);
        }
    }

    void nothingSecretIsKept_data() {
        QTest::addColumn<QString>("file");
        QTest::newRow("MONITOR") << "mixed.txt";
        QTest::newRow("redis-cli") << "state.txt";
        QTest::newRow("in a shell") << "state-shell.txt";
    }
    void nothingSecretIsKept() {
        QFETCH(QString, file);
        const QByteArray text = contentOf(file);
        QVERIFY(text.contains("hunter2-secret") || text.contains("private-value"));
        const QByteArray records = outcomeOf(text, text.size()).records;
        QVERIFY(!records.isEmpty());
        QVERIFY(!records.contains("secret"));
        QVERIFY(!records.contains("private"));
    }

    void saysWhatATraceDoesNotShow() {
        const auto notesOf = [](const char* file) {
            const QByteArray text = contentOf(QString::fromLatin1(file));
            return outcomeOf(text, text.size()).notes;
        };
        QCOMPARE(notesOf("evalsha-only.txt").unknownScripts, 14U);
        QCOMPARE(notesOf("reentrant-eval.txt").unknownScripts, 0U);
        QCOMPARE(notesOf("reentrant-eval.txt").assumedAcquired, 1U);
        QCOMPARE(notesOf("reentrant.txt").assumedAcquired, 0U);
        QCOMPARE(notesOf("expired.txt").reckonedEnds, 1U);
        QCOMPARE(notesOf("cut.txt").cutLines, 1U);
        QVERIFY((notesOf("databases.txt").databases == std::vector<int>{0, 3}));
        QVERIFY(notesOf("state.txt").kind == TraceNotes::Kind::State);
        QCOMPARE(notesOf("state.txt").withoutTtl, 0U);
    }

    // A client that only tries a fair lock does not queue; a spin lock has no message.
    void scriptsAreRecognisedByTheirCommands_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QByteArray>("keys");
        QTest::addColumn<QByteArrayList>("values");
        QTest::addColumn<QByteArrayList>("story");
        const QByteArray first = "c9c2b94e-4f38-498e-813b-28a88f1cb79d:24";
        const QByteArray second = "7dc4e005-1fb6-4289-9953-9b31ae594ca5:25";
        const QByteArray fairTry =
            "if (redis.call('exists', KEYS[1]) == 0) and ((redis.call('exists', KEYS[2]) == 0) or "
            "(redis.call('lindex', KEYS[2], 0) == ARGV[2])) then redis.call('lpop', KEYS[2]);"
            "redis.call('zrem', KEYS[3], ARGV[2]); local keys = redis.call('zrange', KEYS[3], 0, -1); "
            "for i = 1, #keys, 1 do redis.call('zincrby', KEYS[3], -tonumber(ARGV[4]), keys[i]); end; "
            "redis.call('hset', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; "
            "if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then redis.call('hincrby', KEYS[1], ARGV[2], 1); "
            "redis.call('pexpire', KEYS[1], ARGV[1]); return nil; end; return 1;";
        QTest::newRow("a fair lock, tried by two")
            << fairTry << QByteArray("\"3\" \"x\" \"redisson_lock_queue:{x}\" \"redisson_lock_timeout:{x}\"")
            << QByteArrayList{"\"30000\" \"" + first + "\" \"0\" \"300000\"",
                              "\"30000\" \"" + second + "\" \"0\" \"300000\""}
            << QByteArrayList{"acquired x c24"};
        const QByteArray spinRelease =
            "if (redis.call('hexists', KEYS[1], ARGV[2]) == 0) then return nil; end; "
            "local counter = redis.call('hincrby', KEYS[1], ARGV[2], -1); if (counter > 0) then "
            "redis.call('pexpire', KEYS[1], ARGV[1]); return 0; else redis.call('del', KEYS[1]); return 1; end;";
        QTest::newRow("the release of a spin lock")
            << spinRelease << QByteArray("\"1\" \"x\"") << QByteArrayList{"\"30000\" \"" + first + "\""}
            << QByteArrayList{"found x c24", "released x c24"};
    }
    void scriptsAreRecognisedByTheirCommands() {
        QFETCH(QByteArray, script);
        QFETCH(QByteArray, keys);
        QFETCH(QByteArrayList, values);
        QByteArray text;
        for (qsizetype i = 0; i < values.size(); ++i)
            text += "179597000" + QByteArray::number(i) + ".000000 [0 10.0.0." + QByteArray::number(i) +
                    ":5] \"EVAL\" \"" + script + "\" " + keys + ' ' + values[i] + '\n';
        QTEST(storyOf(text), "story");
    }

    // Commands of a client that move a lock, as the manual says.
    void commandsOverDatabasesMoveLocks_data() {
        QTest::addColumn<QByteArrayList>("commands");  // each with its database
        QTest::addColumn<QByteArrayList>("story");
        const QByteArray holder = " \"c9c2b94e-4f38-498e-813b-28a88f1cb79d:24\" \"1\"";
        const QByteArray acquire = "0 lua] \"hincrby\" \"x\"" + holder;
        const auto row = [&acquire](const char* name, const QByteArrayList& commands, const QByteArrayList& story) {
            QTest::newRow(name) << QByteArrayList{acquire} + commands << QByteArrayList{"acquired x c24"} + story;
        };
        row("MOVE", {"0 1.2.3.4:5] \"MOVE\" \"x\" \"3\""}, {"deleted x c24", "found x (db 3) c24"});
        row("COPY", {"0 1.2.3.4:5] \"COPY\" \"x\" \"y\""}, {"found y c24"});
        row("COPY to another database", {"0 1.2.3.4:5] \"copy\" \"x\" \"x\" \"DB\" \"3\""}, {"found x (db 3) c24"});
        row("RENAME", {"0 1.2.3.4:5] \"RENAME\" \"x\" \"y\""}, {"deleted x c24", "found y c24"});
        row("SWAPDB", {"0 1.2.3.4:5] \"SWAPDB\" \"0\" \"3\""}, {"found x (db 3) c24", "deleted x c24"});
        row("SWAPDB of others", {"0 1.2.3.4:5] \"SWAPDB\" \"1\" \"3\""}, {});
        row("RESTORE over a lock", {"0 1.2.3.4:5] \"RESTORE\" \"x\" \"0\" \"...\" \"REPLACE\""}, {"deleted x c24"});
        row("RESTORE of another key", {"0 1.2.3.4:5] \"RESTORE\" \"y\" \"0\" \"...\""}, {});
        row("SELECT of another client", {"3 1.2.3.4:6] \"DEL\" \"x\""}, {});
    }
    void commandsOverDatabasesMoveLocks() {
        QFETCH(QByteArrayList, commands);
        QByteArray text;
        for (qsizetype i = 0; i < commands.size(); ++i)
            text += "179597000" + QByteArray::number(i) + ".000000 [" + commands[i] + '\n';
        QTEST(storyOf(text), "story");
    }

    // What the trace did not show is not shown by a part of it either.
    void aSavedPartKeepsTheNotes() {
        const QTemporaryDir folder;
        const RecordingFile::Opened trace = RecordingFile::open(traces.filePath(QStringLiteral("databases.txt")));
        QVERIFY(trace.file && trace.file->trace());
        RecordingRequest request;
        request.path = folder.filePath(QStringLiteral("part.lkrec"));
        QVERIFY(saveExcerpt(*trace.file, request, std::nullopt, std::nullopt).ok());
        const RecordingFile::Opened saved = RecordingFile::open(request.path);
        QVERIFY(saved.file && saved.file->trace());
        QVERIFY(*saved.file->trace() == *trace.file->trace());
        QVERIFY(!saved.file->trace()->databases.empty());
        QCOMPARE(storyOf(*saved.file), storyOf(*trace.file));
    }

    // Lines that are a little late, and a clock that was set.
    void linesOutOfOrderAreNoJumps() {
        const auto notesOf = [](const QByteArrayList& times) {
            QByteArray text;
            for (const QByteArray& time : times)
                text += time + ".000000 [0 1.2.3.4:5] \"DEL\" \"x\"\n";
            return outcomeOf(text, text.size()).notes;
        };
        const TraceNotes late = notesOf({"1795970010", "1795970009", "1795970011"});
        QCOMPARE(late.outOfOrder, 1U);
        QCOMPARE(late.clockJumps, 0U);
        const TraceNotes jump = notesOf({"1795970010", "1795960000", "1795960001"});
        QCOMPARE(jump.outOfOrder, 0U);
        QCOMPARE(jump.clockJumps, 1U);
    }

    // HGET answers also where there is no holder.
    void aReadBeforeAWriteShowsNoHold() {
        const QByteArray lock = "\" \"x\" \"c9c2b94e-4f38-498e-813b-28a88f1cb79d:24\"";
        const QByteArray script = "1795970000.000001 [0 lua] \"";
        QCOMPARE(storyOf("1795970000.000000 [0 1.2.3.4:5] \"EVALSHA\" \"00\" \"1\" \"x\"\n" + script + "hget" + lock +
                         '\n' + script + "hincrby" + lock + " \"1\"\n" + script + "pexpire\" \"x\" \"30000\"\n"),
                 QByteArrayList({"acquired x c24"}));
    }

    // Questions about a queue, or a DEL of it, do not make a lock a fair one.
    void aWatchedLockKeepsItsKind() {
        const RecordingFile::Opened recording = RecordingFile::open(traces.filePath(QStringLiteral("kind.txt")));
        QVERIFY(recording.file);
        const std::vector<LockEvent> events = eventsOf(*recording.file);
        QVERIFY(!events.empty());
        for (const LockEvent& event : events)
            QCOMPARE(event.lock.kind, LockKind::Reentrant);
    }

    void aTtlThatIsNotInTheTextIsNotKnown() {
        const QByteArray holder = "c9c2b94e-4f38-498e-813b-28a88f1cb79d:24";
        const RecordingFile::Opened recording = opened("127.0.0.1:6379> HGETALL x\n1) \"" + holder + "\"\n2) \"1\"\n");
        QVERIFY(recording.file);
        QCOMPARE(recording.file->trace()->withoutTtl, 1U);
        const std::vector<LockEvent> events = eventsOf(*recording.file);
        QCOMPARE(events.size(), 1U);
        QVERIFY(!events.front().lock.neverExpires());
        QVERIFY(!events.front().lock.ttl);
    }

    void aLineOfAnySizeIsBounded() {
        QByteArray text = "1795970000.000001 [0 1.2.3.4:5] \"SET\" \"k\" \"";
        text += QByteArray(3 * TraceLines::longestLine, 'x');
        const Outcome cut = outcomeOf(text + "\"\n" + contentOf(QStringLiteral("reentrant.txt")), 64 * 1024);
        QCOMPARE(cut.notes.cutLines, 1U);
        QCOMPARE(storyOf(text + "\"\n" + contentOf(QStringLiteral("reentrant.txt"))), reentrant);
    }

    void otherTextsAreNone_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("prose") << QByteArray("Dear all,\n1) first > second\n2) third\n");
        QTest::newRow("binary") << QByteArray("\x00\x01\xff[0 ] \"", 8).repeated(1000);
        QTest::newRow("JSON") << QByteArray("{\"a\": 1}");
        QTest::newRow("numbers") << QByteArray("1.5 [0 x\n12345.678 2\n");
    }
    void otherTextsAreNone() {
        QFETCH(QByteArray, text);
        const RecordingFile::Opened recording = opened(text);
        QVERIFY(!recording.file);
        QCOMPARE(recording.problem.kind, OpenProblem::Kind::NotRecording);
    }

    void timesFarApartAreHarmless() {
        const QByteArray line = " [0 lua] \"hincrby\" \"x\" \"c9c2b94e-4f38-498e-813b-28a88f1cb79d:24\" \"1\"\n";
        const QByteArray text = "0.000001" + line + "9000000000.000000" + line + "99999999999.000000" + line +
                                "1.000000 [0 lua] \"pexpire\" \"x\" \"9223372036854775807\"\n";
        QCOMPARE(storyOf(text), QByteArrayList({"acquired x c24x2"}));
    }

    // A large recording is kept in a temporary file.
    void aLongTraceIsReadInBlocks() {
        QTemporaryDir directory;
        QFile file(directory.filePath(QStringLiteral("trace.txt")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray holder = "c9c2b94e-4f38-498e-813b-28a88f1cb79d:24";
        constexpr int locks = 3000;
        for (int i = 0; i < locks; ++i) {
            const QByteArray time = QByteArray::number(1'795'970'000 + i / 100) + '.' +
                                    QByteArray::number(i % 100 * 10'000).rightJustified(6, '0');
            const QByteArray begin = time + " [0 lua] \"";
            const QByteArray name = "\" \"lock:" + QByteArray::number(i) + "\"";
            file.write(time + " [0 1.2.3.4:5] \"EVALSHA\" \"00\" \"1" + name + '\n');
            file.write(begin + "exists" + name + '\n');
            file.write(begin + "hincrby" + name + " \"" + holder + "\" \"1\"\n");
            file.write(begin + "pexpire" + name + " \"30000\"\n");
        }
        file.close();
        int percent = 0;
        TraceProgress progress;
        progress.progressed = [&percent](int now) { percent = now; };
        const RecordingFile::Opened recording = RecordingFile::open(file.fileName(), progress);
        QVERIFY(recording.file);
        QCOMPARE(percent, 100);
        QCOMPARE(eventsOf(*recording.file).size(), size_t{locks});
        std::stop_source stopped;
        stopped.request_stop();
        progress.stop = stopped.get_token();
        QCOMPARE(RecordingFile::open(file.fileName(), progress).problem.kind, OpenProblem::Kind::Stopped);
    }
};

LOCKKEEPER_TEST(TestTraceTextReader, Guiless)

}  // namespace tst_tracetextreader

#include "tst_tracetextreader.moc"
