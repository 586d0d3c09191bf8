// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/synchronizer.h"
#include "ui/base/timedtablemodel.h"

namespace lockkeeper::ui {

// The semaphores and latches that are known, a row each, by name. Thread: the GUI's.
class SynchronizerModel final : public TimedTableModel {
    Q_OBJECT
public:
    enum Column { Name, DiagnosisColumn, Kind, Counter, Clients, Leased, Since, ColumnCount };

    // time: outlives the model.
    explicit SynchronizerModel(const ViewTime& time, QObject* parent = nullptr);

    // By name, each name once. Rows that stay keep their place in every view.
    void apply(const std::vector<monitor::Synchronizer>& seen);
    [[nodiscard]] const monitor::Synchronizer& at(int row) const { return m_rows[static_cast<size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] bool isNumber(int column) const override;
    [[nodiscard]] QString title(int column) const override;
    [[nodiscard]] QString help(int column) const override;
    [[nodiscard]] QString display(int row, int column) const override;
    [[nodiscard]] QString toolTip(int row, int column) const override;
    [[nodiscard]] QVariant sortValue(int row, int column) const override;

private:
    void removeAllBut(const std::vector<monitor::Synchronizer>& seen);

    std::vector<monitor::Synchronizer> m_rows;
};

// What a column of the semaphores and latches shows, and the facts behind it (core/locks/protocol.md).
[[nodiscard]] QString columnHelp(SynchronizerModel::Column column);

}  // namespace lockkeeper::ui
