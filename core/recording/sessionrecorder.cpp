// SPDX-License-Identifier: Apache-2.0
#include "recording/sessionrecorder.h"

#include "recording/recordingwriter.h"

#include <QCoreApplication>
#include <QDeadlineTimer>

#include <cerrno>
#include <mutex>

namespace lockkeeper::recording {

using namespace std::chrono_literals;

namespace {

constexpr qsizetype fullBlock = 256 * 1024;
constexpr qsizetype mostUnderWay = 128 * 1024 * 1024;
// How much time a killed program may lose.
constexpr Milliseconds writeInterval = 1s;
// The recorder's thread also runs other sessions and renews their locks.
constexpr Milliseconds longestEnd = 50ms;

RecordingInfo complete(RecordingInfo info, const Clock& clock, Masking masking) {
    info.program = QCoreApplication::applicationVersion();
    info.isMasked = masking == Masking::On;
    if (info.begun == WallTime()) {
        info.begun = clock.wallNow();
        info.begunSteady = clock.now();
    }
    return info;
}

}  // namespace

// The reports of the disk's thread, as long as the recorder exists.
class SessionRecorder::Reports {
public:
    explicit Reports(SessionRecorder& recorder) : m_recorder(&recorder) {}

    template <typename Report>
    void send(Report report) {
        const std::lock_guard lock(m_mutex);
        if (m_recorder)
            QMetaObject::invokeMethod(
                m_recorder, [recorder = m_recorder, report = std::move(report)] { report(*recorder); },
                Qt::QueuedConnection);
    }
    void end() {
        const std::lock_guard lock(m_mutex);
        m_recorder = nullptr;
    }

private:
    std::mutex m_mutex;
    SessionRecorder* m_recorder;
};

// The part on the disk's thread. After its first failure it does nothing more.
class SessionRecorder::Disk : public QObject {
public:
    Disk(std::shared_ptr<Reports> reports, std::unique_ptr<RecordingWriter> writer)
        : m_reports(std::move(reports)), m_writer(std::move(writer)) {}

    void open(const Block& info) {
        if (const Result<Done> opened = m_writer->open(info); !opened)
            return fail(opened.error());
        m_reports->send([size = m_writer->size()](SessionRecorder& recorder) { recorder.onWritten(size); });
    }
    void write(const Block& block) {
        if (m_hasEnded)
            return;
        const Result<RecordingWriter::Written> written = m_writer->write(block);
        if (!written)
            return fail(written.error());
        if (*written == RecordingWriter::Written::NoRoom)
            return finish(RecordingPhase::LimitReached);
        m_reports->send([size = m_writer->size(), bytes = block.content.size()](SessionRecorder& recorder) {
            recorder.m_underWay -= bytes;
            recorder.onWritten(size);
        });
    }
    void finish(RecordingPhase phase) {
        if (m_hasEnded)
            return;
        const Result<Done> ended = m_writer->end();
        if (ended)
            end(phase, std::nullopt);
        else
            fail(ended.error());
    }

    // The last call of this object.
    void endThread() {
        deleteLater();
        QThread::currentThread()->quit();
    }

private:
    void fail(const Error& error) { end(RecordingPhase::Failed, error); }
    void end(RecordingPhase phase, const std::optional<Error>& error) {
        m_hasEnded = true;
        m_reports->send([phase, error](SessionRecorder& recorder) { recorder.end(phase, error); });
    }

    const std::shared_ptr<Reports> m_reports;
    const std::unique_ptr<RecordingWriter> m_writer;
    bool m_hasEnded = false;
};

SessionRecorder::SessionRecorder(const RecordingRequest& request, RecordingInfo info, Clock& clock, QObject* parent)
    : SessionRecorder(request, std::move(info), std::make_unique<RecordingWriter>(request.path, request.limit), clock,
                      parent) {}

SessionRecorder::SessionRecorder(const RecordingRequest& request, RecordingInfo info,
                                 std::unique_ptr<RecordingWriter> writer, Clock& clock, QObject* parent)
    : QObject(parent),
      m_clock(clock),
      m_mask(request.masking == Masking::On ? std::make_unique<const Mask>() : nullptr),
      m_block(m_mask.get()),
      m_reports(std::make_shared<Reports>(*this)),
      m_thread(new QThread),
      m_disk(new Disk(m_reports, std::move(writer))) {
    const RecordingInfo whole = complete(std::move(info), clock, request.masking);
    m_status = {RecordingPhase::Running, request.path, 0, whole.begun, {}};
    m_disk->moveToThread(m_thread);
    m_thread->setObjectName(QStringLiteral("lockkeeper-recording"));
    m_thread->start();
    QMetaObject::invokeMethod(m_disk, [disk = m_disk, block = infoBlock(whole, m_mask.get())] { disk->open(block); });
}

SessionRecorder::~SessionRecorder() {
    blockSignals(true);
    stop();
    while (m_opening)
        encodeOpening();
    m_reports->end();
    QMetaObject::invokeMethod(m_disk, [disk = m_disk] { disk->endThread(); });
    if (m_thread->wait(QDeadlineTimer(longestEnd)))
        delete m_thread;
    else
        connect(m_thread, &QThread::finished, m_thread, &QObject::deleteLater);
}

void SessionRecorder::beginWith(monitor::PresentInputs present) {
    if (m_status.phase != RecordingPhase::Running || m_isStopping)
        return;
    while (m_opening)
        encodeOpening();
    m_opening.emplace(std::move(present), m_clock.now(), m_clock.wallNow());
    m_step.start(Milliseconds(0));
}

void SessionRecorder::encodeOpening() {
    if (m_status.phase != RecordingPhase::Running)
        return m_opening.reset();
    const bool isMore = m_opening->encodeNext(m_block);
    schedule();
    if (isMore)
        return m_step.start(Milliseconds(0));
    m_opening.reset();
    if (m_isStopping)
        finish();
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
        return giveUp();
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
    m_isStopping = true;
    if (!m_opening)
        finish();
}

void SessionRecorder::giveUp() {
    end(RecordingPhase::Failed,
        Error(ErrorCode::Storage, Cause::FileNotWritten, {m_status.path, qt_error_string(ETIMEDOUT)}));
}

void SessionRecorder::finish() {
    write();
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
