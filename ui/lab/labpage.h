// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "lab/experiment/catalogue.h"
#include "ui/replay/recordable.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QLayout;
class QMenu;
class QPushButton;
class QSlider;
class QSplitter;
class QTreeWidget;

namespace lockkeeper::ui {

class ExperimentList;
class LabPanes;
class LessonPanel;
class MessageBar;
class PresentButton;
class StatusField;
class StretchBox;

// The lab: an experiment on private servers, run or stepped, with panes that all show the same moment. Its session ends
// with it.
class LabPage final : public QWidget, public Recordable {
    Q_OBJECT
public:
    // Both outlive it.
    LabPage(Engine& engine, Clock& clock, QWidget* parent = nullptr);
    ~LabPage() override;

    [[nodiscard]] MessageBar& messages() noexcept { return *m_messages; }
    // The parts that take the keyboard, in reading order.
    [[nodiscard]] QList<QWidget*> panes() const;
    // Chooses the experiment, as in the list. A run that is under way ends.
    void showExperiment(const QByteArray& experiment);
    // Whether the run that is shown can be recorded.
    [[nodiscard]] bool canBeRecorded() const override { return m_session != SessionId::None; }
    [[nodiscard]] const recording::RecordingStatus& recording() const noexcept override { return m_recording; }
    void record(const recording::RecordingRequest& request) override;
    void stopRecording() override;
    [[nodiscard]] QObject& asObject() noexcept override { return *this; }
    // For tests: the server program; empty: the installed one.
    void setServerProgram(const QString& program) { m_serverProgram = program; }

Q_SIGNALS:
    // The state of the recording has changed, or whether the run can be recorded.
    void recordingChanged();

private:
    void retranslate();
    QWidget* makeLeft();
    QWidget* makeLesson();
    QWidget* makeRight();
    QLayout* makeControls();
    QLayout* makeSpeed();
    void connectControls();

    void choose(const QByteArray& experiment);
    void ask();
    void run();
    void step();
    void start(std::optional<Milliseconds> stop);
    void closeSession();
    void onUpdate(const lab::LabUpdate& update);
    void onEnd();
    void onRecording(const recording::RecordingStatus& status);
    [[nodiscard]] std::optional<Milliseconds> pace() const;
    [[nodiscard]] bool isUnderWay() const;

    void showFrame(int frame);
    void showMoment();
    void updateControls();
    void showPaneMenu(QTreeWidget& pane);
    void fillMenu(QMenu& menu, const QTreeWidget& pane);

    Engine& m_engine;
    QString m_serverProgram;
    SessionId m_session = SessionId::None;
    SessionId m_recorded = SessionId::None;  // the session that m_recording is of, which may have ended since
    recording::RecordingStatus m_recording;
    std::optional<lab::Experiment> m_experiment;
    lab::Scenario m_scenario;
    lab::Variation m_variation;  // of the run that is shown

    QSplitter* m_split = nullptr;
    ExperimentList* m_list = nullptr;
    LessonPanel* m_lesson = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_step = nullptr;
    QPushButton* m_pause = nullptr;
    QLabel* m_speedLabel = nullptr;
    QComboBox* m_speed = nullptr;
    QLabel* m_stretchLabel = nullptr;
    StretchBox* m_stretch = nullptr;
    QCheckBox* m_withoutCause = nullptr;
    StatusField* m_recordingField = nullptr;
    QPushButton* m_do = nullptr;
    PresentButton* m_present = nullptr;
    LabPanes* m_panes = nullptr;
    QSlider* m_slider = nullptr;
    MessageBar* m_messages = nullptr;
};

}  // namespace lockkeeper::ui
