// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"
#include "ui/events/log/eventfiltermodel.h"
#include "ui/events/log/eventlogmodel.h"

#include <QPersistentModelIndex>
#include <QWidget>

#include <functional>

class QAction;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QTableView;
class QToolButton;

namespace lockkeeper::ui {

class EventColumns;
class EventDelegate;
class InlineMessage;

// The event log with its filters, pause and clear. It follows the newest event, until the reader scrolls away from it
// or chooses a row: then what is read stays where it is, and a button counts what came since.
class EventLogPanel final : public QWidget {
    Q_OBJECT
public:
    // log: outlives the panel.
    explicit EventLogPanel(EventLogModel& log, QWidget* parent = nullptr);

    [[nodiscard]] QAction& pauseAction() noexcept { return *m_pause; }
    [[nodiscard]] QAction& clearAction() noexcept { return *m_clear; }
    // The lock that "This lock" and "This holder" are about; null for none.
    void setSubject(const monitor::LockRow* lock, const HolderAliases& aliases);
    // The events that pass the filter, oldest first.
    [[nodiscard]] std::vector<LoggedEvent> shownEvents() const;
    // Scrolls to the lock's event of that time, marks it, and clears the filters if they hide it; shows a note when the
    // log does not have it.
    void reveal(const LockName& name, WallTime at);
    // The events of this lock alone, until the reader chooses otherwise.
    void showOnly(const LockName& name);
    // A line where this time is among the events, and the line is in sight as long as the log follows the newest event.
    void setCrosshair(const std::optional<WallTime>& at);

Q_SIGNALS:
    // The reader chose an event: show its lock.
    void lockChosen(const lockkeeper::LockName& name);
    // The event in the current row, or none.
    void currentTimeChanged(const std::optional<lockkeeper::WallTime>& at);

private:
    void makeView();
    void makeBar();
    void makeMenu();
    void makeChips();
    [[nodiscard]] QHBoxLayout* chipBar();
    void makeNote();
    void makeFollowing();
    void showChosen(const QItemSelection& selected);
    void follow();
    void onScrolled(int row);
    void rememberTop();
    void keepTop(int first, int last);
    // Scrolls to the newest event, or to the crosshair if it is among the events.
    void scrollToNewest();
    void showNewer();
    void takeSubjects();
    void nameSubjects();
    void refilter(const std::function<void()>& change);
    void onlyLock(bool only);
    void onlyHolder(bool only);
    void clearFilters();
    void retranslate();
    void showHeldBack();
    void showNote();
    void choose(const QModelIndex& shown);

    struct Holder {
        ClientId client;
        QString name;
        friend bool operator==(const Holder&, const Holder&) = default;
    };
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
    QToolButton* m_newer;
    QList<QToolButton*> m_chips;  // by EventGroup
    QToolButton* m_thisLock;
    QToolButton* m_thisHolder;
    std::optional<LockName> m_selected;
    std::optional<Holder> m_selectedHolder;
    std::optional<LockName> m_subject;
    std::optional<Holder> m_subjectHolder;
    bool m_following = true;
    bool m_moving = false;  // by this panel, not by the reader
    bool m_refiltering = false;
    quint64 m_newerCount = 0;
    QPersistentModelIndex m_top;       // of the view, while rows are inserted
    std::optional<Missing> m_missing;  // was to be revealed, and is not in the log
    InlineMessage* m_note;
    QTableView* m_view;
    EventColumns* m_columns = nullptr;    // the view's
    EventDelegate* m_delegate = nullptr;  // the view's
};

}  // namespace lockkeeper::ui
