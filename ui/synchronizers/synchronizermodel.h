#pragma once

#include "monitor/model/synchronizer.h"
#include "ui/time/viewtime.h"

#include <QAbstractTableModel>

namespace lockkeeper::ui {

// The semaphores and latches that somebody waits for, a row each, by name. Thread: the GUI's.
class SynchronizerModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Kind, Counter, Leased, Clients, Since, ColumnCount };
    enum Role { SortRole = Qt::UserRole };

    // time: outlives the model.
    explicit SynchronizerModel(const ViewTime& time, QObject* parent = nullptr);

    // By name, each name once. Rows that stay keep their place in every view.
    void apply(const std::vector<monitor::Synchronizer>& seen);
    // After the time that the screen shows has changed.
    void refreshAll();
    // After a change of language: texts are made when they are asked for.
    void retranslate();

    [[nodiscard]] const monitor::Synchronizer& at(int row) const { return m_rows[static_cast<size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void removeAllBut(const std::vector<monitor::Synchronizer>& seen);
    [[nodiscard]] QString display(const monitor::Synchronizer& synchronizer, Column column) const;
    [[nodiscard]] QString toolTip(const monitor::Synchronizer& synchronizer, Column column) const;
    [[nodiscard]] QVariant sortValue(const monitor::Synchronizer& synchronizer, Column column) const;
    [[nodiscard]] static QString title(Column column);

    const ViewTime& m_time;
    std::vector<monitor::Synchronizer> m_rows;
};

}  // namespace lockkeeper::ui
