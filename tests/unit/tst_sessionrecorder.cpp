// SPDX-License-Identifier: Apache-2.0
#include "recording/recordingfile.h"
#include "recording/recordingwriter.h"
#include "recording/sessionrecorder.h"
#include "support/manualclock.h"
#include "support/recordingsample.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <semaphore>

namespace tst_sessionrecorder {

using namespace lockkeeper;
using namespace lockkeeper::recording;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// A disk that hangs until the test releases it.
class HangingWriter final : public RecordingWriter {
public:
    HangingWriter(const QString& path, std::binary_semaphore& letGo)
        : RecordingWriter(path, std::numeric_limits<qint64>::max()), m_letGo(letGo) {}
    Result<Done> open(const Block& info) override {
        m_letGo.acquire();
        return RecordingWriter::open(info);
    }

private:
    std::binary_semaphore& m_letGo;
};

}  // namespace

class TestSessionRecorder : public QObject {
    Q_OBJECT

private:
    bool isWhole() const {
        const RecordingFile::Opened opened = RecordingFile::open(m_request.path);
        return opened.file && opened.file->end().kind == FileEnd::Kind::Whole && opened.file->blocks().size() == 1;
    }

    static monitor::PresentInputs knownLocks(int count) {
        std::vector<monitor::SharedRow> rows;
        for (int i = 0; i < count; ++i) {
            monitor::LockRow row;
            row.lock = held(0s, alice);
            row.lock.name = LockName(QByteArray::number(i));
            rows.push_back(std::make_shared<const monitor::LockRow>(row));
        }
        return {{}, std::move(rows), {}};
    }
    // Each entry of the file by its kind: 'L' the read of a lock, 'b' the end of a batch, '?' another.
    QByteArray entries() const {
        QByteArray kinds;
        const RecordingFile::Opened opened = RecordingFile::open(m_request.path);
        for (size_t block = 0; opened.file && block < opened.file->blocks().size(); ++block) {
            for (const Record& record : recordsOf(*opened.file, block)) {
                const auto* input = std::get_if<monitor::StoreInput>(&record.entry);
                const bool isRead = input && std::holds_alternative<monitor::LockRead>(*input);
                kinds += isRead ? 'L' : std::holds_alternative<BatchDelivered>(record.entry) ? 'b' : '?';
            }
        }
        return kinds;
    }

    QTemporaryDir m_folder;
    ManualClock m_clock;
    RecordingRequest m_request;
    int m_files = 0;

private Q_SLOTS:
    void init() { m_request.path = m_folder.filePath(QStringLiteral("%1.lkrec").arg(++m_files)); }

    void stoppedIsSaidOnceTheFileIsWhole() {
        SessionRecorder recorder(m_request, sampleInfo(), m_clock);
        recorder.add(BatchDelivered());
        recorder.stop();
        QTRY_COMPARE(recorder.status().phase, RecordingPhase::Stopped);
        QVERIFY(isWhole());
    }

    void itsEndWritesWhatWaits() {
        {
            SessionRecorder recorder(m_request, sampleInfo(), m_clock);
            recorder.add(BatchDelivered());
        }
        QTRY_VERIFY(isWhole());
    }

    void whatIsKnownComesFirst_data() {
        QTest::addColumn<int>("turns");
        QTest::newRow("stopped before its first turn") << 0;
        QTest::newRow("stopped on the way") << 1;
        QTest::newRow("stopped later") << 10;
    }
    void whatIsKnownComesFirst() {
        QFETCH(const int, turns);
        SessionRecorder recorder(m_request, sampleInfo(), m_clock);
        recorder.add(BatchDelivered());
        recorder.beginWith(knownLocks(2500));
        recorder.add(BatchDelivered());
        for (int i = 0; i < turns; ++i)
            m_clock.advance(1ms);
        recorder.stop();
        m_clock.advance(1s);
        QTRY_COMPARE(recorder.status().phase, RecordingPhase::Stopped);
        QCOMPARE(entries(), 'b' + QByteArray(2500, 'L') + 'b');
    }

    void itsEndWritesWhatIsKnown() {
        {
            SessionRecorder recorder(m_request, sampleInfo(), m_clock);
            recorder.beginWith(knownLocks(2500));
        }
        QTRY_VERIFY(isWhole());
        QCOMPARE(entries(), QByteArray(2500, 'L'));
    }

    void aSecondBeginningFollowsTheFirst() {
        SessionRecorder recorder(m_request, sampleInfo(), m_clock);
        recorder.beginWith(knownLocks(1500));
        recorder.add(BatchDelivered());
        recorder.beginWith(knownLocks(1));
        recorder.stop();
        m_clock.advance(1s);
        QTRY_COMPARE(recorder.status().phase, RecordingPhase::Stopped);
        QCOMPARE(entries(), QByteArray(1500, 'L') + "bL");
    }

    // A caller that waits for the end of the recording learns that it has none.
    void aDiskThatTakesTooLongIsGivenUp() {
        std::binary_semaphore letGo(0);
        SessionRecorder recorder(m_request, sampleInfo(), std::make_unique<HangingWriter>(m_request.path, letGo),
                                 m_clock);
        recorder.stop();
        recorder.giveUp();
        QCOMPARE(recorder.status().phase, RecordingPhase::Failed);
        QCOMPARE(recorder.status().error.value_or(Error()).cause, Cause::FileNotWritten);
        letGo.release();
    }

    // The engine's thread goes on; the file is complete once the disk has recovered.
    void aDiskThatHangsDoesNotHoldUpTheEnd() {
        std::binary_semaphore letGo(0);
        {
            SessionRecorder recorder(m_request, sampleInfo(), std::make_unique<HangingWriter>(m_request.path, letGo),
                                     m_clock);
            recorder.add(BatchDelivered());
        }
        QVERIFY(!QFile::exists(m_request.path));
        letGo.release();
        QTRY_VERIFY(isWhole());
    }
};

LOCKKEEPER_TEST(TestSessionRecorder, Guiless)

}  // namespace tst_sessionrecorder

#include "tst_sessionrecorder.moc"
