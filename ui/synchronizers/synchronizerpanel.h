// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "ui/synchronizers/synchronizermodel.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QAction;
class QLabel;
class QStackedWidget;
class QTableView;

namespace lockkeeper::ui {

class InlineMessage;

// The table of semaphores and latches; where there are none, which ones would be shown.
class SynchronizerPanel final : public QWidget {
    Q_OBJECT
public:
    // time: outlives the panel.
    explicit SynchronizerPanel(const ViewTime& time, QWidget* parent = nullptr);

    void apply(const monitor::MonitorBatch& batch);
    // After the window's own time.
    void follow(const ConnectionStatus& status);
    void clear();
    // A copy, in the order on the screen.
    [[nodiscard]] std::vector<monitor::Synchronizer> shownSynchronizers() const;

private:
    void retranslate();
    void widenColumns();
    void makeView();
    void refresh();
    [[nodiscard]] QString emptyText() const;
    [[nodiscard]] QString noteText() const;

    const ViewTime& m_time;
    SynchronizerModel m_model;
    QSortFilterProxyModel m_shown;
    monitor::SynchronizerReading m_reading;
    ConnectionPhase m_phase = ConnectionPhase::Disconnected;
    InlineMessage* m_note;
    QStackedWidget* m_stack;
    QTableView* m_view;
    QLabel* m_empty;
    QAction* m_copy;
};

}  // namespace lockkeeper::ui
