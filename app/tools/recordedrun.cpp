// SPDX-License-Identifier: Apache-2.0
#include "app/tools/recordedrun.h"

namespace lockkeeper::app {

using recording::RecordingPhase;
using recording::RecordingStatus;

RecordedRun::RecordedRun(const lab::LabOrder& order, recording::RecordingRequest request, Clock& clock)
    : m_request(std::move(request)), m_longest(lab::scenarioOf(order).longestRun), m_clock(clock), m_lab(order, clock) {
    // Queued: the lab reports from one of its coroutines, and must not be closed or deleted there.
    m_lab.onReport<lab::SharedLabUpdate>(
        this, [this](const lab::SharedLabUpdate& update) { onChanged(*update); }, Qt::QueuedConnection);
    m_lab.onReport<recording::RecordingStatus>(this, &RecordedRun::onRecordingChanged, Qt::QueuedConnection);
    connect(
        &m_lab, &RecordedLab::closed, this, [this] { m_closed.complete(Done()); }, Qt::QueuedConnection);
}

Task<lab::Outcome> RecordedRun::run() {
    m_lab.request({}, m_request);
    m_lab.open();
    (void)co_await m_ended.wait(Deadline::in(m_clock, m_longest), m_life.get_token());
    m_lab.close(control::OwnLocksAtExit::Release);
    (void)co_await m_closed.wait(Deadline::never(m_clock), m_life.get_token());
    if (m_outcome)
        co_return *m_outcome;
    lab::Outcome unfinished;
    unfinished.failure =
        m_isStopped ? Error(ErrorCode::Cancelled, Cause::Cancelled) : Error(ErrorCode::Timeout, Cause::NoAnswerInTime);
    co_return unfinished;
}

void RecordedRun::stop() {
    m_isStopped = true;
    m_ended.complete(Done());
}

void RecordedRun::onChanged(const lab::LabUpdate& update) {
    if (!update.outcome)
        return;
    m_outcome = update.outcome;
    m_ended.complete(Done());
}

void RecordedRun::onRecordingChanged(const RecordingStatus& status) {
    m_recording = status;
    if (status.phase == RecordingPhase::Failed && status.bytes == 0)
        stop();
}

}  // namespace lockkeeper::app

#include "moc_recordedrun.cpp"
