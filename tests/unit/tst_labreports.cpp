// SPDX-License-Identifier: Apache-2.0
#include "recording/excerpt.h"
#include "recording/labreports.h"
#include "support/labsample.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_labreports {

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace lockkeeper::recording;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// An update with something in each of its fields.
LabUpdate richUpdate() {
    LabFrame frame = labFrame(5ms, "a", "acquire", "acquired", 1);
    frame.moment.step = 3;
    frame.facts = {{"token", Fact(qint64(7))}, {"holders", Fact(QByteArray("a:1 x 1"))}};
    LabActor& actor = frame.actors.front();
    actor.clients = {labClient};
    actor.isFrozen = true;
    actor.isCutOff = true;
    actor.unreached.servers = {ServerNumber(3)};
    actor.delay = 500ms;
    actor.clockAhead = -10s;
    actor.hasCrashed = true;
    actor.threads.front().count = 2;
    actor.threads.front().token = 7;
    actor.threads.front().leaseLeft = 30s;
    actor.threads.front().isRenewed = true;
    actor.threads.front().knowsLoss = true;
    frame.servers.front().number = ServerNumber(1);
    frame.servers.front().condition = ServerCondition::Frozen;
    frame.servers.front().isReplica = true;
    frame.servers.front().keysLeftOut = 9;
    frame.servers.front().isReplicationHeld = true;
    frame.servers.front().unreached = {{ServerNumber(2)}, {"b"}, true};
    LabServer& sentinel = frame.servers.emplace_back();
    sentinel.number = sentinelServer;
    sentinel.condition = ServerCondition::Killed;
    LabServer& refusing = frame.servers.emplace_back();
    refusing.number = ServerNumber(3);
    refusing.reading = KeyReading::ClusterDown;
    WireLine line = labLine(4, {"PUBLISH", "c", QByteArray("\0\xff", 2)});
    line.server = ServerNumber(2);
    line.sender = WireLine::Sender::Script;
    line.receivers = {"a", "b"};
    LabUpdate update = labUpdate(LabPhase::Failed, {frame, labFrame(6ms, "b", "lost", "lost", 0)}, {line});
    update.nextStep = 5;
    update.firstFrame = 3;
    update.linesLeftOut = 11;
    update.isFull = true;
    update.outcome.emplace();
    update.outcome->failure = Error(ErrorCode::Timeout, Cause::ServerSilent, {QStringLiteral("5")});
    update.outcome->moments = {frame.moment};
    update.outcome->facts = frame.facts;
    update.outcome->duration = 12s;
    update.outcome->isChangedByHand = true;
    return update;
}

// The update after it was written as the only record of a block and read again.
std::optional<LabUpdate> throughABlock(const LabUpdate& update, const Mask* mask = nullptr) {
    BlockBuilder block(mask);
    block.add(labReportAt(0ms, update), WallTime(1s));
    const std::optional<std::vector<Record>> records = recordsIn(block.take().content);
    return records ? std::optional(*std::get<LabReported>(records->at(0).entry).update) : std::nullopt;
}

struct Shown {
    std::vector<LabFrame> frames;
    std::vector<WireLine> lines;
    qsizetype firstFrame = 0;
    bool hasOutcome = false;
};

Shown shownBy(const std::vector<LabReport>& reports) {
    Shown shown;
    for (const LabReport& report : reports) {
        if (shown.frames.empty())
            shown.firstFrame = report.update->firstFrame;
        shown.frames.insert(shown.frames.end(), report.update->frames.begin(), report.update->frames.end());
        shown.lines.insert(shown.lines.end(), report.update->lines.begin(), report.update->lines.end());
        shown.hasOutcome = shown.hasOutcome || report.update->outcome;
    }
    return shown;
}

}  // namespace

// The recording of a lab session.
class TestLabReports : public QObject {
    Q_OBJECT

private:
    void write(const std::vector<std::vector<Record>>& blocks) const {
        writeRecording(m_path, blocks, nullptr, SampleEnd::InOrder, labInfo());
    }
    [[nodiscard]] static std::vector<LabReport> reportsOf(const QString& path) {
        const RecordingFile::Opened opened = RecordingFile::open(path);
        return opened.file ? labReportsIn(*opened.file) : std::vector<LabReport>();
    }
    // The reports of a part that was saved and opened.
    [[nodiscard]] std::vector<LabReport> part(std::optional<WallTime> from, std::optional<WallTime> to) const {
        const RecordingFile::Opened whole = RecordingFile::open(m_path);
        RecordingRequest request;
        request.path = m_path + QStringLiteral(".part");
        if (!saveExcerpt(*whole.file, request, from, to).ok())
            return {};
        const std::vector<LabReport> reports = reportsOf(request.path);
        QFile::remove(request.path);
        return reports;
    }

    QTemporaryDir m_folder;
    QString m_path;
    int m_files = 0;

private Q_SLOTS:
    void init() { m_path = m_folder.filePath(QStringLiteral("%1.lkrec").arg(++m_files)); }

    void anUpdateComesBackWithAllItsFields() {
        const LabUpdate update = richUpdate();
        QVERIFY(throughABlock(update) == update);
    }

    void aWholeRecordingHasEachReportWithItsTime() {
        write(labStory());
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(opened.file);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
        QCOMPARE(opened.file->info().experiment->id, "short-lease");
        QCOMPARE(opened.file->info().experiment->variation.trigger, Trigger::Present);
        const std::vector<LabReport> reports = labReportsIn(*opened.file);
        QCOMPARE(reports.size(), size_t(5));
        QCOMPARE(reports.at(2).at, SteadyTime(1h + 2s));
        QCOMPARE(reports.at(2).update->frames.front().moment.what, "acquired");
        QVERIFY(reports.back().update->outcome);
    }

    void aRecordingSaysHowLongItsTimesWere() {
        RecordingInfo info = labInfo();
        info.experiment->variation = {Trigger::Removed, 5};
        writeRecording(m_path, labStory(), nullptr, SampleEnd::InOrder, info);
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(opened.file);
        QCOMPARE(opened.file->info().experiment->variation.stretch, 5);
        QCOMPARE(opened.file->info().experiment->variation.trigger, Trigger::Removed);
        for (const int impossible : {0, -1, mostStretch + 1}) {
            info.experiment->variation.stretch = impossible;
            QFile::remove(m_path);
            writeRecording(m_path, labStory(), nullptr, SampleEnd::InOrder, info);
            QVERIFY(!RecordingFile::open(m_path).file);
        }
    }

    void aRecordingOfAServerHasNone() {
        writeRecording(m_path, {{linkAt(0ms, LinkStatus::Phase::Connected), batchAt(20ms)}});
        QVERIFY(reportsOf(m_path).empty());
    }

    // As after a crash or a full disk: the file may end at any byte.
    void aCutOffFileOpensUpToTheCut() {
        write(labStory());
        const QByteArray whole = contentOfFile(m_path);
        const std::vector<LabFrame> frames = shownBy(reportsOf(m_path)).frames;
        const QString cutPath = m_path + QStringLiteral(".cut");
        size_t before = 0;
        for (qsizetype size = 0; size < whole.size(); ++size) {
            putFile(cutPath, whole.first(size));
            const std::vector<LabFrame> seen = shownBy(reportsOf(cutPath)).frames;
            QVERIFY(seen.size() >= before);
            QVERIFY(std::equal(seen.begin(), seen.end(), frames.begin()));
            before = seen.size();
        }
        QCOMPARE(before, frames.size());
    }

    // Damages each byte in turn.
    void aDamagedFileOpensUpToTheDamage() {
        write(labStory());
        const QByteArray whole = contentOfFile(m_path);
        const std::vector<LabFrame> frames = shownBy(reportsOf(m_path)).frames;
        const QString damagedPath = m_path + QStringLiteral(".damaged");
        for (qsizetype at = 0; at < whole.size(); ++at) {
            QByteArray changed = whole;
            changed[at] = static_cast<char>(changed.at(at) ^ 0x55);
            putFile(damagedPath, changed);
            const std::vector<LabFrame> seen = shownBy(reportsOf(damagedPath)).frames;
            QVERIFY(seen.size() <= frames.size());
            QVERIFY(std::equal(seen.begin(), seen.end(), frames.begin()));
        }
    }

    // Reports that no session can make, and that the window could not show.
    void anImpossibleReportIsRefused_data() {
        QTest::addColumn<LabUpdate>("update");
        const auto row = [](const char* name, auto change) {
            LabUpdate update = richUpdate();
            change(update);
            QTest::newRow(name) << update;
        };
        row("a command without words", [](LabUpdate& update) { update.lines.front().arguments.clear(); });
        row("a command of a frame before the first", [](LabUpdate& update) { update.lines.front().frame = -1; });
        row("a command of a frame beyond the bound",
            [](LabUpdate& update) { update.lines.front().frame = mostLabFrames + 1; });
        row("a frame before the first", [](LabUpdate& update) { update.firstFrame = -1; });
        row("a server before the first",
            [](LabUpdate& update) { update.frames.front().servers.front().number = ServerNumber(-1); });
        row("a server that is not reached, before the first",
            [](LabUpdate& update) { update.frames.front().actors.front().unreached.servers = {ServerNumber(-1)}; });
        row("an unknown phase", [](LabUpdate& update) { update.phase = static_cast<LabPhase>(99); });
        row("an unknown condition", [](LabUpdate& update) {
            update.frames.front().servers.front().condition = static_cast<ServerCondition>(99);
        });
        row("an unknown way of reading",
            [](LabUpdate& update) { update.frames.front().servers.front().reading = static_cast<KeyReading>(99); });
    }
    void anImpossibleReportIsRefused() {
        QFETCH(LabUpdate, update);
        QVERIFY(throughABlock(richUpdate()));
        QVERIFY(!throughABlock(update));
    }

    // A forged file has right checksums. Changes each byte in turn.
    void whatIsReadOfAnyContentCanBeShown() {
        BlockBuilder block;
        block.add(labReportAt(0ms, richUpdate()), WallTime(1s));
        const QByteArray content = block.take().content;
        qsizetype read = 0;
        for (qsizetype at = 0; at < content.size(); ++at) {
            QByteArray changed = content;
            changed[at] = static_cast<char>(changed.at(at) ^ 0x55);
            const std::optional<std::vector<Record>> records = recordsIn(changed);
            for (const Record& record : records ? *records : std::vector<Record>()) {
                const auto* reported = std::get_if<LabReported>(&record.entry);
                if (!reported)
                    continue;
                ++read;
                for (const WireLine& line : reported->update->lines)
                    QVERIFY(!line.arguments.isEmpty() && line.frame >= 0 && line.frame <= mostLabFrames);
            }
        }
        QVERIFY(read > 0);
    }

    void noMoreIsReadThanASessionReports() {
        const LabUpdate many =
            labUpdate(LabPhase::Free, std::vector<LabFrame>(1000, labFrame(0ms, "a", "acquire", "acquired", 1)));
        std::vector<Record> records;
        for (int at = 0; at < 5; ++at)
            records.push_back(labReportAt(Milliseconds(at), many));
        write({records});
        QCOMPARE(shownBy(reportsOf(m_path)).frames.size(), size_t(mostLabFrames));
    }

    // Version 2 had no experiment in what the file says about itself.
    void anOlderFileStillOpens_data() {
        QTest::addColumn<int>("version");
        QTest::newRow("1") << 1;
        QTest::newRow("2") << 2;
    }
    void anOlderFileStillOpens() {
        QFETCH(const int, version);
        // The file of version 7, without what the earlier ones did not have.
        const QByteArray whole = contentOfFile(test::places::data() + QStringLiteral("/0.1/locks.lkrec"));
        const BlockHead head = *headIn(whole.sliced(fileHeadSize, blockHeadSize));
        const qsizetype end = fileHeadSize + blockHeadSize + head.storedSize;
        QByteArray info = *contentOf(head, whole.first(end).last(head.storedSize));
        info.chop(1);
        QByteArray content = whole.first(fileHeadSize) + sealed({head, info}) + whole.sliced(end);
        content[fileHeadSize - 4] = static_cast<char>(version);
        putFile(m_path, content);
        const RecordingFile::Opened opened = RecordingFile::open(m_path);
        QVERIFY(opened.file);
        QVERIFY(!opened.file->info().experiment);
        QCOMPARE(opened.file->info().server, QStringLiteral("127.0.0.1:7399"));
        QVERIFY(!recordsOf(*opened.file, 0).empty());
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
    }

    // Recorded by the last program that wrote version 3. The file does not say who was cut off.
    void aLabOfVersion3StillOpens() {
        const RecordingFile::Opened opened =
            RecordingFile::open(test::places::data() + QStringLiteral("/recordings/split-brain-version-3.lkrec"));
        QVERIFY(opened.file);
        QCOMPARE(opened.file->info().experiment->id, "split-brain");
        QCOMPARE(opened.file->info().experiment->variation.stretch, 1);
        const std::vector<LabReport> reports = labReportsIn(*opened.file);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
        const Shown shown = shownBy(reports);
        QVERIFY(shown.hasOutcome);
        QVERIFY(std::ranges::any_of(shown.frames,
                                    [](const LabFrame& frame) { return frame.moment.what == "server-cut-off"; }));
        for (const LabFrame& frame : shown.frames) {
            QCOMPARE(frame.actors.size(), size_t(2));
            QCOMPARE(frame.servers.size(), size_t(2));
            QVERIFY(frame.servers.front().unreached.isEmpty());
        }
    }

    // Recorded in version 6. The file does not say how keys were read.
    void aLabOfVersion6StillOpens() {
        const RecordingFile::Opened opened =
            RecordingFile::open(test::places::data() + QStringLiteral("/recordings/split-brain-version-6.lkrec"));
        QVERIFY(opened.file);
        const Shown shown = shownBy(labReportsIn(*opened.file));
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
        QVERIFY(shown.hasOutcome);
        const auto cut = std::ranges::find_if(
            shown.frames, [](const LabFrame& frame) { return frame.moment.what == "server-cut-off"; });
        QVERIFY(cut != shown.frames.end());
        QVERIFY(!cut->servers.front().unreached.isEmpty());
        for (const LabFrame& frame : shown.frames) {
            QCOMPARE(frame.servers.size(), size_t(2));
            QVERIFY(!frame.servers.front().hasOldKeys());
        }
    }

    // The part begins with the state of the last moment before it. What belongs to which moment stays.
    void aPartBeginsWithTheMomentBefore() {
        write(labStory());
        const Shown all = shownBy(reportsOf(m_path));
        QCOMPARE(all.frames.size(), size_t(3));
        const std::vector<LabReport> reports = part(WallTime(2500ms), std::nullopt);
        QVERIFY(reports.at(0).at < reports.at(1).at);
        const Shown end = shownBy(reports);
        QCOMPARE(end.frames.size(), size_t(2));
        QVERIFY(end.frames.front() == all.frames.at(1));
        QVERIFY(end.frames.back() == all.frames.at(2));
        QCOMPARE(end.firstFrame, 1);
        QVERIFY(end.lines == all.lines);
        QVERIFY(end.hasOutcome);
    }

    void aPartOfAPartKeepsTheNumbersOfItsMoments() {
        write(labStory());
        const RecordingFile::Opened whole = RecordingFile::open(m_path);
        RecordingRequest first;
        first.path = m_folder.filePath(QStringLiteral("first.lkrec"));
        QVERIFY(saveExcerpt(*whole.file, first, WallTime(2500ms), std::nullopt).ok());
        m_path = first.path;
        const Shown last = shownBy(part(WallTime(3500ms), std::nullopt));
        QCOMPARE(last.frames.size(), size_t(1));
        QCOMPARE(last.firstFrame, 2);
        QCOMPARE(last.lines.size(), size_t(1));
        QCOMPARE(last.lines.front().frame, 2);
        QVERIFY(last.hasOutcome);
    }

    void aPartEndsAtItsEnd() {
        write(labStory());
        const Shown begin = shownBy(part(std::nullopt, WallTime(2s)));
        QCOMPARE(begin.frames.size(), size_t(2));
        QVERIFY(!begin.hasOutcome);
    }

    // The same id has the same replacement everywhere, also within other text. The words of the experiment stay.
    void aMaskedRecordingHasNoIds() {
        const Mask mask;
        LabUpdate update = richUpdate();
        const QByteArray channel = "redisson_unlock_latch:{L}:" + labClient.bytes();
        update.lines.front().arguments = {"PUBLISH", channel, labClient.bytes() + ":1 " + labClient.bytes()};
        update.outcome->failure->text = labClient.bytes();
        BlockBuilder block(&mask);
        block.add(labReportAt(0ms, update), WallTime(1s));
        QVERIFY(!block.take().content.contains(labClient.bytes()));
        const std::optional<LabUpdate> masked = throughABlock(update, &mask);
        QVERIFY(masked);
        const QByteArray word = mask.client(labClient.bytes());
        QVERIFY(word != labClient.bytes());
        QCOMPARE(masked->frames.front().actors.front().clients.front(), ClientId(word));
        QCOMPARE(masked->frames.front().servers.front().keys.front().entries.front().field, word + ":1");
        QCOMPARE(masked->lines.front().arguments,
                 (QByteArrayList{"PUBLISH", "redisson_unlock_latch:{L}:" + word, word + ":1 " + word}));
        QCOMPARE(masked->frames.front().actors.front().name, ActorName("a"));
        QCOMPARE(masked->outcome->failure->text, QString());
    }
};

LOCKKEEPER_TEST(TestLabReports, Guiless)

}  // namespace tst_labreports

#include "tst_labreports.moc"
