// SPDX-License-Identifier: Apache-2.0
#include "engine/replayworker.h"

#include "session/linkstatus.h"

#include <algorithm>
#include <utility>

namespace lockkeeper {

namespace {

using namespace std::chrono_literals;

// As often as a live session sends batches.
constexpr Milliseconds frameInterval = 50ms;
// How long the computation of one frame may take: on a long way, frames in between are shown.
constexpr Milliseconds frameTime = 200ms;
constexpr int recordsBetweenChecks = 256;

bool isShown(const recording::Record& record) {
    const auto* lab = std::get_if<recording::LabReported>(&record.entry);
    return lab ? !lab->update->frames.empty() : std::holds_alternative<recording::BatchEnded>(record.entry);
}

}  // namespace

template <typename Send>
void ReplayWorker::report(Send send) {
    QMetaObject::invokeMethod(
        &m_engine, [&engine = m_engine, send = std::move(send)] { send(engine); }, Qt::QueuedConnection);
}

void ReplayWorker::load(const recording::RecordingSource& source, const std::stop_token& stop) {
    recording::TraceProgress progress;
    progress.stop = stop;
    progress.progressed = [this](int percent) {
        report([percent](ReplayEngine& engine) { Q_EMIT engine.loading(percent); });
    };
    recording::RecordingFile::Opened opened = recording::RecordingFile::open(source, progress);
    if (!opened.file)
        return report([problem = opened.problem](ReplayEngine& engine) { Q_EMIT engine.loadFailed(problem); });
    m_file = std::move(opened.file);
    m_course.first = m_file->first();
    m_course.last = m_file->last();
    m_course.trace = m_file->trace();
    restart();
    m_restarted = false;
    if (m_file->info().experiment)
        loadLab();
    else
        showFirstLocks();
    m_course.end = m_file->end();
    report([info = m_file->info(), course = m_course](ReplayEngine& engine) { Q_EMIT engine.loaded(info, course); });
    send();
}

// A laboratory shows nothing before its servers run.
void ReplayWorker::loadLab() {
    ReplayedLab lab{*m_file->info().experiment, recording::labReportsIn(*m_file)};
    const auto first = std::ranges::find_if(lab.reports, [](const auto& one) { return !one.update->frames.empty(); });
    if (first != lab.reports.end()) {
        m_target = m_course.position = first->at;
        (void)feedUpTo(m_target);
    }
    report([lab = std::move(lab)](ReplayEngine& engine) { Q_EMIT engine.labLoaded(lab); });
}

// Skips the beginning: a recording begins before the first answer of its server, when nothing is shown.
void ReplayWorker::showFirstLocks() {
    const SteadyTime patience = m_clock.now() + frameTime;
    while (m_replay->nextAt() && m_clock.now() < patience) {
        m_course.position = *m_replay->nextAt();
        const recording::Replay::Passed passed = m_replay->feed();
        note(passed);
        if (passed.endsBatch && m_replay->knownLocks() > 0)
            break;
    }
    m_target = m_course.position;
}

void ReplayWorker::restart() {
    m_replay = std::make_unique<recording::Replay>(*m_file, recording::Replay::Batches::Together);
    m_course.position = m_course.first;
    m_course.caption.clear();
    m_course.steps.clear();
    m_restarted = true;
}

void ReplayWorker::seek(SteadyTime position) {
    if (!m_file)
        return;
    m_target = std::clamp(position, m_course.first, m_course.last);
    if (m_target < m_course.position)
        restart();
    if (m_course.isPlaying)
        play(m_course.speed);
    advance();
}

void ReplayWorker::play(double speed) {
    if (!m_file)
        return;
    m_course.isPlaying = true;
    m_course.speed = speed;
    m_playedFrom = std::max(m_target, m_course.position);
    m_playedSince = m_clock.now();
    followPlay();
}

void ReplayWorker::pause() {
    m_tick.stop();
    m_course.isPlaying = false;
    if (m_file)
        advance();
}

void ReplayWorker::step(ReplayStep direction) {
    if (!m_file)
        return;
    m_course.isPlaying = false;
    m_tick.stop();
    const std::optional<SteadyTime> to =
        direction == ReplayStep::Back ? shownBefore(m_course.position) : shownAfter(m_course.position);
    seek(to.value_or(direction == ReplayStep::Back ? m_course.first : m_course.last));
}

void ReplayWorker::followPlay() {
    if (!m_course.isPlaying)
        return;
    const std::chrono::duration<double> played = (m_clock.now() - m_playedSince) * m_course.speed;
    m_target = std::min(m_course.last, m_playedFrom + std::chrono::duration_cast<SteadyTime::duration>(played));
    if (m_target == m_course.last)
        m_course.isPlaying = false;
    else
        m_tick.start(frameInterval);
    advance();
}

void ReplayWorker::take() {
    m_isShowing = false;
    if (m_course.isUnderWay)
        advance();
}

// While the receiver is busy with a frame, the next one is not computed, because it would be outdated.
void ReplayWorker::advance() {
    m_course.isUnderWay = true;
    if (m_isShowing)
        return;
    if (feedUpTo(m_target)) {
        m_course.isUnderWay = false;
        m_course.position = m_target;
    }
    send();
}

bool ReplayWorker::feedUpTo(SteadyTime target) {
    const SteadyTime patience = m_clock.now() + frameTime;
    for (int fed = 0;; ++fed) {
        const std::optional<SteadyTime> next = m_replay->nextAt();
        if (!next || *next > target)
            return true;
        if (fed % recordsBetweenChecks == recordsBetweenChecks - 1 && m_clock.now() >= patience)
            return false;
        m_course.position = *next;
        note(m_replay->feed());
    }
}

void ReplayWorker::note(const recording::Replay::Passed& passed) {
    if (passed.link)
        m_link = passed.link;
    if (!passed.caption)
        return;
    m_course.caption = passed.caption->text;
    if (!m_course.trace)
        return;
    m_course.steps.append({m_file->wallAt(m_course.position), passed.caption->text});
    if (m_course.steps.size() > ReplayCourse::mostSteps)
        m_course.steps.removeFirst();
}

void ReplayWorker::send() {
    ReplayEngine::Frame frame;
    m_course.wall = m_file->wallAt(m_course.position);
    m_course.end = m_file->end();
    frame.course = m_course;
    frame.restarted = std::exchange(m_restarted, false);
    if (const std::optional<recording::LinkStatus> link = std::exchange(m_link, std::nullopt))
        frame.status = replayedStatus(*link);
    frame.batch = m_replay->take();
    m_isShowing = true;
    report([frame](ReplayEngine& engine) { engine.show(frame); });
}

std::optional<SteadyTime> ReplayWorker::shownAfter(SteadyTime position) {
    for (size_t block = 0; block < m_file->blocks().size(); ++block) {
        if (m_file->blocks()[block].last <= position)
            continue;
        recording::RecordingFile::Records records = m_file->records(block);
        for (std::optional<recording::Record> record = records.next(); record; record = records.next()) {
            if (record->at > position && isShown(*record))
                return record->at;
        }
    }
    return std::nullopt;
}

std::optional<SteadyTime> ReplayWorker::shownBefore(SteadyTime position) {
    for (size_t block = m_file->blocks().size(); block-- > 0;) {
        if (m_file->blocks()[block].first >= position)
            continue;
        std::optional<SteadyTime> found;
        recording::RecordingFile::Records records = m_file->records(block);
        for (std::optional<recording::Record> record = records.next(); record; record = records.next()) {
            if (record->at < position && isShown(*record))
                found = record->at;
        }
        if (found)
            return found;
    }
    return std::nullopt;
}

}  // namespace lockkeeper

#include "moc_replayworker.cpp"
