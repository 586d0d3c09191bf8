// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "engine/replayclock.h"
#include "recording/labreports.h"
#include "recording/recordingfile.h"

#include <QThread>

namespace lockkeeper {

class ReplayWorker;

// What a recording of a trace calls one step.
struct ReplayedStep {
    WallTime at{};
    QString text;

    friend bool operator==(const ReplayedStep&, const ReplayedStep&) = default;
};

// The state of a replay.
struct ReplayCourse {
    SteadyTime first{};
    SteadyTime last{};
    SteadyTime position{};  // everything up to this time is shown
    WallTime wall{};        // the position by the wall clock at the time of the recording
    double speed = 1;       // seconds of the recording in one real second
    bool isPlaying = false;
    bool isUnderWay = false;  // on the way to the requested position
    recording::FileEnd end;
    QString caption;                               // the last caption up to the position; empty if there is none
    std::optional<recording::TraceNotes> trace{};  // if the recording was made of a text
    static constexpr qsizetype mostSteps = 200;
    QList<ReplayedStep> steps{};  // of such a recording: the last ones up to the position, in their order
};

// A recorded lab session, from its beginning to its end.
struct ReplayedLab {
    recording::RecordedExperiment experiment;
    std::vector<recording::LabReport> reports;  // by time
};

enum class ReplayStep { Back, Forward };

// An Engine with one recorded session, shown as it was at a time that the user chooses. It has no server, and refuses
// everything that would need one. Reads the file on its own thread. Thread: the GUI's.
class LOCKKEEPER_MONITOR_EXPORT ReplayEngine final : public Engine {
    Q_OBJECT
public:
    // real: for timers; must outlive it.
    ReplayEngine(recording::RecordingSource source, Clock& real, QObject* parent = nullptr);
    ~ReplayEngine() override;

    // The clock of the position, for everything that shows the session.
    [[nodiscard]] ReplayClock& clock() noexcept { return m_clock; }
    [[nodiscard]] const QString& path() const noexcept { return m_source.path; }
    [[nodiscard]] const recording::RecordingSource& source() const noexcept { return m_source; }

    // Ends the reading of a long text: loadFailed() follows, unless it has just been read.
    void cancelLoading() { m_stop.request_stop(); }

    // Only after loaded(). Positions beyond the recording lead to its begin or its end.
    void seek(SteadyTime position);
    void play(double speed);
    void pause();
    // Goes to the next or the previous time at which something was shown.
    void step(ReplayStep direction);

    // Opens the recording, whatever the arguments are. loaded() or loadFailed() follows.
    SessionId open(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames,
                   const profile::ProfileLabel& label = {}) override;
    SessionId openDemo(redis::AccessMode access) override;
    SessionId openLab(const lab::LabOrder& order) override;
    void close(SessionId session, control::OwnLocksAtExit ownLocks) override;
    OperationId request(SessionId session, const SessionRequest& request) override;
    OperationId readHistory(const history::HistoryQuery& query) override;
    OperationId forgetHistory(const profile::ProfileId& profile) override;
    void setRetention(const history::Retention& retention) override;
    void shutDown(control::OwnLocksAtExit ownLocks) override;

Q_SIGNALS:
    void loaded(const lockkeeper::recording::RecordingInfo& info, const lockkeeper::ReplayCourse& course);
    void loadFailed(const lockkeeper::recording::OpenProblem& problem);
    // A long text is being read.
    void loading(int percent);
    // Emitted before loaded(), if the recording is one of a lab session.
    void labLoaded(const lockkeeper::ReplayedLab& lab);
    // Emitted after the changes up to the position have been shown.
    void courseChanged(const lockkeeper::ReplayCourse& course);

private:
    friend class ReplayWorker;
    // What the worker has computed. restarted: forget everything that was shown before.
    struct Frame {
        ReplayCourse course;
        bool restarted = false;
        std::optional<ConnectionStatus> status;
        monitor::SharedBatch batch;
    };

    void show(const Frame& frame);
    template <typename Call>
    void post(Call call);
    // answer: gets the id later.
    template <typename Answer>
    OperationId answerLater(Answer answer);

    const recording::RecordingSource m_source;
    std::stop_source m_stop;
    ReplayClock m_clock;
    QThread m_thread;
    ReplayWorker* m_worker;  // lives on m_thread and is deleted there
    SessionId m_session = SessionId::None;
    quint64 m_lastOperation = 0;
};

}  // namespace lockkeeper
