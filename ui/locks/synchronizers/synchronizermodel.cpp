// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/synchronizers/synchronizermodel.h"

#include "ui/help/helptexts.h"
#include "ui/words/diagnosistext.h"
#include "ui/words/locktext.h"
#include "ui/words/synchronizertext.h"
#include "ui/words/timetext.h"

#include <QSet>

#include <limits>

namespace lockkeeper::ui {

namespace {

// The evidence of each diagnosis, and what helps.
QString explained(const QList<monitor::Diagnosis>& diagnoses, WallTime now) {
    QStringList lines;
    for (const monitor::Diagnosis& diagnosis : diagnoses)
        lines << diagnosisText(diagnosis) << evidenceText(diagnosis.evidence, now, HolderAliases())
              << adviceText(diagnosis.kind());
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

SynchronizerModel::SynchronizerModel(const ViewTime& time, QObject* parent)
    : TimedTableModel(time, ColumnCount, parent) {}

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

int SynchronizerModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

bool SynchronizerModel::isNumber(int column) const {
    return column == Counter || column == Clients;
}

QString SynchronizerModel::display(int row, int column) const {
    const monitor::Synchronizer& synchronizer = at(row);
    switch (static_cast<Column>(column)) {
        case Name:
            return plainName(synchronizer.name);
        case DiagnosisColumn:
            return diagnosesText(synchronizer.allDiagnoses());
        case Kind:
            return kindText(synchronizer.kind);
        case Counter:
            return counterText(synchronizer);
        case Leased:
            return leasedText(synchronizer, time());
        case Clients:
            return synchronizer.deaf ? tr("0 (%1 deaf)", "waiting clients").arg(numberText(synchronizer.deaf->clients))
                                     : numberText(synchronizer.clients);
        case Since:
            return clockText(synchronizer.seenAtWall, time().wallNow());
        case ColumnCount:
            break;
    }
    return {};
}

QString SynchronizerModel::toolTip(int row, int column) const {
    const monitor::Synchronizer& synchronizer = at(row);
    QString text = shortened(display(row, column), 400);
    if (column == Leased)
        text = leasesText(synchronizer, time());
    else if (column == Counter)
        text = counterHelp(synchronizer.state);
    else if (column == DiagnosisColumn)
        text = explained(synchronizer.allDiagnoses(), time().wallNow());
    if (!time().isLive())
        text += QLatin1Char('\n') + oldText(time());
    return text;
}

QVariant SynchronizerModel::sortValue(int row, int column) const {
    const monitor::Synchronizer& synchronizer = at(row);
    switch (static_cast<Column>(column)) {
        case Counter:
            return synchronizer.count.value_or(std::numeric_limits<qint64>::max());
        case Leased:
            return synchronizer.leased.value_or(-1);
        case Clients:
            return synchronizer.clients;
        case Since:
            return qint64{toMilliseconds(synchronizer.seenAtWall.time_since_epoch()).count()};
        case Name:
        case DiagnosisColumn:
        case Kind:
        case ColumnCount:
            break;
    }
    return display(row, column);
}

QString SynchronizerModel::help(int column) const {
    return columnHelp(static_cast<Column>(column));
}

QString SynchronizerModel::title(int column) const {
    switch (static_cast<Column>(column)) {
        case Name:
            return tr("Name");
        case DiagnosisColumn:
            return tr("Diagnosis");
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

QString columnHelp(SynchronizerModel::Column column) {
    switch (column) {
        case SynchronizerModel::Name:
            return SynchronizerModel::tr(
                "The key in Redis, as the program that uses it has named it. Bytes that are no text are shown "
                "escaped.");
        case SynchronizerModel::DiagnosisColumn:
            return SynchronizerModel::tr("What may be wrong with it. The tool tip has the evidence, and what helps.");
        case SynchronizerModel::Kind:
            return SynchronizerModel::tr(
                "By the channel that its waiters listen on, or by its leases; the key itself is a string of digits. "
                "Not known: some wait as for a semaphore, others as for a latch.");
        case SynchronizerModel::Counter:
            return SynchronizerModel::tr(
                "Of a semaphore the permits that are free, of a latch how often it must still be counted down. Without "
                "a key a latch is open, and a semaphore has no permits.");
        case SynchronizerModel::Leased:
            return SynchronizerModel::tr(
                "Permits that were taken with a lease, and when the first of them runs out by the server's clock. "
                "Since when is only known of those that were taken while they were watched. "
                "Who has a permit of a plain semaphore is written nowhere.");
        case SynchronizerModel::Clients:
            return SynchronizerModel::tr(
                "Client instances that listen for a permit or for the end of the count; threads of one client count "
                "once.");
        case SynchronizerModel::Since:
            return SynchronizerModel::tr(
                "When it was first seen like this: with this number, these leases and so many waiting clients. They "
                "are read about every two seconds; what comes and goes in between is not seen.");
        case SynchronizerModel::ColumnCount:
            break;
    }
    return {};
}

}  // namespace lockkeeper::ui

#include "moc_synchronizermodel.cpp"
