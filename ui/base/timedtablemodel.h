// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/words/viewtime.h"

#include <QAbstractTableModel>

namespace lockkeeper::ui {

// A table of a few rows as they were at the time that the window shows: rows that are old are quiet and in italics. Its
// texts are made when they are asked for. Thread: the GUI's.
class TimedTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum { SortRole = Qt::UserRole };

    // To be called after the time that the screen shows has changed.
    void refreshAll();
    // To be called after a change of language.
    void retranslate();

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const final;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const final;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

protected:
    // time: outlives the model.
    TimedTableModel(const ViewTime& time, int columns, QObject* parent);

    [[nodiscard]] const ViewTime& time() const { return m_time; }
    [[nodiscard]] virtual bool isOld(int row) const;
    [[nodiscard]] virtual bool isNumber(int column) const = 0;
    [[nodiscard]] virtual QString title(int column) const = 0;
    // What the column means.
    [[nodiscard]] virtual QString help(int column) const = 0;
    [[nodiscard]] virtual QString display(int row, int column) const = 0;
    [[nodiscard]] virtual QString toolTip(int row, int column) const = 0;
    [[nodiscard]] virtual QVariant sortValue(int row, int column) const = 0;
    [[nodiscard]] virtual QVariant decoration(int row, int column) const;

private:
    const ViewTime& m_time;
    const int m_columns;
};

}  // namespace lockkeeper::ui
