// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "async/postedsignal.h"
#include "async/taskscope.h"
#include "lab/experiment/stepplayer.h"
#include "lab/laboratory.h"
#include "lab/run/keyreader.h"
#include "lab/run/labframe.h"
#include "lab/run/laborder.h"
#include "lab/run/standstill.h"
#include "lab/run/stoppableclock.h"
#include "lab/run/wirelog.h"
#include "lab/run/wiretaps.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>

#include <deque>

namespace lockkeeper::lab {

// The scenario of the order; without steps for an unknown experiment.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Scenario scenarioOf(const LabOrder& order);

// One experiment that a person watches. Between its steps no time passes for as long as the person wants; within a step
// the person can stop time at any moment. It accepts faults of the person, and after the last step also other steps.
// Everything that happens is reported together with what the actors believe and what the servers keep at that moment.
// Use once: open(), then close(). Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT LabSession : public QObject {
    Q_OBJECT
public:
    LabSession(const LabOrder& order, Clock& clock);
    ~LabSession() override;

    void open();
    // Ends the servers; closed() follows within a bounded time, when they have ended.
    void close();
    void request(const LabRequest& request);

Q_SIGNALS:
    void changed(const lockkeeper::lab::SharedLabUpdate& update);
    void closed();

private:
    // A frame that still needs what the servers keep.
    struct Happening {
        Moment moment;
        QByteArray action;
        Facts facts;
        std::vector<LabActor> actors;
    };

    Task<void> playAll();
    Task<Result<Done>> prepare();
    Task<Result<Done>> playSteps();
    Task<void> playOne(Step step);
    Task<void> stopWithinStep();
    Task<void> standStill();
    Task<void> awaitRequest();
    Task<void> playByHand();
    Task<bool> pause(Milliseconds time);
    Task<void> keepFrames();
    Task<void> addFrame(Happening happening);
    Task<void> readAgain();
    Task<void> whenDrawn();
    Task<void> endServers();

    void applied(SetPace pace);
    void applied(NextStep);
    void applied(const Step& step);
    [[nodiscard]] bool isPlaying() const noexcept {
        return m_phase == LabPhase::Stopped || m_phase == LabPhase::Running;
    }

    [[nodiscard]] bool hasRoom();
    void onHappened(const Moment& moment, const QByteArray& action, const Facts& facts);
    void noteOnWire(const Step& step);
    [[nodiscard]] std::optional<Happening> differenceTo(const std::vector<LabServer>& servers) const;
    void setPhase(LabPhase phase);
    void report();

    const LabOrder m_order;
    const Scenario m_scenario;
    Clock& m_realClock;
    StoppableClock m_clock;
    Laboratory m_laboratory;
    WireLog m_wire;
    StepPlayer m_player;
    KeyReader m_reader;
    StandStill m_standStill;
    WireTaps m_taps;
    std::optional<Milliseconds> m_stop;  // after each step; nothing: until the next request
    bool m_isPaceNew = false;
    bool m_mayStopWithin = false;  // a step is running in which time can be stopped
    bool m_isWithinStep = false;   // time is, or shortly was, stopped within a step
    bool m_stopsAgain = false;     // another stop was requested while time was passing again
    Completion<Done> m_withinEnded;
    std::deque<Step> m_byHand;  // steps by hand that came while no time passed
    bool m_isChangedByHand = false;
    Completion<Done> m_goOn;
    bool m_isFull = false;
    LabPhase m_phase = LabPhase::Starting;
    qsizetype m_nextStep = 0;
    std::deque<Happening> m_happened;
    Completion<Done> m_wake;   // something has happened, or time passes again
    Completion<Done> m_drawn;  // a frame is complete
    bool m_isDrawing = false;
    LabUpdate m_update;  // changes that are not reported yet
    std::optional<LabFrame> m_lastFrame;
    std::vector<LabServer> m_lastRead;
    qsizetype m_frames = 0;
    bool m_isClosing = false;
    PostedSignal m_closed{*this, [this] { Q_EMIT closed(); }};
    TaskScope m_scope;
    TaskScope m_endScope;  // of what runs after m_scope
};

}  // namespace lockkeeper::lab
