// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QMenu>

namespace lockkeeper::ui {

class TimelineWidget;

// The context menu of a lane, about its lock. Ends with the actions of the timeline itself, which are about the
// selected lock: opening the menu selects the lane's. While it is closed, its own actions are about the selected lock,
// too.
class LaneMenu final : public QMenu {
    Q_OBJECT
public:
    // Both outlive the menu. follow: keeps the present in sight.
    LaneMenu(TimelineWidget& timeline, QAction& follow);

    // The actions that make sense for the selected lock anywhere.
    [[nodiscard]] QList<QAction*> lockActions() const { return {m_events, m_filterName, m_filterPrefix, m_pin}; }

Q_SIGNALS:
    // The lock is to be selected where it is: keyboard focus and filter stay.
    void lockSelected(const lockkeeper::LockName& name);
    void lockChosen(const lockkeeper::LockName& name);
    // The event log is to show the events of this lock alone.
    void eventsWanted(const lockkeeper::LockName& name);
    // See LockFilter.
    void filterWanted(const QString& filter);

private:
    void makeActions(QAction& follow);
    [[nodiscard]] QAction* addLockAction(const QString& objectName, void (*act)(LaneMenu&));
    void open(const LockName& name, const QPoint& at);
    void followSelection();
    void setLock(const LockName& name);
    void takeTimelineActions();
    void refresh();
    void retranslate();
    void togglePin();
    [[nodiscard]] QString nameFilter() const;
    [[nodiscard]] QString prefixFilter() const;

    TimelineWidget& m_timeline;
    LockName m_name;
    QAction* m_show = nullptr;
    QAction* m_events = nullptr;
    QAction* m_filterName = nullptr;
    QAction* m_filterPrefix = nullptr;
    QAction* m_pin = nullptr;
    QAction* m_showAll = nullptr;
};

}  // namespace lockkeeper::ui
