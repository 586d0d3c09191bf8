// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/labreplaypage.h"

#include "ui/base/messagebar.h"
#include "ui/lab/labmoment.h"
#include "ui/lab/labpanes.h"
#include "ui/lab/labwords.h"
#include "ui/lab/lessonpanel.h"
#include "ui/lab/presentbutton.h"
#include "ui/replay/replaybar.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lockkeeper::ui {

LabReplayPage::LabReplayPage(ReplayEngine& engine, const ReplayedLab& lab, QWidget* parent)
    : QWidget(parent),
      m_engine(engine),
      m_experiment(lab::experimentOf(lab.experiment.id)),
      m_variation(lab.experiment.variation),
      m_scenario(m_experiment ? scenarioOf(*m_experiment, m_variation) : lab::Scenario()),
      m_bar(new ReplayBar(engine, this)),
      m_panes(new LabPanes(this)),
      m_lesson(new LessonPanel(this)),
      m_messages(new MessageBar(engine.clock(), this)) {
    setObjectName(QStringLiteral("labReplayPage"));
    m_messages->setObjectName(QStringLiteral("labReplayMessages"));
    makeLayout();
    connect(m_lesson, &LessonPanel::asking, m_panes, &LabPanes::hideUnseen);
    take(lab);
    connect(&m_engine, &ReplayEngine::courseChanged, this,
            [this](const ReplayCourse& course) { showTime(course.position); });
    connect(m_panes, &LabPanes::frameChosen, this, &LabReplayPage::goTo);
    connect(m_lesson, &LessonPanel::momentWanted, this, &LabReplayPage::showMoment);
}

void LabReplayPage::makeLayout() {
    auto* split = new QSplitter(this);
    split->addWidget(m_lesson);
    split->addWidget(m_panes);
    split->setStretchFactor(1, 1);
    split->setChildrenCollapsible(false);
    m_lesson->setVisible(m_experiment.has_value());
    auto* head = new QHBoxLayout;
    head->addWidget(m_bar, 1);
    head->addWidget(new PresentButton(*this, *split), 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addLayout(head);
    layout->addWidget(split, 1);
    layout->addWidget(m_messages);
}

QList<QWidget*> LabReplayPage::panes() const {
    return QList<QWidget*>{m_bar, m_lesson} + m_panes->panes();
}

void LabReplayPage::take(const ReplayedLab& lab) {
    m_frame.reset();
    m_panes->begin(m_scenario);
    for (const recording::LabReport& report : lab.reports) {
        m_panes->add(*report.update);
        m_times.resize(static_cast<size_t>(m_panes->recording().size()), report.at);
        // The outcome is reported a little later than the last step is shown.
        if (report.update->outcome && !m_ended)
            m_ended = m_times.empty() ? report.at : m_times.back();
    }
    if (m_experiment)
        m_lesson->ask(m_experiment->id, m_variation.stretch);
}

// Before the time of the first frame, the first frame is shown.
void LabReplayPage::showTime(SteadyTime position) {
    const auto later = std::ranges::upper_bound(m_times, position) - m_times.begin();
    const int frame = std::max(static_cast<int>(later) - 1, 0);
    // Time passes between two frames: what is selected or scrolled in the panes must stay.
    if (m_frame != frame)
        m_panes->showFrame(frame);
    m_frame = frame;
    showLesson(position);
}

// As in the lab: the explanation follows the run.
void LabReplayPage::showLesson(SteadyTime position) {
    const bool isOver = m_ended && position >= *m_ended;
    if (!m_experiment || isOver == std::exchange(m_isExplained, isOver))
        return;
    if (!isOver)
        return m_lesson->ask(m_experiment->id, m_variation.stretch);
    const lab::Outcome& outcome = *m_panes->recording().outcome();
    if (outcome.failure && std::exchange(m_isFailureTold, true))
        return;
    if (outcome.failure)
        return m_messages->post([failure = *outcome.failure] { return unfinishedMessage(failure); });
    m_lesson->explain(m_variation.trigger, lab::verdictOf(m_scenario, outcome));
}

void LabReplayPage::goTo(int frame) {
    m_frame.reset();  // a step may be marked whose frame is not shown
    m_engine.pause();
    m_engine.seek(m_times.at(static_cast<size_t>(frame)));
}

void LabReplayPage::showMoment() {
    if (const std::optional<qsizetype> frame = momentOf(*m_experiment, m_scenario, m_panes->recording()))
        goTo(static_cast<int>(*frame));
}

}  // namespace lockkeeper::ui

#include "moc_labreplaypage.cpp"
