// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "recording/opening.h"
#include "recording/recordcodec.h"
#include "recording/recordingstatus.h"

#include <QObject>
#include <QThread>

#include <memory>
#include <optional>

namespace lockkeeper::recording {

class RecordingWriter;

// Records one session to a file that is written on its own thread. The session never waits for the disk, and a disk
// that fails or is too slow ends only the recording. Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT SessionRecorder : public QObject {
    Q_OBJECT
public:
    // info: without the masking; with the time of the beginning only if it is not now.
    SessionRecorder(const RecordingRequest& request, RecordingInfo info, Clock& clock, QObject* parent = nullptr);
    // writer: for the request's file.
    SessionRecorder(const RecordingRequest& request, RecordingInfo info, std::unique_ptr<RecordingWriter> writer,
                    Clock& clock, QObject* parent = nullptr);
    // Calls stop(), and waits a moment until the file is written. If the disk hangs, the file is finished later, or
    // never.
    ~SessionRecorder() override;

    [[nodiscard]] const RecordingStatus& status() const noexcept { return m_status; }

    // T: a StoreInput, or one of the other entries of a Record. Does nothing once the recording has ended.
    template <typename T>
    void add(const T& entry) {
        add(entry, m_clock.now(), m_clock.wallNow());
    }
    // As above with this time, which must not be before the time of the last record.
    template <typename T>
    void add(const T& entry, SteadyTime at, WallTime wall) {
        if (m_status.phase != RecordingPhase::Running || m_isStopping)
            return;
        if (m_opening) {
            m_opening->add({at, entry}, wall);
            return;
        }
        m_block.add(at, wall, entry);
        schedule();
    }
    // Adds what the session knows now, after everything that was added before. It is encoded in several turns of the
    // event loop. The rest of an earlier beginning is encoded at once; the destructor does the same.
    void beginWith(monitor::PresentInputs present);
    // The status becomes Stopped once the file is whole.
    void stop();
    // Call it when the disk has taken too long. The status becomes Failed at once, and the file may never get its end.
    void giveUp();

Q_SIGNALS:
    void statusChanged(const lockkeeper::recording::RecordingStatus& status);

private:
    class Disk;
    class Reports;

    void encodeOpening();
    void schedule();
    void write();
    void finish();
    void onWritten(qint64 bytes);
    void end(RecordingPhase phase, const std::optional<Error>& error);
    void setStatus(const RecordingStatus& status);

    Clock& m_clock;
    const std::unique_ptr<const Mask> m_mask;  // null: nothing is masked
    BlockBuilder m_block;
    RecordingStatus m_status;
    std::optional<Opening> m_opening;  // set until it is encoded
    bool m_isStopping = false;
    const std::shared_ptr<Reports> m_reports;
    QThread* m_thread;         // outlives the recorder while the disk hangs
    Disk* m_disk;              // lives on m_thread and is deleted there
    qsizetype m_underWay = 0;  // bytes that the disk's thread has not written yet
    ClockTimer m_timer{m_clock, [this] { write(); }};
    ClockTimer m_step{m_clock, [this] { encodeOpening(); }};
};

}  // namespace lockkeeper::recording
