// SPDX-License-Identifier: Apache-2.0
#include "history/recorder.h"

#include <QPointer>

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::history {

namespace {

constexpr Milliseconds betweenTries = 5s;

monitor::LockEvent watchedUpTo(WallTime now) {
    monitor::LockEvent event;
    event.at = now;
    event.type = monitor::EventType::NotWatched;
    return event;
}

}  // namespace

Recorder::Recorder(HistoryFile& file, QObject* parent) : QObject(parent), m_file(file) {}

Recorder::~Recorder() {
    blockSignals(true);
    stop();
}

void Recorder::record(const ProfileKey& profile) {
    stop();
    m_wanted = profile;
    m_nextTry = m_file.m_clock.now() + betweenTries;
    if (m_file.add(this, profile.id))
        m_profile = profile;
    const auto pass = [recorder = QPointer(this)](const std::vector<monitor::LockEvent>& past) {
        if (recorder)
            Q_EMIT recorder->loaded(past);
    };
    if (isKept())
        return m_file.begin(profile, pass);
    if (m_file.keepsAnything() && !profile.id.isEmpty())
        return m_file.readPast(profile, pass);
    // Queued, like an answer from the disk: the signal must not come before this function has returned.
    QMetaObject::invokeMethod(
        this, [pass] { pass({}); }, Qt::QueuedConnection);
}

void Recorder::recall(const QList<LockName>& locks) {
    if (locks.isEmpty() || m_wanted.id.isEmpty() || !m_file.keepsAnything())
        return;
    m_file.readOf(m_wanted.id, locks, [recorder = QPointer(this)](const std::vector<monitor::LockEvent>& events) {
        if (recorder)
            Q_EMIT recorder->recalled(events);
    });
}

void Recorder::takeOver() {
    const SteadyTime now = m_file.m_clock.now();
    if (now < m_nextTry)
        return;
    m_nextTry = now + betweenTries;
    if (!m_file.add(this, m_wanted.id))
        return;
    m_profile = m_wanted;
    // Events that the other session has stored were also seen here.
    if (isKept())
        m_file.begin(m_profile, [](const std::vector<monitor::LockEvent>&) {});
}

void Recorder::append(const std::vector<monitor::LockEvent>& events) {
    if (profile().isEmpty() && !m_wanted.id.isEmpty())
        takeOver();
    if (!isKept())
        return;
    std::copy_if(events.begin(), events.end(), std::back_inserter(m_waiting),
                 [](const monitor::LockEvent& event) { return event.type != monitor::EventType::Swept; });
    monitor::dropOldest(m_waiting, m_file.m_options.waiting);
    scheduleWrite();
}

void Recorder::stop() {
    finish();
    m_file.remove(this);
    m_profile = {};
    m_wanted = {};
}

// Writes the waiting events, and the time until which the session was watched.
void Recorder::finish() {
    if (!isKept())
        return;
    m_waiting.push_back(watchedUpTo(m_file.m_clock.wallNow()));
    write();
}

void Recorder::flush() {
    if (!m_waiting.empty())
        write();
}

void Recorder::scheduleWrite() {
    if (!m_waiting.empty() && !m_writing && !m_timer.isRunning())
        m_timer.start(m_file.m_options.interval);
}

void Recorder::write() {
    m_timer.stop();
    m_writing = true;
    m_file.write(profile(), std::exchange(m_waiting, {}), [recorder = QPointer(this)] {
        if (!recorder)
            return;
        recorder->m_writing = false;
        recorder->scheduleWrite();
    });
}

}  // namespace lockkeeper::history

#include "moc_recorder.cpp"
