// SPDX-License-Identifier: Apache-2.0
#include "session/recordedlab.h"

namespace lockkeeper {

using namespace std::chrono_literals;

namespace {

// How long the end of a recording may take on a disk that hangs.
constexpr Milliseconds longestEnd = 1s;

}  // namespace

RecordedLab::RecordedLab(const lab::LabOrder& order, Clock& clock)
    : m_order(order),
      m_clock(clock),
      m_recording(clock, [this](const recording::RecordingStatus& status) { Q_EMIT reported(status); }),
      m_lab(order, clock) {
    connect(&m_lab, &lab::LabSession::changed, this, &RecordedLab::onChanged);
    connect(&m_lab, &lab::LabSession::closed, this, [this] { m_labClosed.complete(Done()); });
}

RecordedLab::~RecordedLab() {
    blockSignals(true);
    m_scope.stop();
}

void RecordedLab::onChanged(const lab::SharedLabUpdate& update) {
    m_reported.push_back({m_clock.now(), m_clock.wallNow(), update});
    m_recording.add(recording::LabReported{update});
    Q_EMIT reported(update);
}

void RecordedLab::record(const recording::RecordingRequest& request) {
    recording::RecordingInfo info;
    info.server = QString::fromLatin1(m_order.experiment);
    info.experiment = {m_order.experiment, m_order.variation};
    if (!m_reported.empty()) {
        info.begun = m_reported.front().wall;
        info.begunSteady = m_reported.front().at;
    }
    m_recording.begin(request, info);
    m_recording.encodeInTurns();
    for (const Reported& one : m_reported)
        m_recording.add(recording::LabReported{one.update}, one.at, one.wall);
    Q_EMIT reported(m_recording.status());
}

void RecordedLab::request(OperationId id, const SessionRequest& request) {
    if (const auto* wanted = std::get_if<lab::LabRequest>(&request))
        m_lab.request(*wanted);
    else if (const auto* recorded = std::get_if<recording::RecordingRequest>(&request))
        record(*recorded);
    else if (std::holds_alternative<StopRecording>(request))
        m_recording.stop();
    else if (const std::optional<SessionReport> refusal = refusalOf(id, request))
        Q_EMIT reported(*refusal);
}

void RecordedLab::close(control::OwnLocksAtExit) {
    if (std::exchange(m_isClosing, true))
        return;
    m_lab.close();
    m_scope.spawn(end());
}

Task<void> RecordedLab::end() {
    co_await m_recording.end(Deadline::in(m_clock, longestEnd), m_scope.stopToken());
    (void)co_await m_labClosed.wait(Deadline::never(m_clock), m_scope.stopToken());
    Q_EMIT closed();
}

}  // namespace lockkeeper

#include "moc_recordedlab.cpp"
