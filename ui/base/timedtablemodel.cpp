// SPDX-License-Identifier: Apache-2.0
#include "ui/base/timedtablemodel.h"

#include "ui/base/helptip.h"
#include "ui/base/tonecolors.h"

#include <QFont>
#include <QGuiApplication>

namespace lockkeeper::ui {

TimedTableModel::TimedTableModel(const ViewTime& time, int columns, QObject* parent)
    : QAbstractTableModel(parent), m_time(time), m_columns(columns) {}

void TimedTableModel::refreshAll() {
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, m_columns - 1));
}

void TimedTableModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, m_columns - 1);
    refreshAll();
}

int TimedTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_columns;
}

QVariant TimedTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const int row = index.row();
    const int column = index.column();
    switch (role) {
        case Qt::DisplayRole:
            return display(row, column);
        case Qt::ToolTipRole:
            return helpTip(toolTip(row, column));
        case Qt::WhatsThisRole:
            return helpTip(help(column) + QLatin1Char('\n') + toolTip(row, column));
        case Qt::AccessibleTextRole: {
            const QString text = display(row, column);
            return text.isEmpty() ? tr("none") : text;
        }
        case Qt::DecorationRole:
            return decoration(row, column);
        case Qt::FontRole: {
            QFont font = QGuiApplication::font();
            font.setItalic(true);
            return isOld(row) ? font : QVariant();
        }
        case Qt::ForegroundRole:
            return isOld(row) ? QVariant::fromValue(toneColor(QGuiApplication::palette(), Tone::Quiet)) : QVariant();
        case Qt::TextAlignmentRole:
            return isNumber(column) ? QVariant::fromValue(Qt::AlignCenter) : QVariant();
        case SortRole:
            return sortValue(row, column);
        default:
            return {};
    }
}

QVariant TimedTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    switch (role) {
        case Qt::DisplayRole:
            return title(section);
        case Qt::ToolTipRole:
        case Qt::WhatsThisRole:
            return helpTip(help(section));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(isNumber(section) ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter);
        default:
            return {};
    }
}

bool TimedTableModel::isOld(int) const {
    return !m_time.isLive();
}

QVariant TimedTableModel::decoration(int, int) const {
    return {};
}

}  // namespace lockkeeper::ui

#include "moc_timedtablemodel.cpp"
