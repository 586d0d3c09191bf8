// SPDX-License-Identifier: Apache-2.0
#include "ui/synchronizers/synchronizermodel.h"

#include "ui/help/helptexts.h"
#include "ui/help/helptip.h"
#include "ui/look/tone.h"
#include "ui/words/locktext.h"
#include "ui/words/synchronizertext.h"
#include "ui/words/timetext.h"

#include <QFont>
#include <QGuiApplication>
#include <QSet>

#include <limits>

namespace lockkeeper::ui {

namespace {

bool isNumber(SynchronizerModel::Column column) {
    return column == SynchronizerModel::Counter || column == SynchronizerModel::Clients;
}

}  // namespace

SynchronizerModel::SynchronizerModel(const ViewTime& time, QObject* parent)
    : QAbstractTableModel(parent), m_time(time) {}

void SynchronizerModel::apply(const std::vector<monitor::Synchronizer>& seen) {
    removeAllBut(seen);
    for (int row = 0; row < static_cast<int>(seen.size()); ++row) {
        const monitor::Synchronizer& now = seen[static_cast<size_t>(row)];
        if (row < rowCount() && m_rows[static_cast<size_t>(row)].name == now.name) {
            if (std::exchange(m_rows[static_cast<size_t>(row)], now) != now)
                Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
            continue;
        }
        beginInsertRows({}, row, row);
        m_rows.insert(m_rows.begin() + row, now);
        endInsertRows();
    }
}

void SynchronizerModel::removeAllBut(const std::vector<monitor::Synchronizer>& seen) {
    QSet<LockName> staying;
    for (const monitor::Synchronizer& synchronizer : seen)
        staying.insert(synchronizer.name);
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (staying.contains(m_rows[static_cast<size_t>(row)].name))
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
}

void SynchronizerModel::refreshAll() {
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void SynchronizerModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    refreshAll();
}

int SynchronizerModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SynchronizerModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant SynchronizerModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const monitor::Synchronizer& synchronizer = m_rows[static_cast<size_t>(index.row())];
    const auto column = static_cast<Column>(index.column());
    switch (role) {
        case Qt::DisplayRole:
            return display(synchronizer, column);
        case Qt::ToolTipRole:
            return helpTip(toolTip(synchronizer, column));
        case Qt::WhatsThisRole:
            return helpTip(columnHelp(column) + QLatin1Char('\n') + toolTip(synchronizer, column));
        case Qt::AccessibleTextRole: {
            const QString text = display(synchronizer, column);
            return text.isEmpty() ? tr("none") : text;
        }
        case Qt::FontRole: {
            QFont font = QGuiApplication::font();
            font.setItalic(true);
            return m_time.isLive() ? QVariant() : font;
        }
        case Qt::ForegroundRole:
            return m_time.isLive() ? QVariant()
                                   : QVariant::fromValue(toneColor(QGuiApplication::palette(), Tone::Quiet));
        case Qt::TextAlignmentRole:
            return isNumber(column) ? QVariant::fromValue(Qt::AlignCenter) : QVariant();
        case SortRole:
            return sortValue(synchronizer, column);
        default:
            return {};
    }
}

QString SynchronizerModel::display(const monitor::Synchronizer& synchronizer, Column column) const {
    switch (column) {
        case Name:
            return plainName(synchronizer.name);
        case Kind:
            return kindText(synchronizer.kind);
        case Counter:
            return counterText(synchronizer);
        case Leased:
            return leasedText(synchronizer, m_time);
        case Clients:
            return synchronizer.deaf ? tr("0 (%1 deaf)", "waiting clients").arg(numberText(synchronizer.deaf->clients))
                                     : numberText(synchronizer.clients);
        case Since:
            return clockText(synchronizer.seenAtWall, m_time.wallNow());
        case ColumnCount:
            break;
    }
    return {};
}

QString SynchronizerModel::toolTip(const monitor::Synchronizer& synchronizer, Column column) const {
    QString text = column == Leased    ? leasesText(synchronizer, m_time)
                   : column == Counter ? counterHelp(synchronizer.state)
                                       : shortened(display(synchronizer, column), 400);
    if (!m_time.isLive())
        text += QLatin1Char('\n') + oldText(m_time);
    return text;
}

QVariant SynchronizerModel::sortValue(const monitor::Synchronizer& synchronizer, Column column) const {
    switch (column) {
        case Counter:
            return synchronizer.count.value_or(std::numeric_limits<qint64>::max());
        case Leased:
            return synchronizer.leased.value_or(-1);
        case Clients:
            return synchronizer.clients;
        case Since:
            return qint64{toMilliseconds(synchronizer.seenAtWall.time_since_epoch()).count()};
        case Name:
        case Kind:
        case ColumnCount:
            break;
    }
    return display(synchronizer, column);
}

QVariant SynchronizerModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = static_cast<Column>(section);
    switch (role) {
        case Qt::DisplayRole:
            return title(column);
        case Qt::ToolTipRole:
        case Qt::WhatsThisRole:
            return helpTip(columnHelp(column));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(isNumber(column) ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter);
        default:
            return {};
    }
}

QString SynchronizerModel::title(Column column) {
    switch (column) {
        case Name:
            return tr("Name");
        case Kind:
            return tr("Kind");
        case Counter:
            return tr("Free permits / count");
        case Leased:
            return tr("Leased");
        case Clients:
            return tr("Waiting clients");
        case Since:
            return tr("Unchanged since");
        case ColumnCount:
            break;
    }
    return {};
}

}  // namespace lockkeeper::ui

#include "moc_synchronizermodel.cpp"
