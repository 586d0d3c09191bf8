// SPDX-License-Identifier: Apache-2.0
#include "recording/sessionrecorder.h"

#include "recording/recordingwriter.h"

#include <QCoreApplication>

#include <cerrno>

namespace lockkeeper::recording {

using namespace std::chrono_literals;

namespace {

constexpr qsizetype fullBlock = 256 * 1024;
constexpr qsizetype mostUnderWay = 128 * 1024 * 1024;
// What a program that is killed has not written yet.
constexpr Milliseconds writeInterval = 1s;

RecordingInfo complete(RecordingInfo info, const Clock& clock, Masking masking) {
    info.program = QCoreApplication::applicationVersion();
    info.isMasked = masking == Masking::On;
    info.begun = clock.wallNow();
    info.begunSteady = clock.now();
    return info;
}

}  // namespace

// The part on the disk's thread. After its first failure it does nothing more.
class SessionRecorder::Disk : public QObject {
public:
    Disk(SessionRecorder& recorder, const RecordingRequest& request)
        : m_recorder(recorder), m_writer(request.path, request.limit) {}

    void open(const Block& info) {
        if (const Result<Done> opened = m_writer.open(info); !opened)
            return fail(opened.error());
        report([size = m_writer.size()](SessionRecorder& recorder) { recorder.onWritten(size); });
    }
    void write(const Block& block) {
        if (m_hasEnded)
            return;
        const Result<RecordingWriter::Written> written = m_writer.write(block);
        if (!written)
            return fail(written.error());
        if (*written == RecordingWriter::Written::NoRoom)
            return finish(RecordingPhase::LimitReached);
        report([size = m_writer.size(), bytes = block.content.size()](SessionRecorder& recorder) {
            recorder.m_underWay -= bytes;
            recorder.onWritten(size);
        });
    }
    void finish(RecordingPhase phase) {
        if (m_hasEnded)
            return;
        const Result<Done> ended = m_writer.end();
        if (ended)
            end(phase, std::nullopt);
        else
            fail(ended.error());
    }

private:
    template <typename Report>
    void report(Report report) {
        QMetaObject::invokeMethod(
            &m_recorder, [&recorder = m_recorder, report = std::move(report)] { report(recorder); },
            Qt::QueuedConnection);
    }
    void fail(const Error& error) { end(RecordingPhase::Failed, error); }
    void end(RecordingPhase phase, const std::optional<Error>& error) {
        m_hasEnded = true;
        report([phase, error](SessionRecorder& recorder) { recorder.end(phase, error); });
    }

    SessionRecorder& m_recorder;  // its destructor waits for this thread
    RecordingWriter m_writer;
    bool m_hasEnded = false;
};

SessionRecorder::SessionRecorder(const RecordingRequest& request, RecordingInfo info, Clock& clock, QObject* parent)
    : QObject(parent),
      m_clock(clock),
      m_mask(request.masking == Masking::On ? std::make_unique<const Mask>() : nullptr),
      m_block(m_mask.get()),
      m_disk(new Disk(*this, request)) {
    const RecordingInfo whole = complete(std::move(info), clock, request.masking);
    m_status = {RecordingPhase::Running, request.path, 0, whole.begun, {}};
    m_disk->moveToThread(&m_thread);
    m_thread.setObjectName(QStringLiteral("lockkeeper-recording"));
    m_thread.start();
    QMetaObject::invokeMethod(m_disk, [disk = m_disk, block = infoBlock(whole, m_mask.get())] { disk->open(block); });
}

SessionRecorder::~SessionRecorder() {
    blockSignals(true);
    stop();
    m_disk->deleteLater();
    m_thread.quit();
    m_thread.wait();
}

void SessionRecorder::schedule() {
    if (m_block.size() >= fullBlock)
        write();
    else if (!m_timer.isRunning())
        m_timer.start(writeInterval);
}

void SessionRecorder::write() {
    m_timer.stop();
    if (m_block.isEmpty() || m_status.phase != RecordingPhase::Running)
        return;
    const Block block = m_block.take();
    m_underWay += block.content.size();
    if (m_underWay > mostUnderWay)
        return end(RecordingPhase::Failed,
                   Error(ErrorCode::Storage, Cause::FileNotWritten, {m_status.path, qt_error_string(ETIMEDOUT)}));
    QMetaObject::invokeMethod(m_disk, [disk = m_disk, block] { disk->write(block); });
}

void SessionRecorder::onWritten(qint64 bytes) {
    RecordingStatus status = m_status;
    status.bytes = bytes;
    setStatus(status);
}

void SessionRecorder::stop() {
    if (m_status.phase != RecordingPhase::Running || m_isStopping)
        return;
    write();
    m_isStopping = true;
    QMetaObject::invokeMethod(m_disk, [disk = m_disk] { disk->finish(RecordingPhase::Stopped); });
}

void SessionRecorder::end(RecordingPhase phase, const std::optional<Error>& error) {
    if (m_status.phase != RecordingPhase::Running)
        return;
    m_timer.stop();
    RecordingStatus status = m_status;
    status.phase = phase;
    status.error = error;
    setStatus(status);
}

void SessionRecorder::setStatus(const RecordingStatus& status) {
    if (status == m_status)
        return;
    m_status = status;
    Q_EMIT statusChanged(m_status);
}

}  // namespace lockkeeper::recording

#include "moc_sessionrecorder.cpp"
