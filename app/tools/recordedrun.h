// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "lab/experiment/outcome.h"
#include "session/recordedlab.h"

namespace lockkeeper::app {

// Runs one experiment from its first step to its last, and records it. Thread: the clock's, which outlives it.
class RecordedRun : public QObject {
    Q_OBJECT
public:
    RecordedRun(const lab::LabOrder& order, recording::RecordingRequest request, Clock& clock);

    // Returns when the file is complete. Call once. A run that does not end within its longest time has the failure
    // Timeout; one that cannot be recorded at all is Cancelled.
    [[nodiscard]] Task<lab::Outcome> run();
    // Lets run() return soon, with the failure Cancelled.
    void stop();
    [[nodiscard]] const recording::RecordingStatus& recording() const noexcept { return m_recording; }

private:
    void onChanged(const lab::LabUpdate& update);
    void onRecordingChanged(const recording::RecordingStatus& status);

    const recording::RecordingRequest m_request;
    const Milliseconds m_longest;
    Clock& m_clock;
    RecordedLab m_lab;
    recording::RecordingStatus m_recording;
    std::optional<lab::Outcome> m_outcome;
    bool m_isStopped = false;
    Completion<Done> m_ended;
    Completion<Done> m_closed;
    std::stop_source m_life;
};

}  // namespace lockkeeper::app
