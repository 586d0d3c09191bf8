// SPDX-License-Identifier: Apache-2.0
#include "session/sessionrecording.h"

#include "async/completion.h"

namespace lockkeeper {

using recording::RecordingPhase;
using recording::RecordingStatus;
using recording::SessionRecorder;

RecordingStatus SessionRecording::status() const {
    return m_recorder ? m_recorder->status() : RecordingStatus();
}

void SessionRecording::begin(const recording::RecordingRequest& request, const recording::RecordingInfo& info) {
    m_recorder = std::make_unique<SessionRecorder>(request, info, m_clock);
    QObject::connect(m_recorder.get(), &SessionRecorder::statusChanged, m_recorder.get(), m_changed);
}

void SessionRecording::tap(monitor::Monitor& monitor) {
    if (isRunning())
        m_recorder->beginWith(monitor.tapInputs([this](const monitor::StoreInput& input) { m_recorder->add(input); }));
}

void SessionRecording::stop() {
    if (m_recorder)
        m_recorder->stop();
}

Task<void> SessionRecording::end(Deadline deadline, std::stop_token stop) {
    if (!isRunning())
        co_return;
    const Completion<Done> ended;
    QObject::connect(m_recorder.get(), &SessionRecorder::statusChanged, m_recorder.get(),
                     [ended](const RecordingStatus& status) {
                         if (status.phase != RecordingPhase::Running)
                             ended.complete(Done());
                     });
    m_recorder->stop();
    const Result<Done> whole = co_await ended.wait(deadline, stop);
    if (!whole && !stop.stop_requested())
        m_recorder->giveUp();
}

}  // namespace lockkeeper
