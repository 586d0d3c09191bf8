// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/replayengine.h"
#include "lab/experiment/catalogue.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace lockkeeper::ui {

class LabPanes;
class LessonPanel;
class MessageBar;
class ReplayBar;

// A recorded lab session: the panes of the lab at a time of the user's choice, without servers, and with nothing to be
// done to them.
class LabReplayPage final : public QWidget {
    Q_OBJECT
public:
    // engine: outlives it, and has just loaded the lab.
    LabReplayPage(ReplayEngine& engine, const ReplayedLab& lab, QWidget* parent = nullptr);

    [[nodiscard]] MessageBar& messages() noexcept { return *m_messages; }
    // The parts that take the keyboard, in reading order.
    [[nodiscard]] QList<QWidget*> panes() const;

private:
    void makeLayout();
    void take(const ReplayedLab& lab);
    void showTime(SteadyTime position);
    void showLesson(SteadyTime position);
    // Shows a frame that the user has chosen.
    void goTo(int frame);
    void showMoment();

    ReplayEngine& m_engine;
    std::optional<lab::Experiment> m_experiment;  // nothing: this program does not know it
    const lab::Variation m_variation;
    const lab::Scenario m_scenario;     // without steps if it is not known
    std::vector<SteadyTime> m_times;    // by frame
    std::optional<SteadyTime> m_ended;  // when its last step was shown; nothing: it has no outcome
    std::optional<int> m_frame;         // that the panes show; nothing: none yet
    bool m_isFailureTold = false;
    bool m_isExplained = false;
    ReplayBar* m_bar;
    LabPanes* m_panes;
    LessonPanel* m_lesson;
    MessageBar* m_messages;
};

}  // namespace lockkeeper::ui
