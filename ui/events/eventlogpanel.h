// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/events/eventfiltermodel.h"
#include "ui/events/eventlogmodel.h"

#include <QWidget>

class QAction;
class QLabel;
class QLineEdit;
class QTableView;

namespace lockkeeper::ui {

class InlineMessage;

// The event log with its filter, pause and clear.
class EventLogPanel final : public QWidget {
    Q_OBJECT
public:
    // log: outlives the panel.
    explicit EventLogPanel(EventLogModel& log, QWidget* parent = nullptr);

    [[nodiscard]] QAction& pauseAction() noexcept { return *m_pause; }
    [[nodiscard]] QAction& clearAction() noexcept { return *m_clear; }
    // The events that pass the filter, oldest first.
    [[nodiscard]] std::vector<monitor::LockEvent> shownEvents() const;
    // Scrolls to the lock's event of that time, and clears the filter if it hides it; shows a note when the log does
    // not have it.
    void reveal(const LockName& name, WallTime at);

Q_SIGNALS:
    // The reader chose an event: show its lock.
    void lockChosen(const lockkeeper::LockName& name);

private:
    void makeView();
    void makeBar();
    void makeNote();
    void retranslate();
    void widenColumns();
    void showHeldBack();
    void showNote();
    void choose(const QModelIndex& shown);

    struct Missing {
        LockName name;
        WallTime at;
    };

    EventLogModel& m_log;
    EventFilterModel m_filter;
    QAction* m_pause;
    QAction* m_clear;
    QLineEdit* m_filterEdit;
    QLabel* m_heldBack;
    std::optional<Missing> m_missing;  // was to be revealed, and is not in the log
    InlineMessage* m_note;
    QTableView* m_view;
};

}  // namespace lockkeeper::ui
