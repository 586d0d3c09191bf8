// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "ui/timeline/timelinewidget.h"
#include "ui/words/clockzone.h"

#include <QImage>

class QAction;
class QSettings;
class QToolButton;

namespace lockkeeper::ui {

class LaneMenu;

// The timeline with its history and buttons.
class TimelinePanel final : public QWidget {
    Q_OBJECT
public:
    // Both outlive the panel.
    TimelinePanel(const ViewTime& time, Clock& clock, QWidget* parent = nullptr);

    [[nodiscard]] TimelineWidget& timeline() noexcept { return *m_timeline; }
    // Its signals are the reader's requests about the lock of a lane.
    [[nodiscard]] LaneMenu& menu() noexcept { return *m_menu; }
    [[nodiscard]] QAction& followAction() noexcept { return *m_follow; }

    // To be called after each change of the connection, once the window's ViewTime has followed it.
    void follow();
    void apply(const monitor::MonitorBatch& batch);
    // The node of these locks is not reached: what is shown of them ends where it answered last.
    void interrupt(const std::vector<monitor::LockSnapshot>& locks);
    // events: of earlier runs, oldest first.
    void append(const std::vector<monitor::LockEvent>& events);
    // See TimelineHistory.
    void addChange(const monitor::LockEvent& event);
    void explain(const monitor::LockEvent& handOver);
    void clear();
    // A picture of the lanes as they are now, also while the panel is behind another tab or closed, with times in this
    // zone.
    [[nodiscard]] QImage picture(ClockZone zone);

    void save(QSettings& settings) const;
    void restore(QSettings& settings);

private:
    void makeBar();
    void retranslate();
    void showFlow();
    void openLegend();
    void noteUrgency(const monitor::MonitorBatch& batch);

    const ViewTime& m_time;
    TimelineHistory m_history;
    TimelineWidget* m_timeline;
    QSet<LockName> m_diagnosed;
    QSet<LockName> m_contended;
    QAction* m_follow;
    LaneMenu* m_menu;
    QToolButton* m_legend;
    QToolButton* m_zoomIn;
    QToolButton* m_zoomOut;
    QToolButton* m_all;
};

}  // namespace lockkeeper::ui
