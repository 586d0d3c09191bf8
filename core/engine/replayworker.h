// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "base/systemclock.h"
#include "engine/replayengine.h"
#include "recording/replay.h"

namespace lockkeeper {

// The part of a replay on its own thread. It reads the file, feeds its records up to the wanted position, and sends the
// results one frame after the other. The next frame waits until the receiver has taken the previous one.
class ReplayWorker : public QObject {
    Q_OBJECT
public:
    // engine: its destructor ends the thread of this object.
    explicit ReplayWorker(ReplayEngine& engine) : m_engine(engine), m_clock(this) {}

    void load(const recording::RecordingSource& source, const std::stop_token& stop);
    void seek(SteadyTime position);
    void play(double speed);
    void pause();
    void step(ReplayStep direction);
    // The receiver has taken the last frame.
    void take();

private:
    void loadLab();
    void showFirstLocks();
    void restart();
    void advance();
    // False if there are more records, but the time for one frame is over.
    [[nodiscard]] bool feedUpTo(SteadyTime target);
    void note(const recording::Replay::Passed& passed);
    void send();
    void followPlay();
    [[nodiscard]] std::optional<SteadyTime> shownBefore(SteadyTime position);
    [[nodiscard]] std::optional<SteadyTime> shownAfter(SteadyTime position);
    template <typename Send>
    void report(Send send);

    ReplayEngine& m_engine;
    SystemClock m_clock;
    std::unique_ptr<recording::RecordingFile> m_file;  // null: not loaded
    std::unique_ptr<recording::Replay> m_replay;
    ReplayCourse m_course;
    SteadyTime m_target{};
    SteadyTime m_playedFrom{};  // the position at which playing began, at the time of the next member
    SteadyTime m_playedSince{};
    bool m_restarted = false;
    bool m_isShowing = false;                     // the receiver has not taken the last frame
    std::optional<recording::LinkStatus> m_link;  // not sent yet
    ClockTimer m_tick{m_clock, [this] { followPlay(); }};
};

}  // namespace lockkeeper
