// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/tablepanel.h"
#include "ui/locks/synchronizers/synchronizermodel.h"

namespace lockkeeper::ui {

// The table of semaphores and latches; where there are none, which ones would be shown.
class SynchronizerPanel final : public TablePanel {
    Q_OBJECT
public:
    // time: outlives the panel.
    explicit SynchronizerPanel(const ViewTime& time, QWidget* parent = nullptr);

    void apply(const monitor::MonitorBatch& batch);
    void clear();
    // A copy, in the order on the screen.
    [[nodiscard]] std::vector<monitor::Synchronizer> shownSynchronizers() const;

Q_SIGNALS:
    // A permit of this semaphore, whose lease is over, is to be returned.
    void giveBackWanted(const lockkeeper::monitor::Synchronizer& semaphore);

protected:
    void widenColumns() override;
    [[nodiscard]] QString accessibleTitle() const override;
    [[nodiscard]] QString help() const override;
    [[nodiscard]] QString emptyText() const override;
    [[nodiscard]] Message note() const override;

private:
    [[nodiscard]] const monitor::Synchronizer* current() const;
    void updateActions();

    QAction* m_giveBack;
    const ViewTime& m_time;
    SynchronizerModel m_model;
    monitor::SynchronizerReading m_reading;
};

}  // namespace lockkeeper::ui
