// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"
#include "ui/lab/labrecording.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QSplitter;

namespace lockkeeper::ui {

class ActorPane;
class KeyPane;
class LabTimeline;
class WirePane;

// What a lab session has reported, in panes that all show the same moment: actors, keys, steps, commands and timeline.
class LabPanes final : public QWidget {
    Q_OBJECT
public:
    explicit LabPanes(QWidget* parent = nullptr);

    // Forgets what was reported. scenario: of what is reported from now on.
    void begin(const lab::Scenario& scenario);
    void add(const lab::LabUpdate& update);
    // Does nothing for a frame beyond the last one.
    void showFrame(int frame);
    // While this is set, the steps beyond the latest moment that was shown have no names, and the timeline ends
    // there.
    void hideUnseen(bool isHidden);
    // What has happened at that moment, above the panes.
    void setCaption(const QString& caption);
    [[nodiscard]] const LabRecording& recording() const noexcept { return m_recording; }
    [[nodiscard]] ActorPane& actors() noexcept { return *m_actors; }
    [[nodiscard]] KeyPane& keys() noexcept { return *m_keys; }
    // The panes that take the keyboard, in reading order.
    [[nodiscard]] QList<QWidget*> panes() const;

Q_SIGNALS:
    // The user has chosen this frame, in the steps or on the timeline.
    void frameChosen(int frame);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    QWidget* makePanes();
    void showRows();
    void addSteps();
    void nameSteps(int first, int last);
    [[nodiscard]] bool isHidden(int frame) const noexcept { return m_hidesUnseen && frame > m_seen; }
    void showTimeline();

    LabRecording m_recording;
    std::vector<lab::LockId> m_shared;  // locks that may have several holders
    int m_frame = 0;
    int m_seen = -1;  // the latest frame that was shown
    bool m_hidesUnseen = false;
    bool m_isShowing = false;
    QLabel* m_caption = nullptr;
    ActorPane* m_actors = nullptr;
    KeyPane* m_keys = nullptr;
    WirePane* m_wire = nullptr;
    QListWidget* m_steps = nullptr;
    LabTimeline* m_timeline = nullptr;
};

}  // namespace lockkeeper::ui
