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

// Records one session to a file that is written on a thread of its own: the session never waits for the disk, and a
// disk that fails or is too slow ends the recording alone. Thread: the clock's, which outlives it.
class LOCKKEEPER_MONITOR_EXPORT SessionRecorder : public QObject {
    Q_OBJECT
public:
    // info: without the masking; with the time of the recording's begin only if that is not now.
    SessionRecorder(const RecordingRequest& request, RecordingInfo info, Clock& clock, QObject* parent = nullptr);
    // writer: of the request's file.
    SessionRecorder(const RecordingRequest& request, RecordingInfo info, std::unique_ptr<RecordingWriter> writer,
                    Clock& clock, QObject* parent = nullptr);
    // As stop(), and waits for a moment until the file is written. On a disk that hangs the file is finished later, or
    // never.
    ~SessionRecorder() override;

    [[nodiscard]] const RecordingStatus& status() const noexcept { return m_status; }

    // T: a StoreInput, or one of the other entries of a Record. Does nothing once the recording has ended.
    template <typename T>
    void add(const T& entry) {
        add(entry, m_clock.now(), m_clock.wallNow());
    }
    // Of that time, which is not before that of the last one.
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
    // What the session knows now, behind what was added before; it is encoded in several turns of the
    // loop. The rest of an earlier beginning is encoded at once, as at the destruction.
    void beginWith(monitor::PresentInputs present);
    // Stopped follows once the file is whole.
    void stop();
    // The disk has taken too long: Failed at once, and the file may never get its end.
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
    std::optional<Opening> m_opening;  // until it is encoded
    bool m_isStopping = false;
    const std::shared_ptr<Reports> m_reports;
    QThread* m_thread;         // outlives the recorder while the disk hangs
    Disk* m_disk;              // lives on m_thread and is deleted there
    qsizetype m_underWay = 0;  // bytes that the disk has not taken yet
    ClockTimer m_timer{m_clock, [this] { write(); }};
    ClockTimer m_step{m_clock, [this] { encodeOpening(); }};
};

}  // namespace lockkeeper::recording
