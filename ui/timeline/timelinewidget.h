// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "ui/base/ticker.h"
#include "ui/timeline/lanestack.h"
#include "ui/words/programnames.h"
#include "ui/words/viewtime.h"

#include <QWidget>

namespace lockkeeper::ui {

// The lanes themselves: wheel and drag, keys and clicks. Shows the history that it is given. Repaints on refresh(),
// and by a timer only while time itself changes what is visible.
class TimelineWidget final : public QWidget {
    Q_OBJECT
public:
    enum class Flow { Following, Still };

    // All given outlive the widget.
    TimelineWidget(const TimelineHistory& history, const ViewTime& time, Clock& clock, QWidget* parent = nullptr);

    // The history has changed.
    void refresh();
    void setSelected(const std::optional<LockName>& name);
    [[nodiscard]] const std::optional<LockName>& selected() const noexcept { return m_lanes.requests().selected; }
    // Outlive the widget; without them colors go by UUIDs.
    void setClientColors(const ClientColors& colors) { m_colors = &colors; }
    void setAliases(const HolderAliases& aliases);
    void setNames(const ProgramNames& names);
    [[nodiscard]] const ProgramNames& names() const noexcept { return m_names; }
    void setPinned(const QList<LockName>& names);
    [[nodiscard]] const QList<LockName>& pinned() const noexcept { return m_lanes.requests().pinned; }
    // These locks get lanes before those that are only busy.
    void setUrgent(const QSet<LockName>& diagnosed, const QSet<LockName>& contended);
    // Takes effect at once; another span also changes what is in sight.
    void setOptions(const TimelineOptions& options);
    // A line at this time, besides the one under the mouse.
    void setMarkedTime(const std::optional<WallTime>& at);

    // Following: the range ends at the present, and moves on with it.
    void setFlow(Flow flow);
    [[nodiscard]] Flow flow() const noexcept { return m_flow; }
    void zoomIn();
    void zoomOut();
    // Shows as much as is known.
    void showAll();
    // Shows as much as is known of one lock, and up to the present while it is held.
    void showAllOf(const LockName& name);

    [[nodiscard]] const TimeRange& range() const noexcept { return m_range; }
    // The locks in sight, from the top.
    [[nodiscard]] std::vector<LockName> shownLocks() const { return m_lanes.namesInSight(); }
    // All that have a lane, in sight or to be scrolled to.
    [[nodiscard]] std::vector<LockName> allLanes() const { return m_lanes.names(); }
    [[nodiscard]] TimelineLayout layoutNow() const { return m_lanes.places(); }
    // Under the mouse, if it is over the lanes.
    [[nodiscard]] const std::optional<WallTime>& crosshair() const noexcept { return m_crosshair; }
    [[nodiscard]] Ticker::State ticking() const noexcept { return m_ticker.state(); }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void crosshairMoved(const std::optional<lockkeeper::WallTime>& at);
    void flowChanged(lockkeeper::ui::TimelineWidget::Flow flow);
    void lockChosen(const lockkeeper::LockName& name);
    // Emitted after lockChosen(): the user clicked on this event of the lock.
    void eventChosen(const lockkeeper::LockName& name, lockkeeper::WallTime at);
    void pinnedChanged();
    void selectedChanged();
    // The user wants the menu for the lane of this lock; at: on the screen.
    void menuWanted(const lockkeeper::LockName& name, const QPoint& at);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Drag {
        QPoint from;
        TimeRange range;
        bool moving = false;
    };

    [[nodiscard]] WallTime present() const;
    void moveOn();
    void setRange(const TimeRange& range);
    void zoom(double factor, WallTime fixed);
    void pan(double share);
    void chooseLanes();
    void rest();
    // Lanes must not change places while the user drags or zooms.
    [[nodiscard]] bool isAtRest() const noexcept { return !m_restTimer.isRunning() && !m_drag; }
    void pointAt(const QPoint& position);
    void tick();
    [[nodiscard]] bool timeChangesPicture() const;
    void click(const QPoint& position);
    void describe();
    void retranslate();

    const TimelineHistory& m_history;
    const ViewTime& m_time;
    ClockTimer m_restTimer;  // runs out once the range has not been moved for a while
    Ticker m_ticker;
    Flow m_flow = Flow::Following;
    TimeRange m_range;
    TimelineOptions m_options;
    LaneStack m_lanes;  // chosen and laid out with each paint
    bool m_isPointedAt = false;
    std::optional<WallTime> m_crosshair;
    std::optional<WallTime> m_markedTime;
    ClientColors m_noColors;
    const ClientColors* m_colors = &m_noColors;
    HolderAliases m_aliases;
    ProgramNames m_names;
    std::optional<Drag> m_drag;
};

}  // namespace lockkeeper::ui
