// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/labpage.h"

#include "ui/base/flowlayout.h"
#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/messagebar.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/base/statusfield.h"
#include "ui/connections/recordingfield.h"
#include "ui/lab/actorpane.h"
#include "ui/lab/experimentlist.h"
#include "ui/lab/keypane.h"
#include "ui/lab/labactions.h"
#include "ui/lab/labmoment.h"
#include "ui/lab/labpanes.h"
#include "ui/lab/labwords.h"
#include "ui/lab/lessonpanel.h"
#include "ui/lab/presentbutton.h"
#include "ui/lab/stretchbox.h"
#include "ui/words/recordingtext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSlider>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

using namespace std::chrono_literals;

constexpr int usualPace = 1;
constexpr int controlGap = 6;

// How long time stops in the lab after each step.
constexpr std::array<Milliseconds, 4> paces{0ms, 1s, 2500ms, 6s};

// Opens the menu at the current row, also when it was requested by key.
void popUp(QMenu& menu, const QTreeWidget& pane) {
    const QRect row = pane.visualItemRect(pane.currentItem());
    menu.popup(pane.viewport()->mapToGlobal(row.isValid() ? row.bottomLeft() : QPoint(0, 0)));
}

}  // namespace

LabPage::LabPage(Engine& engine, Clock& clock, QWidget* parent) : QWidget(parent), m_engine(engine) {
    setObjectName(QStringLiteral("labPage"));
    m_messages = new MessageBar(clock, this);
    m_messages->setObjectName(QStringLiteral("labMessages"));
    m_split = new QSplitter(this);
    m_split->addWidget(makeLeft());
    m_split->addWidget(makeRight());
    m_split->setStretchFactor(1, 1);
    m_split->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->addWidget(m_split, 1);
    layout->addWidget(m_messages);
    connectControls();
    keepTranslated(*this, [this] { retranslate(); });
    m_list->select(lab::experiments().front().id);
}

LabPage::~LabPage() {
    blockSignals(true);
    closeSession();
}

// ---- its parts ----

QWidget* LabPage::makeLeft() {
    auto* left = new QSplitter(Qt::Vertical, this);
    m_list = new ExperimentList(left);
    left->addWidget(m_list);
    left->addWidget(makeLesson());
    left->setSizes({1, 1});
    left->setChildrenCollapsible(false);
    return left;
}

// The controls below the texts are those that the texts depend on.
QWidget* LabPage::makeLesson() {
    auto* lesson = new QWidget(this);
    auto* layout = new QVBoxLayout(lesson);
    layout->setContentsMargins(0, 0, 0, 0);
    m_lesson = new LessonPanel(lesson);
    layout->addWidget(m_lesson, 1);
    m_stretchLabel = plainLabel(lesson);
    m_stretch = new StretchBox(lesson);
    m_stretchLabel->setBuddy(m_stretch);
    auto* row = new FlowLayout(controlGap);
    row->addWidget(m_stretchLabel);
    row->addWidget(m_stretch);
    layout->addLayout(row);
    return lesson;
}

QWidget* LabPage::makeRight() {
    auto* right = new QWidget(this);
    auto* layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(makeControls());
    m_panes = new LabPanes(right);
    layout->addWidget(m_panes, 1);
    m_slider = new QSlider(Qt::Horizontal, right);
    m_slider->setObjectName(QStringLiteral("labSlider"));
    m_slider->setPageStep(1);
    layout->addWidget(m_slider);
    return right;
}

// In large type, or in a narrow window, the controls need more than one line.
QLayout* LabPage::makeControls() {
    const auto button = [this](const char* objectName, const QString& iconName) {
        auto* made = new QPushButton(iconName.isEmpty() ? QIcon() : icon(iconName), QString(), this);
        made->setObjectName(QString::fromLatin1(objectName));
        return made;
    };
    m_run = button("labRun", QStringLiteral("play"));
    m_step = button("labStep", QStringLiteral("collapsed"));
    m_pause = button("labPause", QStringLiteral("pause"));
    m_do = button("labDo", QString());
    m_present = new PresentButton(*this, *m_split);
    m_withoutCause = new QCheckBox(this);
    m_withoutCause->setObjectName(QStringLiteral("labWithoutCause"));
    m_recordingField = new StatusField(this);
    m_recordingField->setObjectName(QStringLiteral("labRecording"));
    auto* controls = new FlowLayout(controlGap);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_run, m_step, m_pause})
        controls->addWidget(widget);
    controls->addItem(makeSpeed());
    for (QWidget* widget : std::initializer_list<QWidget*>{m_withoutCause, m_do, m_present, m_recordingField})
        controls->addWidget(widget);
    return controls;
}

QLayout* LabPage::makeSpeed() {
    m_speedLabel = plainLabel(this);
    m_speed = new QComboBox(this);
    m_speed->setObjectName(QStringLiteral("labSpeed"));
    // The text must not be cut where room is short.
    m_speed->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_speed->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_speedLabel->setBuddy(m_speed);
    auto* row = new QHBoxLayout;
    row->addWidget(m_speedLabel);
    row->addWidget(m_speed);
    return row;
}

void LabPage::connectControls() {
    m_engine.onReport<lab::SharedLabUpdate>(this, [this](SessionId session, const lab::SharedLabUpdate& update) {
        if (session == m_session)
            onUpdate(*update);
    });
    m_engine.onReport<recording::RecordingStatus>(this,
                                                  [this](SessionId session, const recording::RecordingStatus& status) {
                                                      if (session == m_recorded)
                                                          onRecording(status);
                                                  });
    connect(m_stretch, &StretchBox::stretchChanged, this, [this] {
        if (m_session == SessionId::None)  // else the texts are those of the run that is shown
            ask();
    });
    connect(m_list, &ExperimentList::chosen, this, &LabPage::choose);
    connect(m_run, &QPushButton::clicked, this, &LabPage::run);
    connect(m_step, &QPushButton::clicked, this, &LabPage::step);
    connect(m_pause, &QPushButton::clicked, this, [this] { m_engine.request(m_session, lab::SetPace{std::nullopt}); });
    connect(m_present, &QPushButton::toggled, m_list, &QWidget::setHidden);
    connect(m_slider, &QSlider::valueChanged, this, &LabPage::showFrame);
    connect(m_panes, &LabPanes::frameChosen, m_slider, &QSlider::setValue);
    connect(m_lesson, &LessonPanel::asking, m_panes, &LabPanes::hideUnseen);
    connect(m_lesson, &LessonPanel::momentWanted, this, &LabPage::showMoment);
    connect(m_do, &QPushButton::clicked, this, [this] {
        showPaneMenu(m_panes->keys().hasFocus() ? static_cast<QTreeWidget&>(m_panes->keys()) : m_panes->actors());
    });
    m_do->setFocusPolicy(Qt::NoFocus);  // it acts on the pane that has the keyboard
    for (QTreeWidget* pane :
         {static_cast<QTreeWidget*>(&m_panes->actors()), static_cast<QTreeWidget*>(&m_panes->keys())}) {
        pane->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(pane, &QWidget::customContextMenuRequested, this, [this, pane] { showPaneMenu(*pane); });
    }
}

void LabPage::retranslate() {
    m_run->setToolTip(helpTip(
        tr("Runs the experiment. One that is under way goes on from the latest moment, and the panes show it.")));
    m_step->setText(tr("&Step"));
    m_step->setToolTip(helpTip(tr(
        "Runs one step and stops. At an earlier moment it shows the next one: nothing runs before the latest is reached.")));
    m_pause->setText(tr("&Pause"));
    m_pause->setToolTip(helpTip(tr(
        "Stops at once, also within a step: no lease runs out. A Sentinel and a Cluster have clocks of their own, and the keys "
        "of a frozen server expire.")));
    m_do->setText(tr("&Do…"));
    m_do->setToolTip(helpTip(tr("What can be done to the selected actor, server or key. Also by right click.")));
    m_speedLabel->setText(tr("After each step:"));
    const int chosen = m_speed->count() > 0 ? m_speed->currentIndex() : usualPace;
    m_speed->clear();
    m_speed->addItems({tr("no stop"), tr("stop 1 s"), tr("stop 2.5 s"), tr("stop 6 s")});
    m_speed->setCurrentIndex(chosen);
    m_speed->setToolTip(
        helpTip(tr("While it stops no time passes in the lab: no lease runs out, except on a server that is frozen.")));
    m_stretchLabel->setText(tr("&All times:"));
    m_withoutCause->setText(tr("Without what ca&used it"));
    m_withoutCause->setToolTip(helpTip(tr("Run it without the cause of what it shows: then it must end differently.")));
    m_slider->setAccessibleName(tr("Moment"));
    describeRecordingField(*m_recordingField);
    showRecording(*m_recordingField, m_recording);
    updateControls();
    if (!m_panes->recording().isEmpty())
        showFrame(m_slider->value());
}

QList<QWidget*> LabPage::panes() const {
    return QList<QWidget*>{m_list, m_lesson} + m_panes->panes() + QList<QWidget*>{m_slider};
}

// ---- the session ----

void LabPage::showExperiment(const QByteArray& experiment) {
    m_list->select(experiment);
}

void LabPage::choose(const QByteArray& experiment) {
    if (m_experiment && m_experiment->id == experiment)
        return;
    closeSession();
    m_experiment = lab::experimentOf(experiment);
    m_stretch->showScenario(m_experiment->scenario(lab::Trigger::Present));
    m_slider->setMaximum(0);
    ask();
    updateControls();
}

void LabPage::ask() {
    m_variation = {lab::Trigger::Present, m_stretch->stretch()};
    m_scenario = scenarioOf(*m_experiment, m_variation);
    m_panes->begin(m_scenario);
    m_lesson->ask(m_experiment->id, m_variation.stretch);
}

bool LabPage::isUnderWay() const {
    const lab::LabPhase phase = m_panes->recording().phase();
    return m_session != SessionId::None && phase != lab::LabPhase::Free && phase != lab::LabPhase::Failed;
}

std::optional<Milliseconds> LabPage::pace() const {
    return paces.at(static_cast<size_t>(std::max(m_speed->currentIndex(), 0)));
}

void LabPage::run() {
    if (!isUnderWay())
        return start(pace());
    m_slider->setValue(m_slider->maximum());
    m_engine.request(m_session, lab::SetPace{pace()});
}

void LabPage::step() {
    if (isUnderWay())
        m_engine.request(m_session, lab::SetPace{std::nullopt});
    if (m_slider->value() < m_slider->maximum())
        m_slider->setValue(m_slider->value() + 1);
    else if (isUnderWay())
        m_engine.request(m_session, lab::NextStep());
    else
        start(std::nullopt);
}

void LabPage::start(std::optional<Milliseconds> stop) {
    const lab::Experiment experiment = *m_experiment;
    m_experiment.reset();
    choose(experiment.id);
    m_variation.trigger = m_withoutCause->isChecked() ? lab::Trigger::Removed : lab::Trigger::Present;
    m_scenario = scenarioOf(experiment, m_variation);
    m_panes->begin(m_scenario);
    m_session = m_engine.openLab({experiment.id, m_variation, stop, m_serverProgram});
    updateControls();
    Q_EMIT recordingChanged();
}

void LabPage::closeSession() {
    if (const SessionId session = std::exchange(m_session, SessionId::None); session != SessionId::None)
        m_engine.close(session, control::OwnLocksAtExit::Release);
    Q_EMIT recordingChanged();
}

void LabPage::onUpdate(const lab::LabUpdate& update) {
    const bool follows = m_slider->value() == m_slider->maximum();
    m_panes->add(update);
    if (!m_panes->recording().isEmpty()) {
        const int last = static_cast<int>(m_panes->recording().size() - 1);
        m_slider->setMaximum(last);
        m_slider->setValue(follows ? last : m_slider->value());
        if (!follows || last == 0 || update.frames.empty())
            showFrame(m_slider->value());
    }
    if (update.outcome)
        onEnd();
    updateControls();
}

void LabPage::onEnd() {
    const lab::Outcome& outcome = *m_panes->recording().outcome();
    // A run without the cause has the same expectations, but they must not be met.
    if (!outcome.failure)
        return m_lesson->explain(m_variation.trigger, lab::verdictOf(m_scenario, outcome));
    m_messages->post([failure = *outcome.failure] { return unfinishedMessage(failure); });
}

// ---- the recording ----

void LabPage::record(const recording::RecordingRequest& request) {
    if (m_session == SessionId::None)
        return;
    m_recorded = m_session;
    m_engine.request(m_session, request);
}

void LabPage::stopRecording() {
    m_engine.request(m_recorded, StopRecording());
}

void LabPage::onRecording(const recording::RecordingStatus& status) {
    const bool ends = m_recording.phase == recording::RecordingPhase::Running && status.phase != m_recording.phase;
    m_recording = status;
    showRecording(*m_recordingField, status);
    if (ends)
        m_messages->post([status] { return recordingEndMessage(status); });
    Q_EMIT recordingChanged();
}

// ---- what is shown ----

void LabPage::showFrame(int frame) {
    m_panes->showFrame(frame);
    updateControls();
}

void LabPage::showMoment() {
    if (const std::optional<qsizetype> frame = momentOf(*m_experiment, m_scenario, m_panes->recording()))
        m_slider->setValue(static_cast<int>(*frame));
}

void LabPage::updateControls() {
    const lab::LabPhase phase = m_panes->recording().phase();
    const bool isOver = m_session != SessionId::None && !isUnderWay();
    m_run->setText(isOver ? tr("&Run again") : tr("&Run"));
    m_run->setEnabled(!isUnderWay() || phase == lab::LabPhase::Stopped);
    m_step->setEnabled(!isUnderWay() || phase == lab::LabPhase::Stopped);
    m_pause->setEnabled(isUnderWay() && phase != lab::LabPhase::Starting);
    m_withoutCause->setEnabled(!isUnderWay());
    m_stretch->setEnabled(!isUnderWay());
    m_do->setEnabled(phase != lab::LabPhase::Starting && phase != lab::LabPhase::Failed);
    if (!m_panes->recording().isEmpty())
        return;
    m_panes->setCaption(isUnderWay() ? tr("The servers are being started …")
                                     : tr("Predict what happens. Then run the experiment, or go step by step."));
}

// ---- what the user does ----

void LabPage::showPaneMenu(QTreeWidget& pane) {
    if (!m_do->isEnabled() || !pane.currentItem())
        return;
    auto* menu = new QMenu(&pane);
    menu->setObjectName(QStringLiteral("labMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setFont(font());  // large while it is presented
    if (m_slider->value() == m_slider->maximum())
        fillMenu(*menu, pane);
    else
        fillEarlierMenu(*menu, [this] { m_slider->setValue(m_slider->maximum()); });
    popUp(*menu, pane);
}

// The menu for the latest moment.
void LabPage::fillMenu(QMenu& menu, const QTreeWidget& pane) {
    const bool isUnderWay = this->isUnderWay();
    const LabAct perform = [this](const lab::Step& step) { m_engine.request(m_session, step); };
    const lab::LabFrame& now = m_panes->recording().at(m_panes->recording().size() - 1);
    if (&pane == &m_panes->actors()) {
        const auto actor = std::ranges::find(now.actors, m_panes->actors().currentActor(), &lab::LabActor::name);
        if (actor != now.actors.end())
            fillActorMenu(menu, *actor, {m_scenario.locks, !isUnderWay, m_variation.stretch}, perform);
    } else {
        const KeyPane::Place place = m_panes->keys().currentPlace();
        fillServerMenu(menu, now.servers, {place.server, place.key}, m_scenario.servers.form, perform);
    }
    if (isUnderWay && !menu.isEmpty())  // the user needs time to choose
        m_engine.request(m_session, lab::SetPace{std::nullopt});
}

}  // namespace lockkeeper::ui

#include "moc_labpage.cpp"
