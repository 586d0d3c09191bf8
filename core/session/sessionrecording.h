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

// The recordings of a session, one after the other. Thread: the clock's, which must outlive it.
class SessionRecording {
public:
    using Changed = std::function<void(const recording::RecordingStatus& status)>;

    // changed: called with each later status of the present recording.
    SessionRecording(Clock& clock, Changed changed) : m_clock(clock), m_changed(std::move(changed)) {}

    // The status of the present recording, or of the last one.
    [[nodiscard]] recording::RecordingStatus status() const;
    [[nodiscard]] bool isRunning() const { return status().phase == recording::RecordingPhase::Running; }
    // Begins a recording; an earlier one ends. info: see SessionRecorder.
    void begin(const recording::RecordingRequest& request, const recording::RecordingInfo& info);
    // See SessionRecorder; does nothing while no recording runs.
    template <typename... Values>
    void add(const Values&... values) {
        if (m_recorder)
            m_recorder->add(values...);
    }
    // If a recording runs, it records what the monitor knows and all later changes, until the tap is removed or the
    // monitor is destroyed. The monitor must be destroyed before this object.
    void tap(monitor::Monitor& monitor);
    // What is added directly after this call is encoded in several turns of the event loop.
    void encodeInTurns() { m_recorder->beginWith({}); }
    void stop();
    // Stops the recording and waits until the file is whole, at most until the deadline: a disk that hangs must not
    // block the session.
    [[nodiscard]] Task<void> end(Deadline deadline, std::stop_token stop);

private:
    Clock& m_clock;
    const Changed m_changed;
    std::unique_ptr<recording::SessionRecorder> m_recorder;  // null: no recording since the session began
};

}  // namespace lockkeeper
