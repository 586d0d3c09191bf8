// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/deadline.h"
#include "async/task.h"
#include "monitor/monitor.h"
#include "recording/sessionrecorder.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace lockkeeper {

// The recordings of a session, one after the other. Thread: the clock's, which outlives it.
class SessionRecording {
public:
    using Changed = std::function<void(const recording::RecordingStatus& status)>;

    // changed: called with each later status of the present recording.
    SessionRecording(Clock& clock, Changed changed) : m_clock(clock), m_changed(std::move(changed)) {}

    // Of the present one, or of the last.
    [[nodiscard]] recording::RecordingStatus status() const;
    [[nodiscard]] bool isRunning() const { return status().phase == recording::RecordingPhase::Running; }
    // In place of the one before. info: as for SessionRecorder.
    void begin(const recording::RecordingRequest& request, const recording::RecordingInfo& info);
    // As for SessionRecorder; does nothing while none runs.
    template <typename... Values>
    void add(const Values&... values) {
        if (m_recorder)
            m_recorder->add(values...);
    }
    // If it runs, what the monitor knows and all that changes it is recorded, until the tap is taken off or the monitor ends,
    // which it does first.
    void tap(monitor::Monitor& monitor);
    // What is added at once after this is encoded in several turns of the loop.
    void encodeInTurns() { m_recorder->beginWith({}); }
    void stop();
    // Stops it and waits until the file is whole, but not longer: a disk that hangs must not keep the session.
    [[nodiscard]] Task<void> end(Deadline deadline, std::stop_token stop);

private:
    Clock& m_clock;
    const Changed m_changed;
    std::unique_ptr<recording::SessionRecorder> m_recorder;  // null: none since the session began
};

}  // namespace lockkeeper
