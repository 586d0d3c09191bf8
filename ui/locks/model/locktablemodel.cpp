// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/model/locktablemodel.h"

#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/tonecolors.h"
#include "ui/help/helptexts.h"
#include "ui/locks/clients/clientcolors.h"
#include "ui/locks/model/lockcolumns.h"
#include "ui/locks/model/lockorder.h"
#include "ui/locks/model/ttlbar.h"
#include "ui/words/diagnosistext.h"
#include "ui/words/shorttext.h"
#include "ui/words/throughputtext.h"
#include "ui/words/timetext.h"
#include "ui/words/waitstext.h"

#include <QFont>
#include <QGuiApplication>

#include <algorithm>
#include <numeric>

namespace lockkeeper::ui {

namespace {

// Announcing a few rows that did not change costs less than announcing each change alone.
constexpr int bridgedGap = 32;

}  // namespace

LockTableModel::Entry::Entry(const monitor::SharedRow& shown, Arrival number)
    : row(shown), name(shown->lock.name), urgency(urgencyOf(*shown)), arrival(number) {}

LockTableModel::LockTableModel(const ViewTime& time, QObject* parent) : ArrangedRows(parent), m_time(time) {}

void LockTableModel::apply(const monitor::MonitorBatch& batch) {
    if (batch.reset)
        clear();
    applyChanged(batch.changed);
    removeAll(m_rowOf.rowsOf(batch.removed));
}

void LockTableModel::clear() {
    if (m_rows.empty())
        return;
    beginResetModel();
    m_rows.clear();
    m_rowOf.clear();
    endResetModel();
}

void LockTableModel::setOwnLocks(const QList<control::OwnLock>& locks) {
    std::vector<int> changed = m_rowOf.rowsOf(m_own.set(locks, {m_time.moment(), m_time.wallMoment()}));
    for (const int row : changed)
        m_rows[static_cast<size_t>(row)] = Entry(m_own.completed(m_rows[static_cast<size_t>(row)].row), arrivalAt(row));
    announce(std::move(changed));
}

void LockTableModel::setAliases(const HolderAliases& aliases) {
    if (aliases == m_aliases)
        return;
    m_aliases = aliases;
    refreshAll();
}

void LockTableModel::setNames(const ProgramNames& names) {
    if (names == m_names)
        return;
    m_names = names;
    refreshAll();
}

void LockTableModel::refreshAll() {
    std::vector<int> all(m_rows.size());
    std::iota(all.begin(), all.end(), 0);
    announce(std::move(all));
}

void LockTableModel::retranslate() {
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    refreshAll();
}

const monitor::LockRow* LockTableModel::find(const LockName& name) const {
    const std::optional<int> row = m_rowOf.find(name);
    return row ? &rowAt(*row) : nullptr;
}

QModelIndex LockTableModel::indexOf(const LockName& name) const {
    const std::optional<int> row = m_rowOf.find(name);
    return row ? index(*row, Name) : QModelIndex();
}

Ownership LockTableModel::ownership(const LockName& name) const {
    return m_own.contains(name) ? Ownership::Own : Ownership::Others;
}

SteadyTime LockTableModel::momentOf(int row) const {
    const monitor::LockRow& lock = rowAt(row);
    return lock.isUnread ? lock.lock.seenAt : timeOf(lock).moment();
}

std::vector<monitor::LockSnapshot> LockTableModel::oldLocks() const {
    std::vector<monitor::LockSnapshot> old;
    for (const Entry& entry : m_rows) {
        if (!timeOf(*entry.row).isLive())
            old.push_back(entry.row->lock);
    }
    return old;
}

QString LockTableModel::searchedText(int row, SearchedPart part) const {
    const monitor::LockRow& searched = rowAt(row);
    return ui::searchedText(searched, part, ownership(searched.lock.name), {m_aliases, m_names});
}

int LockTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int LockTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

// Announces neighbours with one signal.
void LockTableModel::announce(std::vector<int> changed) {
    if (changed.empty())
        return;
    Q_EMIT rowsChanged(changed);
    for (const RowRange range : rangesOf(std::move(changed), bridgedGap))
        Q_EMIT dataChanged(index(range.first, 0), index(range.last, ColumnCount - 1));
}

void LockTableModel::applyChanged(const std::vector<monitor::SharedRow>& changed) {
    std::vector<int> touched;
    std::vector<Entry> added;
    for (const monitor::SharedRow& read : changed) {
        const monitor::SharedRow row = m_own.completed(read);
        if (const std::optional<int> known = m_rowOf.find(row->lock.name)) {
            m_rows[static_cast<size_t>(*known)] = Entry(row, arrivalAt(*known));
            touched.push_back(*known);
        } else {
            added.emplace_back(row, Arrival{++m_arrivals});
        }
    }
    announce(std::move(touched));
    append(std::move(added));
}

void LockTableModel::append(std::vector<Entry> added) {
    m_added = std::move(added);
    std::vector<int> rows(m_added.size());
    std::iota(rows.begin(), rows.end(), rowCount());
    insertAll(rows);
    m_added.clear();
    m_added.shrink_to_fit();
}

void LockTableModel::put(RowRange added, int before) {
    m_rows.insert(m_rows.begin() + before, std::make_move_iterator(m_added.begin() + added.first),
                  std::make_move_iterator(m_added.begin() + added.last + 1));
    reindexFrom(before);
}

void LockTableModel::permute(const std::vector<int>& order) {
    std::vector<Entry> rows;
    rows.reserve(order.size());
    for (const int row : order)
        rows.push_back(std::move(m_rows[static_cast<size_t>(row)]));
    m_rows = std::move(rows);
    reindexFrom(0);
}

void LockTableModel::erase(RowRange range) {
    for (int row = range.first; row <= range.last; ++row)
        m_rowOf.remove(nameAt(row));
    m_rows.erase(m_rows.begin() + range.first, m_rows.begin() + range.last + 1);
    reindexFrom(range.first);
}

void LockTableModel::reindexFrom(int row) {
    for (; row < rowCount(); ++row)
        m_rowOf.set(nameAt(row), row);
}

QVariant LockTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const monitor::LockRow& row = rowAt(index.row());
    const auto column = static_cast<Column>(index.column());
    switch (role) {
        case Qt::DisplayRole:
            return display(row, column);
        case Qt::ToolTipRole:
            return helpTip(toolTip(row, column));
        case Qt::WhatsThisRole:
            return helpTip(explanation(row, column));
        case Qt::AccessibleTextRole:
            return accessibleText(row, column);
        case Qt::DecorationRole:
            return decoration(row, column);
        case Qt::FontRole:
            return font(row, column);
        case Qt::ForegroundRole:
            return timeOf(row).isLive() && !isIdle(row.lock)
                       ? QVariant()
                       : QVariant::fromValue(toneColor(QGuiApplication::palette(), Tone::Quiet));
        case Qt::TextAlignmentRole:
            return isCentred(column) ? QVariant::fromValue(Qt::AlignCenter) : QVariant();
        case SortRole:
            return sortValueOf(row, column, m_aliases);
        case TtlBarRole:
            return QVariant::fromValue(ttlBar(row, timeOf(row)));
        case ShortRole:
            return shortDisplay(row, column);
        case IdleRole:
            return isIdle(row.lock);
        case FaultRole:
            return monitor::hasFault(row.diagnoses);
        default:
            return {};
    }
}

QString LockTableModel::display(const monitor::LockRow& row, Column column) const {
    switch (column) {
        case State:
            return stateDisplay(row);
        case Name:
            return m_names.shown(row.lock.name);
        case Kind:
            return kindTextOf(row.lock);
        case HolderColumn:
            return holdersText(row.lock, m_aliases);
        case Count:
            return totalCountText(row.lock);
        case Ttl:
            return ttlBar(row, timeOf(row)).text;
        case HeldSince:
            return heldSinceText(row, timeOf(row).wallNow());
        case Renewals:
            return renewalsDisplay(row);
        case Waiters:
            return waitersText(row.lock);
        case WaitingSinceColumn:
            return waitingSinceText(row, timeOf(row).wallNow());
        case Rate:
            return row.throughput ? rateText(*row.throughput) : QString();
        case DiagnosisColumn:
            return diagnosesText(row.diagnoses);
        case NodeColumn:
            return nodeText(row.lock);
        case ColumnCount:
            break;
    }
    return {};
}

// An old or unread state has no short text: the word for that must not be left out.
QString LockTableModel::shortDisplay(const monitor::LockRow& row, Column column) const {
    if (column == Ttl)
        return shortTtlText(row, timeOf(row));
    if (column == HolderColumn)
        return shortHoldersText(row.lock, m_aliases);
    if (column == WaitingSinceColumn && !row.waits->present.isEmpty())
        return shortSinceText(row.waits->present.first(), timeOf(row).wallNow());
    const bool isCurrent = column == State && timeOf(row).isLive() && !row.isUnread;
    return isCurrent ? shortStateText(lockState(row.lock, ownership(row.lock.name))) : QString();
}

QString LockTableModel::stateDisplay(const monitor::LockRow& row) const {
    const LockState state = lockState(row.lock, ownership(row.lock.name));
    if (!timeOf(row).isLive())
        return oldStateText(state);
    return row.isUnread ? unreadStateText(state) : stateText(state);
}

QString LockTableModel::renewalsDisplay(const monitor::LockRow& row) const {
    if (!row.lock.isHeld() || row.hold.renewals == 0)
        return {};
    return renewalsText(row.hold.renewals, toMilliseconds(timeOf(row).moment() - row.hold.lastRenewal));
}

QString LockTableModel::heldSinceTip(const monitor::LockRow& row) const {
    const QString held = tr("For %1").arg(countText(toMilliseconds(timeOf(row).moment() - row.hold.since)));
    const WallTime now = timeOf(row).wallNow();
    const QString before = seenBeforeText(row.hold, [now](WallTime at) { return clockText(at, now); });
    return before.isEmpty() ? held : held + u'\n' + before;
}

QString LockTableModel::toolTip(const monitor::LockRow& row, Column column) const {
    QString text;
    if (column == Kind)
        text = kindExplanation(row.lock);
    else if (column == State && row.isUnread)
        text =
            tr("No node reads this lock at present, because its slot is moving or not served. What is shown is from %1.")
                .arg(clockText(row.lock.seenAtWall, timeOf(row).wallNow()));
    else if (column == State)
        text = stateHelp(lockState(row.lock, ownership(row.lock.name)));
    else if (column == HeldSince && row.lock.isHeld())
        text = heldSinceTip(row);
    else if (column == Waiters && !row.lock.waiters)
        text = tr("Not known");
    else if (column == Waiters && row.lock.monitorsAmongWaiters > 0)
        text = tr("Other monitors subscribe like clients that wait: at most %1 of these are monitors")
                   .arg(numberText(row.lock.monitorsAmongWaiters));
    else if (column == WaitingSinceColumn)
        text = waitingToolTip(row);
    else if (column == DiagnosisColumn)
        text = evidencesText(row.diagnoses, timeOf(row).wallNow(), m_aliases);
    else if (column == Rate && row.throughput)
        text = throughputText(*row.throughput, timeOf(row).wallNow());
    else if (column == HolderColumn && row.lock.holders.size() == 1)
        text = m_aliases.fullDisplay(row.lock.holders.front().id);
    else if (column == Name)
        text = m_names.withKey(row.lock.name);
    else
        text = shortened(display(row, column), 400);
    if (!timeOf(row).isLive())
        text += QLatin1Char('\n') + oldText(timeOf(row));
    return text;
}

// All who wait, and how long others have waited.
QString LockTableModel::waitingToolTip(const monitor::LockRow& row) const {
    const WallTime now = timeOf(row).wallNow();
    QStringList lines{clientsSinceText(*row.waits, now)};
    if (!row.waits->present.isEmpty() && lines.first().isEmpty())
        lines << tr("The first in the queue since %1").arg(waitingSinceText(row, now));
    if (row.waits->past)
        lines << waitTimesText(*row.waits->past);
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

QString LockTableModel::explanation(const monitor::LockRow& row, Column column) const {
    QStringList paragraphs{columnHelp(column)};
    if (column == State)
        paragraphs << stateHelp(lockState(row.lock, ownership(row.lock.name)));
    else if (column == Kind)
        paragraphs << tr("%1: %2").arg(kindTextOf(row.lock), kindExplanation(row.lock));
    else if (column == DiagnosisColumn)
        for (const monitor::Diagnosis& diagnosis : row.diagnoses)
            paragraphs << tr("%1: %2").arg(diagnosisTitle(diagnosis.kind()), diagnosisHelp(diagnosis.kind()));
    return paragraphs.join(QLatin1Char('\n'));
}

QString LockTableModel::accessibleText(const monitor::LockRow& row, Column column) const {
    if (column == DiagnosisColumn && !row.diagnoses.isEmpty())
        return evidencesText(row.diagnoses, timeOf(row).wallNow(), m_aliases);
    const QString text = display(row, column);
    return text.isEmpty() ? tr("none") : text;
}

QVariant LockTableModel::decoration(const monitor::LockRow& row, Column column) const {
    switch (column) {
        case State:
            return stateDecoration(row);
        case DiagnosisColumn:
            return diagnosisDecoration(row);
        case HolderColumn:
            return holderDecoration(row);
        default:
            return {};
    }
}

// If there are several holders, the text names the first one.
QVariant LockTableModel::holderDecoration(const monitor::LockRow& row) const {
    return row.lock.holders.isEmpty() ? QVariant() : QVariant(swatchOf(row.lock.holders.front().id.client()));
}

QIcon LockTableModel::swatchOf(const ClientId& client) const {
    return m_colors ? clientIcon(m_colors->of(client)) : QIcon();
}

QVariant LockTableModel::stateDecoration(const monitor::LockRow& row) const {
    const LockState state = lockState(row.lock, ownership(row.lock.name));
    return icon(stateIcon(state), timeOf(row).isLive() ? stateTone(state) : Tone::Quiet);
}

QVariant LockTableModel::diagnosisDecoration(const monitor::LockRow& row) const {
    if (row.diagnoses.isEmpty())
        return {};
    const monitor::Severity severity = monitor::severityOf(row.diagnoses.first().kind());
    return icon(diagnosisIcon(severity), timeOf(row).isLive() ? diagnosisTone(severity) : Tone::Quiet);
}

QVariant LockTableModel::font(const monitor::LockRow& row, Column column) const {
    const bool own = column == Name && ownership(row.lock.name) == Ownership::Own;
    if (timeOf(row).isLive() && !own)
        return {};
    QFont font = QGuiApplication::font();
    font.setItalic(!timeOf(row).isLive());
    font.setBold(own);
    return font;
}

QVariant LockTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = static_cast<Column>(section);
    switch (role) {
        case Qt::DisplayRole:
            return columnTitle(column);
        case Qt::ToolTipRole:
        case Qt::WhatsThisRole:
            return helpTip(columnHelp(column));
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(isCentred(column) ? Qt::AlignCenter : Qt::AlignLeft | Qt::AlignVCenter);
        default:
            return {};
    }
}

}  // namespace lockkeeper::ui

#include "moc_locktablemodel.cpp"
