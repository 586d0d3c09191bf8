// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/groups/groupedlocksmodel.h"

#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/tonecolors.h"

#include <QFont>
#include <QGuiApplication>

#include <algorithm>
#include <numeric>
#include <utility>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

// So many locks, with headings between them, can be read at a glance.
constexpr int few = 100;

}  // namespace

GroupedLocksModel::GroupedLocksModel(const LockTableModel& locks, LockFilterModel& shown, Clock& clock, QObject* parent)
    : ArrangedRows(parent), m_locks(locks), m_shown(shown), m_clock(clock) {}

void GroupedLocksModel::setGroupBy(GroupBy by) {
    if (by == m_by)
        return;
    disconnect(&m_shown, nullptr, this, nullptr);
    stop();
    beginResetModel();
    m_by = by;
    m_expanded.clear();
    m_rows = rowsNow();
    endResetModel();
    if (m_by != GroupBy::None)
        follow();
}

void GroupedLocksModel::follow() {
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_shown, signal, this, &GroupedLocksModel::schedule);
    connect(&m_shown, &QAbstractItemModel::layoutChanged, this, &GroupedLocksModel::schedule);
    connect(&m_shown, &QAbstractItemModel::dataChanged, this, &GroupedLocksModel::schedule);
    connect(&m_shown, &QAbstractItemModel::modelReset, this, &GroupedLocksModel::refresh);
    connect(&m_shown, &QAbstractItemModel::headerDataChanged, this, &GroupedLocksModel::headerDataChanged);
}

void GroupedLocksModel::schedule() {
    if (m_grouping.isUnderWay())
        m_isOutdated = true;
    else if (!m_start.isRunning())
        m_start.start(std::max(m_clock.now(), m_next));
}

// Proportional to the time that so many rows need, so that following them leaves time for everything else.
Milliseconds GroupedLocksModel::interval() const {
    constexpr Milliseconds shortest = 100ms;
    constexpr Milliseconds longest = 1s;
    constexpr qint64 rowsInAMillisecond = 20;
    return std::clamp(Milliseconds(m_shown.rowCount() / rowsInAMillisecond), shortest, longest);
}

void GroupedLocksModel::refresh() {
    stop();
    m_next = m_clock.now() + interval();
    become(rowsNow());
}

void GroupedLocksModel::stop() {
    m_start.stop();
    m_grouping.stop();
}

void GroupedLocksModel::begin() {
    m_grouping.begin(grouped());
    m_isOutdated = false;
}

void GroupedLocksModel::finish(LockGrouping& grouping) {
    m_next = m_clock.now() + interval();
    become(grouping.takeRows());
    if (m_isOutdated)
        schedule();
}

// ---- rows ----

LockGrouping GroupedLocksModel::grouped() {
    m_isLittleLeft = m_shown.isNarrowed() && m_shown.rowCount() <= few;
    return {m_locks, m_shown, {m_by, [this](const GroupKey& key) { return isExpanded(key); }, m_kept}};
}

std::vector<GroupRow> GroupedLocksModel::rowsNow() {
    LockGrouping grouping = grouped();
    while (!grouping.isDone())
        grouping.step(itemsInATurn);
    return grouping.takeRows();
}

// Uses removals, a reordering and insertions, so that the view keeps its place and its current row.
void GroupedLocksModel::become(std::vector<GroupRow> wanted) {
    // Most often rows have only come or only gone. Looking up where each of 100,000 belongs takes far longer.
    if (const std::optional<std::vector<int>> gone = surplusOf(m_rows, wanted)) {
        removeAll(*gone);
    } else {
        std::optional<std::vector<int>> added = surplusOf(wanted, m_rows);
        if (!added) {
            reorder(placesOf(wanted));
            added = surplusOf(wanted, m_rows);
        }
        insert(wanted, *added);
    }
    m_rows = std::move(wanted);  // with their new counts
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    Q_EMIT refreshed();
}

// Leaves the rows that are wanted, in their order.
void GroupedLocksModel::reorder(const GroupRowPlaces& wanted) {
    std::vector<int> gone;
    std::vector<int> places;  // of those that stay
    for (int row = 0; row < rowCount(); ++row) {
        if (const int place = wanted.of(m_rows[static_cast<size_t>(row)]); place >= 0)
            places.push_back(place);
        else
            gone.push_back(row);
    }
    removeAll(gone);
    if (std::ranges::is_sorted(places))
        return;
    std::vector<int> order(places.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&places](int row) { return places[static_cast<size_t>(row)]; });
    arrange(order);
}

void GroupedLocksModel::permute(const std::vector<int>& order) {
    std::vector<GroupRow> rows;
    rows.reserve(order.size());
    for (const int row : order)
        rows.push_back(std::move(m_rows[static_cast<size_t>(row)]));
    m_rows = std::move(rows);
}

void GroupedLocksModel::erase(RowRange range) {
    m_rows.erase(m_rows.begin() + range.first, m_rows.begin() + range.last + 1);
}

void GroupedLocksModel::put(RowRange added, int before) {
    m_rows.insert(m_rows.begin() + before, m_added.begin() + added.first, m_added.begin() + added.last + 1);
}

// added: the rows of `wanted` that are not there yet. All others are there, in their order.
void GroupedLocksModel::insert(const std::vector<GroupRow>& wanted, const std::vector<int>& added) {
    m_added.reserve(added.size());
    for (const int row : added)
        m_added.push_back(wanted[static_cast<size_t>(row)]);
    insertAll(added);
    m_added.clear();
    m_added.shrink_to_fit();
}

const monitor::LockRow* GroupedLocksModel::lockAt(int row) const {
    const GroupRow& one = m_rows[static_cast<size_t>(row)];
    const std::optional<int> place = one.heading ? std::nullopt : m_locks.rowOf(one.lock);
    return place ? &m_locks.rowAt(*place) : nullptr;
}

const LockGroup* GroupedLocksModel::headingAt(int row) const {
    return m_rows[static_cast<size_t>(row)].heading.get();
}

QModelIndex GroupedLocksModel::indexOf(const LockName& name) const {
    const QModelIndex shown = m_locks.indexOf(name);
    if (!shown.isValid())
        return {};
    return firstOf(
        [lock = m_locks.arrivalAt(shown.row())](const GroupRow& row) { return !row.heading && row.lock == lock; });
}

QModelIndex GroupedLocksModel::indexOf(const GroupKey& key) const {
    return firstOf([&key](const GroupRow& row) { return row.heading && row.heading->key == key; });
}

template <typename Matches>
QModelIndex GroupedLocksModel::firstOf(Matches matches) const {
    const auto row = std::ranges::find_if(m_rows, matches);
    return row == m_rows.end() ? QModelIndex() : index(static_cast<int>(row - m_rows.begin()), LockTableModel::Name);
}

QModelIndex GroupedLocksModel::headingOf(const QModelIndex& row) const {
    if (!row.isValid())
        return {};
    int heading = row.row();
    while (!m_rows[static_cast<size_t>(heading)].heading)
        --heading;  // the first row is a heading
    return index(heading, LockTableModel::Name);
}

// ---- collapsing ----

bool GroupedLocksModel::isExpanded(const GroupKey& key) const {
    return m_expanded.value(key, m_areExpanded || m_isLittleLeft);
}

void GroupedLocksModel::setExpanded(const GroupKey& key, bool expanded) {
    if (expanded == isExpanded(key))
        return;
    m_expanded.insert(key, expanded);
    refresh();
}

void GroupedLocksModel::setAllExpanded(bool expanded) {
    m_areExpanded = expanded;
    m_expanded.clear();
    for (const GroupRow& row : m_rows) {
        if (m_isLittleLeft && row.heading)
            m_expanded.insert(row.heading->key, expanded);
    }
    refresh();
}

void GroupedLocksModel::expandTo(const LockName& name) {
    const monitor::LockRow* row = m_locks.find(name);
    if (!row)
        return;
    const GroupKey key = groupKeyOf(*row, m_by);
    if (!isExpanded(key))
        setExpanded(key, true);
    else if (!indexOf(name).isValid())
        refresh();
}

void GroupedLocksModel::keepShown(const std::optional<LockName>& name) {
    if (name == m_kept)
        return;
    m_kept = name;
    if (m_by != GroupBy::None && !(m_areExpanded && m_expanded.isEmpty()))
        schedule();
}

// ---- what is shown ----

int GroupedLocksModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int GroupedLocksModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(LockTableModel::ColumnCount);
}

void GroupedLocksModel::sort(int column, Qt::SortOrder order) {
    m_shown.sort(column, order);
    refresh();
}

QVariant GroupedLocksModel::headerData(int section, Qt::Orientation orientation, int role) const {
    return m_locks.headerData(section, orientation, role);
}

QVariant GroupedLocksModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const GroupRow& row = m_rows[static_cast<size_t>(index.row())];
    if (row.heading)
        return headingData(*row.heading, index.column(), role);
    const std::optional<int> place = m_locks.rowOf(row.lock);
    return place ? m_locks.index(*place, index.column()).data(role) : QVariant();
}

QVariant GroupedLocksModel::headingData(const LockGroup& group, int column, int role) const {
    switch (role) {
        case Qt::DisplayRole:
            return headingText(group, column);
        case Qt::ToolTipRole:
        case Qt::WhatsThisRole:
            return helpTip(headingSummary(group));
        case Qt::AccessibleTextRole:
            return column == LockTableModel::Name ? headingSummary(group) : headingText(group, column);
        case Qt::DecorationRole:
            return headingIcon(group, column);
        case Qt::FontRole: {
            QFont font = QGuiApplication::font();
            font.setBold(true);
            return font;
        }
        case Qt::BackgroundRole:
            return mixed(QGuiApplication::palette().color(QPalette::Base),
                         QGuiApplication::palette().color(QPalette::Text), 0.12);
        case Qt::TextAlignmentRole:
            return m_locks.headerData(column, Qt::Horizontal, role);
        default:
            return {};
    }
}

QString GroupedLocksModel::headingText(const LockGroup& group, int column) const {
    switch (column) {
        case LockTableModel::State:
            return numberText(group.locks);  // without a word, for which a narrow column has no room
        case LockTableModel::Name:
            return groupTitle(group, m_locks.aliases());
        case LockTableModel::DiagnosisColumn:
            return group.faulty > 0 ? tr("%Ln lock(s)", nullptr, group.faulty) : QString();
        case LockTableModel::HolderColumn:
            return groupCounts(group);
        case LockTableModel::Waiters:
            return group.waiters > 0 ? numberText(group.waiters) : QString();
        default:
            return {};
    }
}

QVariant GroupedLocksModel::headingIcon(const LockGroup& group, int column) const {
    if (column == LockTableModel::State)
        return icon(isExpanded(group.key) ? QStringLiteral("expanded") : QStringLiteral("collapsed"));
    if (column == LockTableModel::DiagnosisColumn && group.faulty > 0)
        return icon(QStringLiteral("warning"), Tone::Warning);
    if (column == LockTableModel::Name && group.key.kind == GroupKey::Kind::Client)
        return m_locks.swatchOf(ClientId(group.key.text));
    return {};
}

QString GroupedLocksModel::headingSummary(const LockGroup& group) const {
    const QString faults = group.faulty > 0 ? tr("%Ln with a diagnosis", nullptr, group.faulty) : QString();
    const QString counts = listText({tr("%Ln lock(s)", nullptr, group.locks), groupCounts(group), faults});
    const QString form = isExpanded(group.key) ? tr("Group %1 with %2. Expanded; the left arrow key collapses it.")
                                               : tr("Group %1 with %2. Collapsed; the right arrow key expands it.");
    return form.arg(groupTitle(group, m_locks.aliases()), counts);
}

}  // namespace lockkeeper::ui

#include "moc_groupedlocksmodel.cpp"
