// SPDX-License-Identifier: Apache-2.0
#include "recording/excerpt.h"
#include "recording/labreports.h"
#include "recording/recordingfile.h"
#include "recording/replay.h"
#include "support/forgedrecording.h"
#include "support/labsample.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_recordinglimits {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::recording;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

constexpr quint64 waitersCounted = 1;  // the numbers of some kinds of entries
constexpr quint64 batchDelivered = 12;
constexpr quint64 caption = 14;
constexpr qsizetype room = roomForValues(0);

QByteArray numbers(std::initializer_list<qint64> values) {
    ArchiveWriter writer;
    for (const qint64 value : values)
        writer.unsignedNumber(static_cast<quint64>(value));
    return writer.bytes();
}

// A link status whose error has this list of arguments: texts by their numbers.
QByteArray linkWithError(const QByteArray& arguments) {
    const QByteArray upToError = numbers({2 * 2, 0, 0, 0, 0, 0, 0, 1});  // Connected
    return upToError + numbers({0, 0, 0, 0}) + arguments + numbers({0});
}

}  // namespace

// A file of unknown origin: it takes no more memory than its size allows, whatever its numbers are.
class TestRecordingLimits : public QObject {
    Q_OBJECT

private:
    void put(const QByteArray& bytes) { putFile(m_path, bytes); }
    // The number of records in all blocks.
    static qsizetype recordsIn(RecordingFile& file) {
        qsizetype count = 0;
        for (size_t block = 0; block < file.blocks().size(); ++block)
            count += static_cast<qsizetype>(recordsOf(file, block).size());
        return count;
    }

    QTemporaryDir m_folder;
    QString m_path = m_folder.filePath(QStringLiteral("forged.lkrec"));

private Q_SLOTS:
    void init() { QFile::remove(m_path); }

    // Of each content only what was decoded before the limit was in memory.
    void valuesTakeNoMoreThanTheirRoom_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<ArchiveFault>("fault");
        constexpr qint64 endless = std::numeric_limits<qint64>::max();
        constexpr qsizetype many = 1'000'000;
        const QByteArray longText(1'000'000, 'x');
        const auto row = [](const char* name, ArchiveFault fault, const QByteArrayList& texts, quint64 kind,
                            const QByteArray& entry) {
            QTest::newRow(name) << forgedContent(texts, kind, {entry}) << fault;
        };
        row("more entries in a list than bytes", ArchiveFault::Damaged, {}, waitersCounted,
            numbers({0, 0, 0, 0, endless}));
        row("many entries in a list", ArchiveFault::TooLarge, {"L"}, waitersCounted,
            numbers({0, 0, 0, 0, many}) + QByteArray(many * 5, '\0'));
        row("many entries in a list in a list", ArchiveFault::TooLarge, {"L"}, waitersCounted,
            numbers({0, 0, 0, 0, 1, 0, 0, many}) + QByteArray(many * 2 + 2, '\0'));
        row("a long text, used again and again", ArchiveFault::TooLarge, {"", longText}, 10,
            linkWithError(numbers({100}) + QByteArray(100, '\1')));
        row("a text that is not in the list of texts", ArchiveFault::Damaged, {"a"}, caption, numbers({7}));
        row("an empty list of texts", ArchiveFault::Damaged, {}, caption, numbers({0}));
        QTest::newRow("many texts") << QByteArray(numbers({many * 4}) + QByteArray(many * 4, '\0') + numbers({0}))
                                    << ArchiveFault::TooLarge;
        QTest::newRow("more texts than bytes") << numbers({endless, 0, 0}) << ArchiveFault::Damaged;
        QTest::newRow("a text longer than the bytes") << numbers({1, endless, 0}) << ArchiveFault::Damaged;
        QTest::newRow("an entry larger than the bytes")
            << numbers({0, 0, batchDelivered, 0, endless}) << ArchiveFault::Damaged;
    }
    void valuesTakeNoMoreThanTheirRoom() {
        QFETCH(const QByteArray, content);
        QFETCH(const ArchiveFault, fault);
        KnownNodes nodes;
        RecordReader reader(content, nodes, formatVersion, room);
        QVERIFY(!reader.next());
        QCOMPARE(reader.fault(), fault);
        QVERIFY(reader.memory() <= room + qsizetype{sizeof(Record)});
    }

    // A node stays in memory for as long as the file is open.
    void nodesOfAllRecordsTakeNoMoreThanTheirRoom() {
        BlockBuilder block;
        for (quint32 shard = 0; shard < 100; ++shard) {
            LockSnapshot lock = held(0ms, alice);
            lock.node = NodePointer(new Node(topology::ShardId{shard}, QString(500'000, u'n')));
            block.add(readAt(0ms, lock), WallTime(0ms));
        }
        const QByteArray content = block.take().content;
        KnownNodes nodes;
        RecordReader reader(content, nodes, formatVersion, room);
        int read = 0;
        while (reader.next())
            ++read;
        QVERIFY(read > 0 && read < 20);
        QCOMPARE(reader.fault(), ArchiveFault::TooLarge);
    }

    // They are decoded one after the other, so their number does not matter.
    void anyNumberOfRecordsIsRead() {
        constexpr qsizetype many = 200'000;
        const QByteArray content = forgedContent({}, batchDelivered, QByteArrayList(many, QByteArray()));
        KnownNodes nodes;
        RecordReader reader(content, nodes, formatVersion, room);
        qsizetype read = 0;
        while (reader.next()) {
            ++read;
            QCOMPARE(reader.memory(), qsizetype{sizeof(Record)});
        }
        QCOMPARE(read, many);
        QCOMPARE(reader.fault(), ArchiveFault::None);
    }

    void contentThatWasCompressedTooMuchIsNotDecompressed_data() {
        QTest::addColumn<QByteArray>("blocks");
        QTest::addColumn<int>("intact");
        const QByteArray zeros(32 * 1024 * 1024, '\0');
        const QByteArray records = forgedContent({}, batchDelivered, QByteArrayList(1'000'000, QByteArray()));
        const QByteArray small =
            compressedBlock(BlockKind::Data, forgedContent({}, batchDelivered, QByteArrayList(200'000, QByteArray())));
        QTest::newRow("zeros") << compressedBlock(BlockKind::Data, zeros) << 0;
        QTest::newRow("records that a few bytes stand for") << compressedBlock(BlockKind::Data, records) << 0;
        QTest::newRow("many small blocks of such records") << small.repeated(50) << 1;
        QTest::newRow("behind a good block")
            << QByteArray(sealed(Block{{}, forgedContent({}, batchDelivered, {{}, {}})}) +
                          compressedBlock(BlockKind::Data, zeros))
            << 1;
    }
    void contentThatWasCompressedTooMuchIsNotDecompressed() {
        QFETCH(const QByteArray, blocks);
        QFETCH(const int, intact);
        put(recordingBegin() + blocks);
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(opened.file);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::TooLarge);
        QCOMPARE(opened.file->blocks().size(), static_cast<size_t>(intact));
    }

    // The head of a block says one size, and the stored bytes have another one.
    void aSizeThatIsNotTrueIsDamage_data() {
        QTest::addColumn<quint32>("size");
        QTest::addColumn<QByteArray>("stored");
        const QByteArray content(10'000, '\0');
        const QByteArray stored = qCompress(content);
        const auto withSize = [&stored](quint32 size) {
            QByteArray changed = stored;
            qToBigEndian(size, changed.data());
            return changed;
        };
        QTest::newRow("smaller") << quint32{100} << withSize(100);
        QTest::newRow("larger") << quint32{20'000} << withSize(20'000);
        QTest::newRow("other than that before the compressed bytes") << quint32{10'000} << withSize(2'000'000'000);
        QTest::newRow("the end is missing") << quint32{10'000} << stored.chopped(4);
        QTest::newRow("not compressed at all") << quint32{10'000} << QByteArray(500, 'x');
        QTest::newRow("nothing") << quint32{0} << QByteArray();
    }
    void aSizeThatIsNotTrueIsDamage() {
        QFETCH(const quint32, size);
        QFETCH(const QByteArray, stored);
        put(recordingBegin() + forgedBlock(BlockKind::Data, size, stored));
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(opened.file);
        QCOMPARE(recordsIn(*opened.file), 0);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Damaged);
    }

    void aBlockThatIsNotThereIsCutOff() {
        put(recordingBegin() + forgedBlock(BlockKind::Data, 100, "few", 60 * 1024 * 1024));
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(opened.file);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::CutOff);
    }

    void whatAFileHasAboutItselfIsLimitedToo() {
        put(fileHead() + compressedBlock(BlockKind::Info, QByteArray(32 * 1024 * 1024, '\0')));
        QCOMPARE(RecordingFile::open(m_path).problem.kind, OpenProblem::Kind::TooLarge);
    }

    void aReplayKeepsNoMoreThanASession() {
        RecordingInfo info = sampleInfo();
        info.limits.rows = std::numeric_limits<qsizetype>::max();
        info.limits.undelivered = std::numeric_limits<qint64>::max();
        writeRecording(m_path, {}, nullptr, SampleEnd::InOrder, info);
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(opened.file);
        QCOMPARE(opened.file->info().limits.rows, StoreLimits().rows);
        QCOMPARE(opened.file->info().limits.undelivered, StoreLimits().undelivered);
    }

    void aRecordingHasWhatTheClientsHaveSet() {
        RecordingInfo info = sampleInfo();
        info.timeouts = {12s, 90s};
        writeRecording(m_path, {}, nullptr, SampleEnd::InOrder, info);
        QCOMPARE(RecordingFile::open(m_path).file->info().timeouts, info.timeouts);
        info.timeouts = {Milliseconds::max(), Milliseconds::min()};
        const QString forged = m_path + QStringLiteral("-forged");
        writeRecording(forged, {}, nullptr, SampleEnd::InOrder, info);
        const ClientTimeouts read = RecordingFile::open(forged).file->info().timeouts;
        QVERIFY2(read.watchdog < 24h * 366 && read.fairWait == 0s, "times that can be added to others");
    }

    // What was read before stays, and the file says why it ends.
    void aRecordingIsReadUpToTheRecordThatIsTooLarge() {
        const QByteArray longText(900'000, 'x');
        QByteArray content = forgedContent({QByteArray(), longText}, caption, {numbers({0}), numbers({0})});
        ArchiveWriter last;
        last.unsignedNumber(10);
        last.time(SteadyTime());
        last.raw(linkWithError(numbers({200}) + QByteArray(200, '\1')));
        content += last.bytes();
        put(recordingBegin() +
            forgedBlock(BlockKind::Data, static_cast<quint32>(content.size()), qCompress(content, 0)) +
            compressedBlock(BlockKind::End, {}));
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(opened.file);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
        for (int pass = 0; pass < 2; ++pass) {
            Replay replay(*opened.file, Replay::Batches::Together);
            int fed = 0;
            for (; replay.nextAt(); ++fed)
                (void)replay.feed();
            QCOMPARE(fed, 2);
        }
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::TooLarge);
    }

    // A writer knows the limits.
    void whatIsWrittenCanBeRead_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("compressed to a thousandth") << QByteArray(8 * 1024 * 1024, 'a');
        QTest::newRow("short") << QByteArray("L");
    }
    void whatIsWrittenCanBeRead() {
        QFETCH(const QByteArray, name);
        LockSnapshot lock = held(0ms, alice);
        lock.name = LockName(name);
        writeRecording(m_path, {{readAt(0ms, lock)}, {readAt(1ms, lock)}});
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(opened.file);
        QCOMPARE(recordsIn(*opened.file), 2);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
    }

    void whatNobodyCouldReadIsNotWritten() {
        RecordingWriter writer(m_path, std::numeric_limits<qint64>::max());
        QVERIFY(writer.open(infoBlock(sampleInfo(), nullptr)).ok());
        const qint64 before = writer.size();
        const Result<RecordingWriter::Written> written = writer.write({{}, QByteArray(largestBlock + 1, '\0')});
        QVERIFY(!written);
        QCOMPARE(written.error().cause, Cause::FileNotWritten);
        QCOMPARE(writer.size(), before);
    }

    // All reports of a lab are in memory at the same time.
    void reportsOfALabTakeNoMoreThanTheirRoom() {
        RecordingInfo info = sampleInfo();
        info.experiment = RecordedExperiment{"short-lease", {}};
        lab::LabUpdate update;
        lab::LabFrame frame = labFrame(0ms, "a", "acquire", "acquired", 1);
        frame.servers.resize(1);
        frame.servers.front().keys.resize(10'000);
        update.frames = {frame};
        writeRecording(m_path, {std::vector<Record>(100, labReportAt(0ms, update))}, nullptr, SampleEnd::InOrder, info);
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(opened.file);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
        const size_t reports = labReportsIn(*opened.file).size();
        QVERIFY(reports > 0 && reports < 100);
    }
};

LOCKKEEPER_TEST(TestRecordingLimits, Guiless)

}  // namespace tst_recordinglimits

#include "tst_recordinglimits.moc"
