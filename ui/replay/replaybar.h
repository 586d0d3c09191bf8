// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/replayengine.h"

#include <QFrame>
#include <QPointer>

#include <optional>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace lockkeeper::ui {

class Badge;
class ExcerptDialog;
class InlineMessage;
class StepList;
struct Message;

// Stands above a recorded session for as long as it is shown: says that it is one and of which time, and moves through
// it.
class ReplayBar final : public QFrame {
    Q_OBJECT
public:
    // engine: outlives it.
    ReplayBar(ReplayEngine& engine, QWidget* parent = nullptr);

private:
    void makeControls();
    void retranslate();
    void nameControls();
    void showLoaded(const recording::RecordingInfo& info, const ReplayCourse& course);
    void showCourse(const ReplayCourse& course);
    void showLoading(int percent);
    void showTexts();
    // How far the file can be read; nothing if it is whole.
    [[nodiscard]] std::optional<Message> endMessage() const;
    // What a text of MONITOR or redis-cli does not show; nothing for another recording.
    [[nodiscard]] std::optional<Message> traceMessage() const;
    void togglePlay();
    void seekTo(int value);
    void askForExcerpt();
    [[nodiscard]] double speed() const;
    [[nodiscard]] QToolButton* makeButton(const QString& objectName);

    ReplayEngine& m_engine;
    Badge* m_badge;
    QLabel* m_time;
    QLabel* m_of;
    QLabel* m_caption;
    QToolButton* m_showSteps;
    StepList* m_steps;
    QToolButton* m_back;
    QToolButton* m_play;
    QToolButton* m_forward;
    QComboBox* m_speed;
    QSlider* m_slider;
    QToolButton* m_excerpt;
    QToolButton* m_cancel;
    InlineMessage* m_message;
    std::optional<recording::RecordingInfo> m_info;  // nothing: not loaded
    ReplayCourse m_course;
    std::optional<int> m_percent;  // of a long text, while it is read
    QPointer<ExcerptDialog> m_dialog;
};

}  // namespace lockkeeper::ui
