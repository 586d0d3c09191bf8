// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/ticker.h"
#include "ui/locks/emptystate.h"
#include "ui/locks/filter/attentionstrip.h"
#include "ui/locks/table/locktableview.h"

#include <QWidget>

class QAction;
class QCheckBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QSettings;
class QStackedWidget;

namespace lockkeeper::ui {

class GroupMenu;
class InlineMessage;

// The table of locks with its filter, or in its place the reason why it is empty.
class LocksPage final : public QWidget {
    Q_OBJECT
public:
    // Everything given outlives the page.
    LocksPage(LockTableModel& locks, const ViewTime& time, Clock& clock, QWidget* parent = nullptr);

    [[nodiscard]] LockTableView& table() noexcept { return *m_table; }
    [[nodiscard]] const LockTableView& table() const noexcept { return *m_table; }
    [[nodiscard]] LockSelection& selection() noexcept { return m_selection; }
    void setStatus(const ConnectionStatus& status);
    void setStats(const monitor::MonitorStats& stats);
    // One a column, for a menu: sorts by it, and by it the other way round when it is chosen again.
    [[nodiscard]] const QList<QAction*>& sortActions() const noexcept { return m_sortActions; }
    // The menu of groups.
    [[nodiscard]] QAction* groupAction() const;
    void focusFilter();
    // Places the tool beside the filter.
    void addFilterTool(QWidget& tool);
    void clearFilter();
    // Clears the filter, and shows of all locks only those with a diagnosis.
    void showFaultyOnly();
    // Replaces the filter: shows of all locks only those with these words.
    void showOnly(const QString& words);
    // Replaces the filter: shows only the locks of the Cluster's nodes that have this in their address.
    void showNode(const QString& address);
    // What the filter leaves, in the order on the screen.
    [[nodiscard]] std::vector<monitor::LockRow> shownLocks() const;
    // Brings the lock into sight, by taking the filter away if need be.
    void reveal(const LockName& name);
    // Brings the selected lock into sight.
    void revealSelected();
    // Selects the lock; the filter and the keyboard focus stay. If the lock has no row, none is selected.
    void select(const LockName& name);
    // Copies the name of the lock that actions are about to the clipboard; does nothing if there is none.
    void copyCurrentName() const;
    // Selects the first row, as the table is sorted; does nothing if the table is empty.
    void selectFirst();
    // What is counted besides the locks.
    void follow(const monitor::MonitorBatch& batch) { m_attention->follow(batch); }

    void save(QSettings& settings) const;
    void restore(QSettings& settings);

Q_SIGNALS:
    void connectWanted();
    void clientWanted(const lockkeeper::ClientId& client);
    void filterTyped(const QString& text);
    // What the table shows may be something else now.
    void filterChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Choice {
        QString filter;
        bool isFreeShown;
        bool isFaultyOnly;
    };
    struct BeforeAttention {
        Choice choice;
        QString attention;  // the filter that was set then
    };

    void retranslate();
    void showAttention(const QString& words);
    void makeBar();
    void makeLayout(QLayout* bar);
    void onFilterTyped(const QString& text);
    // A value that is still to come is no mistake while the reader types.
    enum class Typing { Going, Finished };
    void showMistakes(Typing typing);
    [[nodiscard]] bool filterByTyping(const QKeyEvent& key);
    // Runs while the time alone changes what the filter lets through.
    void refreshTicker();
    void makeStack();
    void makeSortActions();
    void sortBy(int column);
    void refresh();
    void refreshFiltered();
    // Shows or hides what only a Cluster has.
    void refreshNodes();

    LockTableModel& m_locks;
    LockFilterModel m_shown;
    bool m_areRowsLeaving = false;
    LockSelection m_selection;
    ConnectionStatus m_status;
    monitor::MonitorStats m_stats;
    Ticker m_ticker;
    AttentionStrip* m_attention;
    QLineEdit* m_filter;
    QCheckBox* m_showFree;
    QCheckBox* m_faultyOnly;
    QLabel* m_count;
    InlineMessage* m_mistakes;
    QStackedWidget* m_stack;
    QHBoxLayout* m_bar = nullptr;
    LockTableView* m_table;
    EmptyState* m_empty;
    QList<QAction*> m_sortActions;  // one a column
    std::optional<BeforeAttention> m_beforeAttention;
    GroupMenu* m_groups;
};

}  // namespace lockkeeper::ui
