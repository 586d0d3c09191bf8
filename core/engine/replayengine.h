// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "engine/replayclock.h"
#include "recording/labreports.h"
#include "recording/recordingfile.h"

#include <QThread>

namespace lockkeeper {

class ReplayWorker;

// How a replay stands.
struct ReplayCourse {
    SteadyTime first{};
    SteadyTime last{};
    SteadyTime position{};  // everything up to there is shown
    WallTime wall{};        // of the position, by the wall clock of then
    double speed = 1;       // seconds of the recording in a second
    bool isPlaying = false;
    bool isUnderWay = false;  // to the position that was asked for
    recording::FileEnd end;
    QString caption;  // the last one up to there; empty if there is none
};

// A recorded lab session, from its beginning to its end.
struct ReplayedLab {
    recording::RecordedExperiment experiment;
    std::vector<recording::LabReport> reports;  // by time
};

enum class ReplayStep { Back, Forward };

// An Engine with one session: a recorded one, shown as it was at a time of the user's choice. It has no server, and
// refuses all that would need one. Reads the file on a thread of its own. Thread: the GUI's.
class LOCKKEEPER_MONITOR_EXPORT ReplayEngine final : public Engine {
    Q_OBJECT
public:
    // real: for timers; outlives it.
    ReplayEngine(const QString& path, Clock& real, QObject* parent = nullptr);
    ~ReplayEngine() override;

    // Of the position; what shows the session uses it.
    [[nodiscard]] ReplayClock& clock() noexcept { return m_clock; }
    [[nodiscard]] const QString& path() const noexcept { return m_path; }

    // Only once it is loaded. Positions beyond the recording lead to its ends.
    void seek(SteadyTime position);
    void play(double speed);
    void pause();
    // To the next time, or the one before, at which something was shown.
    void step(ReplayStep direction);

    // Whatever is given, opens the recording: loaded() or loadFailed() follows.
    SessionId open(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames,
                   const profile::ProfileLabel& label = {}) override;
    SessionId openDemo(redis::AccessMode access) override;
    SessionId openLab(const lab::LabOrder& order) override;
    void requestLab(SessionId session, const lab::LabRequest& request) override;
    void close(SessionId session, control::OwnLocksAtExit ownLocks) override;
    void setDiscovery(SessionId session, monitor::DiscoveryState state) override;
    void retryNow(SessionId session) override;
    void setLabel(SessionId session, const profile::ProfileLabel& label) override;
    void arm(SessionId session, std::chrono::minutes time) override;
    void disarm(SessionId session) override;
    OperationId acquire(SessionId session, const control::AcquireRequest& request) override;
    OperationId release(SessionId session, const control::ReleaseRequest& request) override;
    OperationId forceRelease(SessionId session, const control::ForceReleaseRequest& request) override;
    OperationId identify(SessionId session, const monitor::HolderSearch& search) override;
    void cancel(SessionId session, OperationId operation) override;
    void answerSsh(SessionId session, topology::SshQuestionId question, const topology::SshAnswer& answer) override;
    void record(SessionId session, const recording::RecordingRequest& request) override;
    void stopRecording(SessionId session) override;
    OperationId readHistory(const history::HistoryQuery& query) override;
    OperationId forgetHistory(const profile::ProfileId& profile) override;
    void setRetention(const history::Retention& retention) override;
    void shutDown(control::OwnLocksAtExit ownLocks) override;

Q_SIGNALS:
    void loaded(const lockkeeper::recording::RecordingInfo& info, const lockkeeper::ReplayCourse& course);
    void loadFailed(const lockkeeper::recording::OpenProblem& problem);
    // Before loaded(), if it is a lab that was recorded.
    void labLoaded(const lockkeeper::ReplayedLab& lab);
    // After what was to be shown up to there.
    void courseChanged(const lockkeeper::ReplayCourse& course);

private:
    friend class ReplayWorker;
    // What the worker has come to. restarted: forget all that was shown before.
    struct Frame {
        ReplayCourse course;
        bool restarted = false;
        std::optional<ConnectionStatus> status;
        monitor::SharedBatch batch;
    };

    void show(const Frame& frame);
    template <typename Call>
    void post(Call call);
    // answer: gets the id, later.
    template <typename Answer>
    OperationId answerLater(Answer answer);

    const QString m_path;
    ReplayClock m_clock;
    QThread m_thread;
    ReplayWorker* m_worker;  // lives on m_thread and is deleted there
    SessionId m_session = SessionId::None;
    quint64 m_lastOperation = 0;
};

}  // namespace lockkeeper
