// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/monitorbatch.h"
#include "ui/base/ticker.h"
#include "ui/base/workinturns.h"
#include "ui/locks/overview/handovercounts.h"
#include "ui/locks/overview/overviewcount.h"
#include "ui/locks/overview/overviewhistory.h"

#include <QWidget>

class QBoxLayout;

namespace lockkeeper {
struct ConnectionStatus;
}

namespace lockkeeper::ui {

class LockTableModel;
class Sparkline;
class TopList;
class ViewTime;

// A session at a glance: how many locks are held and waited for, hand-overs and reads a second over the last minutes,
// and the locks and clients that stand out. Takes a sample of the table at most once in a step of its history, in
// several turns of the loop if it has many locks, and is painted once a second at most while it is visible. Thread: the
// GUI's.
class OverviewPanel final : public QWidget {
    Q_OBJECT
public:
    // All outlive the panel.
    OverviewPanel(const LockTableModel& locks, const ViewTime& time, Clock& clock, QWidget* parent = nullptr);

    // To be called after the table has applied the batch.
    void apply(const monitor::MonitorBatch& batch);
    void follow(const ConnectionStatus& status);
    void clear();

Q_SIGNALS:
    void lockChosen(const lockkeeper::LockName& name);
    // See LockFilter.
    void filterWanted(const QString& filter);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeLayout();
    void arrange();
    void retranslate();
    void refreshTicker();
    void count(const std::vector<monitor::LockEvent>& events);
    [[nodiscard]] bool isSampleDue() const;
    // Counts the table, unless that is under way: at once if it has few locks.
    void begin();
    void finish(const OverviewCount& counted);
    // Takes a sample of the table as it was counted, and of the hand-overs since the last sample.
    void sample(const OverviewCount& counted);
    // Counts the table if that is due.
    void refresh();
    void showAll();
    void showFigures(SteadyTime now);
    void showLocks(SteadyTime now);
    void showClients();

    const LockTableModel& m_locks;
    const ViewTime& m_time;
    OverviewHistory m_history;
    HandOverCounts m_handOvers;
    Figures m_figures{};
    double m_counted = 0;  // hand-overs since the last sample
    double m_reads = 0;    // a second
    std::optional<SteadyTime> m_sampled;
    WorkInTurns<OverviewCount> m_counting;
    std::optional<SteadyTime> m_sampling;  // the count that is under way is for a sample of this time
    std::vector<OverviewCount::LockCounts::Entry> m_mostAwaited;
    std::vector<OverviewCount::LockCounts::Entry> m_longestWaits;
    std::vector<OverviewCount::ClientCounts::Entry> m_topClients;
    bool m_areListed = false;  // the three lists above are, or will be, of the table as it is now
    Ticker m_ticker;
    QBoxLayout* m_layout = nullptr;
    std::array<Sparkline*, figureCount> m_lines{};
    TopList* m_busiest;
    TopList* m_awaited;
    TopList* m_waits;
    TopList* m_clients;
};

}  // namespace lockkeeper::ui
