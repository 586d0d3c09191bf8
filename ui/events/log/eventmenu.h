// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QObject>

class QAction;
class QTableView;

namespace lockkeeper::monitor {
struct LockEvent;
}

namespace lockkeeper::ui {

class EventFilterModel;
class EventLogModel;

// The context menu of the event log, about the event in the current row: a right click makes it so.
class EventMenu final : public QObject {
    Q_OBJECT
public:
    // All outlive it; shown is the view's model, of log.
    EventMenu(const EventLogModel& log, const EventFilterModel& shown, QTableView& view);

Q_SIGNALS:
    void lockChosen(const lockkeeper::LockName& name);
    // The log is to show only the events of this lock, or of this holder.
    void lockOnlyWanted(const lockkeeper::LockName& name);
    void holderOnlyWanted(const lockkeeper::HolderId& holder);

private:
    QAction* addAction(const QString& objectName, void (EventMenu::*act)());
    void retranslate();
    void refresh();
    // Null: no row is the current one.
    [[nodiscard]] const monitor::LockEvent* current() const;
    void showLock();
    void showLockOnly();
    void showHolderOnly();
    void copy();

    const EventLogModel& m_log;
    const EventFilterModel& m_shown;
    QTableView& m_view;
    QAction* m_lock;
    QAction* m_lockOnly;
    QAction* m_holderOnly;
    QAction* m_copy;
};

}  // namespace lockkeeper::ui
