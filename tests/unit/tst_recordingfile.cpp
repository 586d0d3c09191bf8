// SPDX-License-Identifier: Apache-2.0
#include "recording/excerpt.h"
#include "recording/recordingfile.h"
#include "recording/replay.h"
#include "support/filesizelimit.h"
#include "support/recordingsample.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

namespace tst_recordingfile {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::recording;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// Three blocks: taken, renewed, released.
std::vector<std::vector<Record>> threeBlocks() {
    return {{linkAt(0ms, LinkStatus::Phase::Connected), readAt(10ms, held(10ms, alice)), batchAt(20ms)},
            {readAt(2000ms, held(2000ms, alice)), batchAt(2010ms)},
            {readAt(3000ms, free(3000ms), 1), batchAt(3010ms)}};
}

// Every event that a replay of the file shows.
QByteArrayList eventsOf(RecordingFile& file) {
    Replay replay(file, Replay::Batches::Together);
    while (replay.nextAt())
        (void)replay.feed();
    QByteArrayList events;
    const SharedBatch batch = replay.take();
    for (const LockEvent& event : batch ? batch->events : std::vector<LockEvent>())
        events += described(event);
    return events;
}

bool beginsWith(const QByteArrayList& whole, const QByteArrayList& part) {
    return part.size() <= whole.size() && whole.first(part.size()) == part;
}

// A value with something in each of its fields.
LockSnapshot richLock() {
    LockSnapshot lock = readWrite(5ms, {reader(alice, 2), writer(bob)});
    lock.holders[0].transaction = QByteArray("t");
    lock.waiters = 4;
    lock.monitorsAmongWaiters = 1;
    lock.fairQueue = {{carol, WallTime(7s)}, {bob, std::nullopt}};
    lock.token = 77;
    LockParts parts;
    parts.readLeases = {{alice, 2, Expiry{SteadyTime(1h), SteadyTime(2h)}}, {bob, 1, std::nullopt}};
    parts.areLeasesWhole = true;
    parts.values = {{"v", carol, 3, WallTime(9s)}};
    parts.moreHolders = 5;
    lock.parts = std::make_shared<const LockParts>(parts);
    lock.node = NodePointer(new Node(topology::ShardId{3}, QStringLiteral("n:1")));
    return lock;
}

ClientDump sampleDump() {
    ClientDump dump;
    dump.client = alice.client();
    dump.fit = Fit::Strong;
    dump.at = WallTime(1h);
    dump.taken = {WallTime(1h - 10s), std::nullopt};
    dump.hasOthers = true;
    dump.ids = {1, 33, 50'000'000'000};
    DumpedThread thread;
    thread.id = 33;
    thread.name = QStringLiteral("secret-worker");
    thread.state = ThreadState::TimedWaiting;
    const Frame code{QStringLiteral("com.example.Jobs.query"), QStringLiteral("Jobs.java:8")};
    thread.frames = {{QStringLiteral("java.net.Socket.read"), QStringLiteral("NioSocketImpl.java:1")}, code};
    thread.activity = {Activity::WaitsForRedisson, RedissonCall::Semaphore, code};
    thread.stack = std::numeric_limits<quint64>::max();
    thread.stillSince = WallTime(30min);
    dump.threads = {thread};
    return dump;
}

}  // namespace

class TestRecordingFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_path = m_folder.filePath(QStringLiteral("%1.lkrec").arg(++m_files)); }

    void aWholeRecordingShowsWhatWasSeen() {
        writeRecording(m_path, threeBlocks());
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(opened.file);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
        QCOMPARE(opened.file->info().server, QStringLiteral("redis.example:6379"));
        QCOMPARE(opened.file->blocks().size(), size_t(3));
        QCOMPARE(opened.file->wallAt(opened.file->last()), WallTime(3010ms));
        QCOMPARE(eventsOf(*opened.file), (QByteArrayList{"found alice", "renewed alice", "released alice"}));
    }

    void aLockComesBackWithAllItsFields() {
        BetweenReads between{
            3,
            SteadyTime(2h),
            Reception::Incomplete,
            KeyTouch::Touched,
            SteadyTime(3h),
            5ms,
            6,
            "master",
            "n:2",
            std::make_shared<const Error>(ErrorCode::ConnectionLost, Cause::MasterLinkLost, QStringList{"n:3"}),
            Countdown::Doubtful};
        const LockSnapshot lock = richLock();
        writeRecording(m_path, {{{SteadyTime(1h), StoreInput(LockRead{lock, between})}}});
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        const std::vector<Record> records = recordsOf(*opened.file, 0);
        QCOMPARE(records.size(), size_t(1));
        const auto& read = std::get<LockRead>(std::get<StoreInput>(records[0].entry));
        QCOMPARE(read.lock.name, lock.name);
        QCOMPARE(read.lock.kind, lock.kind);
        QCOMPARE(read.lock.holders, lock.holders);
        QVERIFY(!read.lock.holders[1].transaction);  // none takes no memory
        QCOMPARE(read.lock.ttl, lock.ttl);
        QCOMPARE(read.lock.expiry, lock.expiry);
        QCOMPARE(read.lock.waiters, lock.waiters);
        QCOMPARE(read.lock.monitorsAmongWaiters, 1);
        QCOMPARE(read.lock.fairQueue, lock.fairQueue);
        QCOMPARE(read.lock.token, lock.token);
        QCOMPARE(*read.lock.parts, *lock.parts);
        QCOMPARE(read.lock.node->shard, lock.node->shard);
        QCOMPARE(read.lock.node->address, lock.node->address);
        QCOMPARE(read.lock.seenAt, lock.seenAt);
        QCOMPARE(read.lock.seenAtWall, lock.seenAtWall);
        QCOMPARE(read.between.messages, 3);
        QCOMPARE(read.between.firstMessageAt, between.firstMessageAt);
        QCOMPARE(read.between.reception, Reception::Incomplete);
        QCOMPARE(read.between.touch, KeyTouch::Touched);
        QCOMPARE(read.between.touchedAt, between.touchedAt);
        QCOMPARE(read.between.gap, 5ms);
        QCOMPARE(read.between.releasesReceived, quint64(6));
        QCOMPARE(read.between.newServerRole, between.newServerRole);
        QCOMPARE(read.between.newMaster, between.newMaster);
        QCOMPARE(*read.between.gapReason, *between.gapReason);
        QCOMPARE(read.between.countdown, Countdown::Doubtful);
    }

    void locksOfOtherProgramsComeBackAsTheyWere() {
        LockSnapshot lock = snapshot(0s, LockKind::Unknown, {exclusive(*HolderId::parseAny("svc:1"))}, 30s);
        LockParts parts;
        parts.otherProgram = {{"svc:1", "1"}};
        lock.parts = std::make_shared<const LockParts>(parts);
        writeRecording(m_path, {{readAt(0s, lock), {SteadyTime(1h), StoreInput(OwnClientKnown{alice.client()})}}});
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        const std::vector<Record> records = recordsOf(*opened.file, 0);
        const auto& read = std::get<LockRead>(std::get<StoreInput>(records.at(0).entry));
        QCOMPARE(read.lock.holders.first().id.bytes(), QByteArray("svc:1"));
        QVERIFY(read.lock.holders.first().id.isOfOtherProgram());
        QCOMPARE(read.lock.otherProgram(), parts.otherProgram);
        QCOMPARE(std::get<OwnClientKnown>(std::get<StoreInput>(records.at(1).entry)).client, alice.client());
    }

    void aThreadDumpComesBackAsItWas() {
        const ClientDump dump = sampleDump();
        writeRecording(m_path, {{{SteadyTime(1h), StoreInput(DumpKnown{std::make_shared<ClientDump>(dump), {}})}}});
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        const std::vector<Record> records = recordsOf(*opened.file, 0);
        QCOMPARE(records.size(), size_t(1));
        QVERIFY(*std::get<DumpKnown>(std::get<StoreInput>(records[0].entry)).dump == dump);
    }

    // The lines of the application are what the recording is for.
    void aMaskedThreadDumpHasOnlyTheFramesOfTheApplication() {
        const Mask mask;
        BlockBuilder block(&mask);
        block.add({SteadyTime(1h), StoreInput(DumpKnown{std::make_shared<ClientDump>(sampleDump()), {}})}, {});
        const Block masked = block.take();
        for (const char* hidden : {"secret-worker", "java.net.Socket", "NioSocketImpl"})
            QVERIFY2(!masked.content.contains(hidden), hidden);
        const std::optional<std::vector<Record>> records = recordsIn(masked.content);
        QVERIFY(records);
        const SharedDump dump = std::get<DumpKnown>(std::get<StoreInput>(records->at(0).entry)).dump;
        QCOMPARE(dump->client.bytes(), mask.client(alice.client().bytes()));
        QCOMPARE(dump->threads.front().name.toUtf8(), mask.id("secret-worker"));
        QCOMPARE(dump->threads.front().frames, std::vector<Frame>{sampleDump().threads.front().frames.back()});
    }

    void figuresComeBackAsTheyWere() {
        MonitorStats stats;
        stats.observation = ObservationMode::Tracking;
        stats.knownLocks = 5;
        stats.readsPerSecond = 2.5;
        stats.denied = {{Denied::Command, QStringLiteral("INFO"), Consequence::ServerFiguresUnknown, {}, {}}};
        stats.nodes = {{topology::ShardId{1}, QStringLiteral("a:1"), NodePhase::Reconnecting,
                        Error(ErrorCode::Timeout, Cause::ServerSilent, {QStringLiteral("5")}), WallTime(5s), 4s, 1, 0.5,
                        3, "7.0.15", QList<redis::Replica>{{QStringLiteral("r:1"), 9}}}};
        stats.unservedSlots = {{1, 5}};
        stats.notRead = {LockName("x")};
        stats.tokenLitter.emplace();
        stats.tokenLitter->found = 3;
        stats.scriptStorms = {{QStringLiteral("a:1"), 5, 6, WallTime(1s), WallTime(2s)}};
        SynchronizerReading reading;
        reading.inAll = 1;
        reading.seen.resize(1);
        reading.seen[0].name = LockName("s");
        reading.seen[0].count = 3;
        reading.seen[0].leases = {{"p", WallTime(3s), WallTime(1s)}};
        reading.seen[0].diagnoses = {{Certainty::Suspected, PermitsUnclaimed{2, 3, WallTime(1s)}},
                                     {Certainty::Suspected, PermitLeaseOver{"00ff", WallTime(2s), 1, 3}}};
        reading.seen[0].deaf = DeafWaiters{2, "a:1", "a:2", WallTime(4s)};
        writeRecording(m_path, {{{SteadyTime(1h), BatchEnded{WallTime(6s), stats, reading}}}});
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        const std::vector<Record> records = recordsOf(*opened.file, 0);
        const auto& ended = std::get<BatchEnded>(records.at(0).entry);
        QCOMPARE(ended.at, WallTime(6s));
        QVERIFY(ended.stats == stats);
        QVERIFY(ended.synchronizers == reading);
    }

    // As after a crash or a full disk: the file may end at any byte.
    void aCutOffFileOpensUpToTheCut() {
        writeRecording(m_path, threeBlocks());
        const QByteArray whole = contentOfFile(m_path);
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        const QByteArrayList events = eventsOf(*opened.file);
        const QString cutPath = m_path + QStringLiteral(".cut");
        qsizetype before = 0;
        for (qsizetype size = 0; size < whole.size(); ++size) {
            putFile(cutPath, whole.first(size));
            const RecordingFile::Opened cut = RecordingFile::open(cutPath);
            if (!cut.file) {
                QCOMPARE(cut.problem.kind, OpenProblem::Kind::NotRecording);
                QCOMPARE(before, 0);
                continue;
            }
            QCOMPARE(cut.file->end().kind, FileEnd::Kind::CutOff);
            QVERIFY(cut.file->end().offset <= size);
            const QByteArrayList seen = eventsOf(*cut.file);
            QVERIFY(beginsWith(events, seen));
            QVERIFY(seen.size() >= before);
            before = seen.size();
        }
        QCOMPARE(before, events.size());
    }

    // Damages each byte in turn.
    void aDamagedFileOpensUpToTheDamage() {
        writeRecording(m_path, threeBlocks());
        const QByteArray whole = contentOfFile(m_path);
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        const QByteArrayList events = eventsOf(*opened.file);
        const QString damagedPath = m_path + QStringLiteral(".damaged");
        for (qsizetype at = 0; at < whole.size(); ++at) {
            QByteArray changed = whole;
            changed[at] = static_cast<char>(changed.at(at) ^ 0x55);
            putFile(damagedPath, changed);
            const RecordingFile::Opened damaged = RecordingFile::open(damagedPath);
            if (!damaged.file)
                continue;
            QVERIFY2(damaged.file->end().kind != FileEnd::Kind::Whole, QByteArray::number(at));
            QVERIFY(damaged.file->end().offset <= at);
            QVERIFY(beginsWith(events, eventsOf(*damaged.file)));
        }
    }

    void contentThatNobodyWroteIsRefused_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<int>("version");
        QTest::newRow("ends within a record") << QByteArray("\0\0\0\2\5", 5) << 8;
        QTest::newRow("a text longer than the block") << QByteArray("\1\x7f", 2) << 8;
        QTest::newRow("a text that is not there") << QByteArray("\0\0\6\2\1\7", 6) << 8;
        QTest::newRow("a number without an end") << QByteArray(20, '\xff') << 8;
        QTest::newRow("an unknown record in version 7") << QByteArray("\x7f\x01", 2) << 7;
        QTest::newRow("ends within a record in version 7") << QByteArray("\x00\x02\x05", 3) << 7;
        QTest::newRow("a text longer than the block in version 7") << QByteArray("\x06\x02\x00\x7f", 4) << 7;
        QTest::newRow("a number without an end in version 7") << QByteArray(20, '\xff') << 7;
    }
    void contentThatNobodyWroteIsRefused() {
        QFETCH(QByteArray, content);
        QFETCH(int, version);
        Block block = infoBlock(sampleInfo(), nullptr);
        if (version < 8)  // the same values, with the texts among them
            block.content = QByteArray("\0\0051.2.3\1\0\0\0\0\0\0\0\0\0", 17);
        QByteArray bytes = fileHead() + sealed(block);
        bytes[fileHeadSize - 4] = static_cast<char>(version);
        block.head.kind = BlockKind::Data;
        block.content = content;
        bytes += sealed(block);
        block.head.kind = BlockKind::End;
        block.content.clear();
        putFile(m_path, bytes + sealed(block));
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(opened.file);
        QCOMPARE(eventsOf(*opened.file), QByteArrayList());
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Damaged);
    }

    void aNewerVersionIsRefusedWithItsNumber() {
        writeRecording(m_path, threeBlocks());
        QByteArray content = contentOfFile(m_path);
        content[fileHeadSize - 4] = static_cast<char>(formatVersion + 1);
        putFile(m_path, content);
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(!opened.file);
        QCOMPARE(opened.problem.kind, OpenProblem::Kind::Newer);
        QCOMPARE(opened.problem.argument, QString::number(formatVersion + 1));
    }

    void anotherFileIsNoRecording_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("text") << QByteArray("{\"event\":\"found\"}\n");
        QTest::newRow("binary") << QByteArray(1000, '\x1a');
    }
    void anotherFileIsNoRecording() {
        QFETCH(QByteArray, content);
        putFile(m_path, content);
        QCOMPARE(RecordingFile::open(m_path).problem.kind, OpenProblem::Kind::NotRecording);
    }

    void aMissingFileIsNotReadable() {
        QCOMPARE(RecordingFile::open(m_path).problem.kind, OpenProblem::Kind::NotReadable);
    }

    // To open it would wait for a program that writes to it.
    void aFifoIsNotOpened() {
        QCOMPARE(mkfifo(QFile::encodeName(m_path).constData(), S_IRUSR | S_IWUSR), 0);
        QCOMPARE(RecordingFile::open(m_path).problem.kind, OpenProblem::Kind::NotAFile);
    }

    void anExistingFileIsNotOverwritten() {
        putFile(m_path, "mine");
        RecordingWriter writer(m_path, 1'000'000);
        const Result<Done> opened = writer.open(infoBlock(sampleInfo(), nullptr));
        QVERIFY(!opened);
        QCOMPARE(opened.error().cause, Cause::FileNotWritten);
        QCOMPARE(contentOfFile(m_path), QByteArray("mine"));
    }

    void aRecordingIsForItsUserAlone() {
        writeRecording(m_path, threeBlocks());
        const QFileDevice::Permissions others = QFileDevice::ReadGroup | QFileDevice::ReadOther;
        QVERIFY(!(QFile::permissions(m_path) & others));
    }

    // The file must still open.
    void aFileIsNeverLargerThanItsLimit() {
        constexpr qint64 limit = 4000;
        RecordingWriter writer(m_path, limit);
        QVERIFY(writer.open(infoBlock(sampleInfo(), nullptr)).ok());
        RecordingWriter::Written written = RecordingWriter::Written::Whole;
        while (written == RecordingWriter::Written::Whole) {
            BlockBuilder block;
            block.add(readAt(10ms, held(10ms, alice)), WallTime(10ms));
            written = writer.write(block.take()).value();
        }
        QVERIFY(writer.end().ok());
        QVERIFY(QFile(m_path).size() <= limit);
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
        QVERIFY(!opened.file->blocks().empty());
    }

    void aFullDiskLeavesAFileThatOpens() {
        RecordingWriter writer(m_path, 1'000'000);
        QVERIFY(writer.open(infoBlock(sampleInfo(), nullptr)).ok());
        const auto writeOne = [&writer](int number) {
            BlockBuilder block;
            block.add(
                readAt(10ms, snapshot(10ms, LockKind::Reentrant, {exclusive(alice)}, 30s, QByteArray::number(number))),
                WallTime(10ms));
            return writer.write(block.take());
        };
        QVERIFY(writeOne(0).ok());
        {
            const FileSizeLimit full(static_cast<rlim_t>(writer.size()) + 50);
            const Result<RecordingWriter::Written> failed = writeOne(1);
            QVERIFY(!failed);
            QCOMPARE(failed.error().code, ErrorCode::Storage);
            QCOMPARE(failed.error().cause, Cause::FileNotWritten);
        }
        QCOMPARE(QFile(m_path).size(), writer.size());
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::CutOff);
        QCOMPARE(opened.file->end().offset, writer.size());
        QCOMPARE(opened.file->blocks().size(), size_t(1));
    }

    // The same name or id has the same replacement everywhere, and no original is left.
    void aMaskedRecordingHasNoNames() {
        const Mask mask;
        BlockBuilder block(&mask);
        LockSnapshot lock = richLock();
        lock.name = LockName("secret-order");
        lock.node = NodePointer(new Node(topology::ShardId{3}, QStringLiteral("secret-host:7000")));
        block.add(readAt(0ms, lock), WallTime(1s));
        block.add({SteadyTime(2h), StoreInput(SightLost{LockName("secret-order"), SteadyTime(2h)})}, WallTime(2s));
        block.add(captionAt(2h, QStringLiteral("A.lock secret-order")), WallTime(2s));
        const Block masked = block.take();
        QVERIFY(!masked.content.contains("secret"));
        QVERIFY(!masked.content.contains(alice.client().bytes()));
        const std::optional<std::vector<Record>> records = recordsIn(masked.content);
        QVERIFY(records);
        const auto& read = std::get<LockRead>(std::get<StoreInput>(records->at(0).entry)).lock;
        const auto& lost = std::get<SightLost>(std::get<StoreInput>(records->at(1).entry));
        QCOMPARE(read.name, lost.name);
        QVERIFY(read.name.bytes().startsWith("lock-"));
        QVERIFY(read.node->address.endsWith(QStringLiteral(":7000")));
        QCOMPARE(read.fairQueue[1].id, read.holders[1].id);  // bob
        QVERIFY(read.holders[0].id != read.holders[1].id);
        QVERIFY(HolderId::parse(read.holders[0].id.bytes()));
        QVERIFY(Mask().name("secret-order") != mask.name("secret-order"));
        QCOMPARE(std::get<Caption>(records->at(2).entry).text, QString());
    }

    void aPartHasTheCaptionOfItsBegin() {
        writeRecording(m_path, {{captionAt(0ms, u"A.lock L"_qs), batchAt(0ms), deliveredAt(0ms),
                                 captionAt(2s, u"B.lock L"_qs), batchAt(2s), deliveredAt(2s)}});
        const RecordingFile::Opened whole = RecordingFile::open(m_path);
        RecordingRequest part;
        part.path = m_path + QStringLiteral(".part");
        QVERIFY(saveExcerpt(*whole.file, part, WallTime(1s), std::nullopt).ok());
        const RecordingFile::Opened opened = RecordingFile::open(part.path);
        QVERIFY(opened.file);
        Replay replay(*opened.file, Replay::Batches::Together);
        QStringList captions;
        while (replay.nextAt()) {
            if (const std::optional<Caption> caption = replay.feed().caption)
                captions += caption->text;
        }
        QCOMPARE(captions, QStringList({u"A.lock L"_qs, u"B.lock L"_qs}));
    }

    // Reading up to the part counts, too.
    void theProgressOfAPartRisesToTheEnd() {
        writeRecording(m_path, {{batchAt(0s), batchAt(1s), batchAt(2s), batchAt(3s), batchAt(4s), batchAt(10s)}});
        const RecordingFile::Opened whole = RecordingFile::open(m_path);
        RecordingRequest part;
        part.path = m_path + QStringLiteral(".part");
        std::vector<int> percentages;
        const auto progressed = [&percentages](int percent) { percentages.push_back(percent); };
        QVERIFY(saveExcerpt(*whole.file, part, WallTime(1500ms), WallTime(4s), {}, progressed).ok());
        QCOMPARE(percentages, std::vector<int>({25, 50, 75, 100}));
    }

    void aPartThatIsStoppedHalfwayLeavesNoFile() {
        writeRecording(m_path, {{batchAt(0s), batchAt(1s), batchAt(2s), batchAt(3s), batchAt(4s)}});
        const RecordingFile::Opened whole = RecordingFile::open(m_path);
        RecordingRequest part;
        part.path = m_path + QStringLiteral(".part");
        std::stop_source stop;
        bool existed = false;
        const auto progressed = [&](int) {
            existed = existed || QFile::exists(part.path);
            stop.request_stop();
        };
        const Result<RecordingPhase> saved =
            saveExcerpt(*whole.file, part, std::nullopt, std::nullopt, stop.get_token(), progressed);
        QVERIFY(!saved);
        QVERIFY(existed);
        QVERIFY(!QFile::exists(part.path));
    }

    void aPartThatIsStoppedLeavesNoFile() {
        writeRecording(m_path, {{captionAt(0ms, u"A.lock L"_qs), batchAt(0ms), deliveredAt(0ms)}});
        const RecordingFile::Opened whole = RecordingFile::open(m_path);
        RecordingRequest part;
        part.path = m_path + QStringLiteral(".part");
        std::stop_source stop;
        stop.request_stop();
        const Result<RecordingPhase> saved =
            saveExcerpt(*whole.file, part, std::nullopt, std::nullopt, stop.get_token());
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, ErrorCode::Cancelled);
        QVERIFY(!QFile::exists(part.path));
    }

private:
    QTemporaryDir m_folder;
    QString m_path;
    int m_files = 0;
};

LOCKKEEPER_TEST(TestRecordingFile, Guiless)

}  // namespace tst_recordingfile

#include "tst_recordingfile.moc"
