// SPDX-License-Identifier: Apache-2.0
#include "recording/labreports.h"
#include "recording/recordingfile.h"
#include "recording/replay.h"
#include "support/dice.h"
#include "support/forgedrecording.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <array>

namespace tst_recording_fuzz {

using namespace lockkeeper;
using namespace lockkeeper::recording;

namespace {

constexpr int cases = 150;

// The blocks of a recording, decompressed.
std::vector<Block> blocksOf(const QByteArray& file) {
    std::vector<Block> blocks;
    for (qsizetype at = fileHeadSize; at + blockHeadSize <= file.size();) {
        const std::optional<BlockHead> head = headIn(file.sliced(at, blockHeadSize));
        if (!head)
            return {};
        blocks.push_back({*head, *contentOf(*head, file.sliced(at + blockHeadSize, head->storedSize))});
        at += blockHeadSize + head->storedSize;
    }
    return blocks;
}

}  // namespace

// Recordings with random damage behind right checksums. Reading and replaying them must not crash (CI runs this with
// the sanitizers), must end, and must keep to its limits. The seed is printed; LOCKKEEPER_TEST_SEED repeats a run.
class TestRecordingFuzz : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyContentIsReadWithinItsLimits_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<uint>("seed");
        for (const char* file : {"0.1/locks.lkrec", "0.1/lab.lkrec", "recordings/split-brain-version-6.lkrec"}) {
            for (const uint seed : {1u, 2u, 3u})
                QTest::addRow("%s, seed %u", file, seed) << QString::fromLatin1(file) << seed;
        }
    }
    void everyContentIsReadWithinItsLimits() {
        QFETCH(const QString, file);
        QFETCH(const uint, seed);
        m_dice = test::Dice(seed);
        const QString path = test::places::data() + u'/' + file;
        // As it was written, and as today's program writes the same records.
        const QByteArray earlier = test::contentOfFile(path);
        const QByteArray today = writtenToday(path);
        int refused = 0;
        for (int i = 0; i < cases; ++i) {
            const QByteArray& original = m_dice.oneIn(2) ? earlier : today;
            test::putFile(m_path, damaged(original));
            refused += read() ? 0 : 1;
        }
        QVERIFY2(refused > cases / 10 && refused < cases, QByteArray::number(refused));
    }

private:
    QByteArray writtenToday(const QString& path) const {
        const RecordingFile::Opened opened = RecordingFile::open(path);
        std::vector<std::vector<Record>> blocks;
        for (size_t block = 0; block < opened.file->blocks().size(); ++block)
            blocks.push_back(test::recordsOf(*opened.file, block));
        const QString written = m_folder.filePath(QStringLiteral("today.lkrec"));
        QFile::remove(written);
        test::writeRecording(written, blocks, nullptr, test::SampleEnd::InOrder, opened.file->info());
        return test::contentOfFile(written);
    }

    // The blocks with some changed bytes in one of them, and checksums that are right.
    QByteArray damaged(const QByteArray& file) {
        std::vector<Block> blocks = blocksOf(file);
        QByteArray& content = blocks[m_dice.below(blocks.size() - 1)].content;
        for (size_t hits = 1 + m_dice.below(4); hits > 0 && !content.isEmpty(); --hits)
            change(content, static_cast<qsizetype>(m_dice.below(static_cast<size_t>(content.size()))));
        QByteArray bytes = file.first(fileHeadSize);
        for (const Block& block : blocks)
            bytes += sealed({block.head, block.content});
        return bytes;
    }

    void change(QByteArray& content, qsizetype at) {
        static const std::array<char, 6> spice{'\0', '\1', '\x7f', '\x80', '\xfe', '\xff'};
        switch (m_dice.below(5)) {
            case 0:
                content[at] = m_dice.oneOf(spice);
                break;
            case 1:
                content[at] = static_cast<char>(m_dice.below(256));
                break;
            case 2:
                content.remove(at, static_cast<qsizetype>(1 + m_dice.below(8)));
                break;
            case 3:
                content.insert(at, QByteArray(static_cast<qsizetype>(1 + m_dice.below(9)), m_dice.oneOf(spice)));
                break;
            default:
                content.insert(at, content.mid(at, static_cast<qsizetype>(m_dice.below(200))));
        }
    }

    // Whether all of the file was read.
    bool read() const {
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        if (!opened.file)
            return false;
        RecordingFile& file = *opened.file;
        for (size_t block = 0; block < file.blocks().size(); ++block) {
            RecordingFile::Records records = file.records(block);
            const qsizetype most = roomForValues(file.size()) + qsizetype{sizeof(Record)};
            while (records.next()) {
                if (records.memory() > most)
                    qFatal("%lld bytes", static_cast<long long>(records.memory()));
            }
        }
        (void)labReportsIn(file);
        for (const auto batches : {Replay::Batches::Together, Replay::Batches::AsDelivered}) {
            Replay replay(file, batches);
            while (replay.nextAt())
                (void)replay.feed();
            (void)replay.take();
        }
        return file.end().kind == FileEnd::Kind::Whole && !file.end().hasSkipped;
    }

    test::Dice m_dice;
    QTemporaryDir m_folder;
    QString m_path = m_folder.filePath(QStringLiteral("damaged.lkrec"));
};

LOCKKEEPER_TEST(TestRecordingFuzz, Guiless)

}  // namespace tst_recording_fuzz

#include "tst_recording_fuzz.moc"
