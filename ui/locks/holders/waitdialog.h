// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/who/deadlockevidence.h"
#include "ui/base/fitteddialog.h"
#include "ui/locks/clients/holderknowledge.h"
#include "ui/words/viewtime.h"
#include "ui/words/wordfilter.h"

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockkeeper::ui {

class LockTableModel;

// Who waits for whom over all known locks: deadlocks first, then every client that waits, with the locks it waits for.
// Follows the locks while it is open, at most twice a second.
class WaitDialog final : public FittedDialog {
    Q_OBJECT
public:
    // All outlive the dialog.
    WaitDialog(const LockTableModel& locks, const ViewTime& time, Clock& clock, QWidget* parent = nullptr);
    ~WaitDialog() override;

    void setKnowledge(const HolderKnowledge& knowledge);

Q_SIGNALS:
    void lockChosen(const lockkeeper::LockName& name);

private:
    void retranslate();
    void makeLayout();
    void widenColumns();
    void scheduleRefresh();
    void refresh();
    // The locks with a queue whose node is not reached, and when that node last answered.
    [[nodiscard]] monitor::ThreadsThatWait threadsThatWait();
    [[nodiscard]] QHash<LockName, WallTime> oldLocks(std::span<const monitor::LockSnapshot* const> locks) const;
    void showSentences();
    void showGraph();
    void addDeadlocks();
    [[nodiscard]] QString cycleText(size_t index) const;
    void addWaiters();
    // key: identifies it when the tree is filled again.
    QTreeWidgetItem* addGroup(const QString& text, const QString& key);
    void addEdges(QTreeWidgetItem& group, std::span<const monitor::WaitEdge> edges) const;
    void addEdge(QTreeWidgetItem& group, const monitor::WaitEdge& edge) const;
    void addFrames(QTreeWidgetItem& line, const monitor::WaitEdge& edge) const;
    void markOld(QTreeWidgetItem& item, WallTime lastSeen) const;
    void applyFilter();
    [[nodiscard]] QString clientText(const ClientId& client) const;
    [[nodiscard]] QString summary() const;
    [[nodiscard]] qint64 provenDeadlocks() const;
    [[nodiscard]] QString limits() const;

    const LockTableModel& m_locks;
    const ViewTime& m_time;
    Clock& m_clock;
    Clock::TimerId m_refreshTimer = Clock::TimerId::None;
    monitor::WaitGraph m_graph;
    monitor::DeadlockEvidence m_evidence;
    std::vector<monitor::CycleReads> m_reads;  // of each of the graph's cycles
    QHash<LockName, WallTime> m_old;
    QHash<HolderId, monitor::SharedDump> m_dumps;  // of threads that wait, by these dumps
    HolderKnowledge m_knowledge;
    QLabel* m_summary;
    QLineEdit* m_filter;
    QTreeWidget* m_tree;
    QLabel* m_limits;
};

}  // namespace lockkeeper::ui
