// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "history/historyfile.h"

namespace lockkeeper::history {

// Keeps the events of one session in the history without delaying it. Thread: the file's.
class LOCKKEEPER_MONITOR_EXPORT Recorder : public QObject {
    Q_OBJECT
public:
    static constexpr int mostLoaded = 10'000;

    // The file must outlive it.
    explicit Recorder(HistoryFile& file, QObject* parent = nullptr);
    // Calls stop().
    ~Recorder() override;

    // Events appended from now on belong to this profile. loaded() follows once, with the stored events. The file gets
    // an entry for the time since the last recording, before any new event, even if no caller waits for loaded(). While
    // another session, in this program or another one, records this profile, this recorder only reads what the other
    // session has stored. When the other session has ended, this recorder begins to record.
    void record(const ProfileKey& profile);
    void append(const std::vector<monitor::LockEvent>& events);
    // Reads what is known of these locks of the profile, beyond the events of loaded(). recalled() follows, unless
    // nothing is kept.
    void recall(const QList<LockName>& locks);
    // Ends recording: the session was watched until now. Nothing is kept until the next record().
    void stop();

Q_SIGNALS:
    // The newest events of the profile, oldest first, up to the gap that ends now. Also empty if they cannot be read.
    void loaded(const std::vector<lockkeeper::monitor::LockEvent>& events);
    // Oldest first, with the gaps, up to now.
    void recalled(const std::vector<lockkeeper::monitor::LockEvent>& events);

private:
    friend class HistoryFile;

    [[nodiscard]] const profile::ProfileId& profile() const noexcept { return m_profile.id; }
    [[nodiscard]] bool isKept() const noexcept { return !profile().isEmpty() && m_file.keepsAnything(); }
    // Records the profile if the other session has ended. Tried with an event, so it may be seconds late.
    void takeOver();
    void finish();
    void flush();
    void forgetWaiting() { m_waiting.clear(); }
    void scheduleWrite();
    void write();

    HistoryFile& m_file;
    ProfileKey m_wanted;
    ProfileKey m_profile;  // empty while another session records it
    SteadyTime m_nextTry{};
    std::vector<monitor::LockEvent> m_waiting;
    bool m_writing = false;  // a write is in progress; new events wait here, where their number is limited
    ClockTimer m_timer{m_file.m_clock, [this] { write(); }};
};

}  // namespace lockkeeper::history
