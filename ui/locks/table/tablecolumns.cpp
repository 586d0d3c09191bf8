// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/table/tablecolumns.h"

#include "ui/base/shorteningdelegate.h"
#include "ui/locks/model/lockcolumns.h"
#include "ui/locks/model/ttlbar.h"
#include "ui/locks/table/heartbeatdelegate.h"
#include "ui/locks/table/ttldelegate.h"

#include <QAction>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QStyle>
#include <QTableView>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int cellPadding = 24;
constexpr double nameShare = 0.25;
constexpr double nameShareBesideOldTimes = 0.24;

// The columns that an incident needs.
constexpr std::array shownFromTheStart{
    LockTableModel::State,        LockTableModel::Name,    LockTableModel::DiagnosisColumn,
    LockTableModel::HolderColumn, LockTableModel::Count,   LockTableModel::Ttl,
    LockTableModel::Renewals,     LockTableModel::HeldFor, LockTableModel::Waiters};

// The smallest part of the text width that a column without short texts may have.
double leastShare(int column) {
    return column == LockTableModel::DiagnosisColumn ? 0.46 : 0.42;
}

// Which part of the way from one width to the other there is room for, 0 to 1.
double shareOf(int room, int from, int to) {
    return from >= to ? 1.0 : std::clamp(double(room - from) / (to - from), 0.0, 1.0);
}

bool isAlwaysShown(int column) {
    return column == LockTableModel::State || column == LockTableModel::Name;
}

// Room beside the text: for an icon, or for the bar of a TTL.
int extraRoom(LockTableModel::Column column) {
    constexpr int iconRoom = 12;
    constexpr int barRoom = 40;
    constexpr int sawRoom = 60;
    if (column == LockTableModel::State || column == LockTableModel::DiagnosisColumn ||
        column == LockTableModel::HolderColumn)
        return iconRoom;
    if (column == LockTableModel::Renewals)
        return sawRoom;
    return column == LockTableModel::Ttl ? barRoom : 0;
}

}  // namespace

TableColumns::TableColumns(QTableView& table) : QObject(&table), m_table(table) {
    QHeaderView& header = *m_table.horizontalHeader();
    header.setHighlightSections(false);
    header.setSortIndicator(LockTableModel::State, Qt::AscendingOrder);  // the most urgent first
    header.setStretchLastSection(false);
    header.setSectionsMovable(true);
    header.setMinimumSectionSize(40);
    makeActions();
    header.setContextMenuPolicy(Qt::ActionsContextMenu);
    header.addActions(m_actions);
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        m_wanted[static_cast<size_t>(column)] = neededWidth(static_cast<Column>(column));
        m_actions[column]->setChecked(std::ranges::find(shownFromTheStart, column) != shownFromTheStart.end());
        m_table.setColumnHidden(column, !m_actions[column]->isChecked());
    }
    placeNodeColumn();
    m_first = arrangement();
    connect(&header, &QHeaderView::sortIndicatorChanged, this, &TableColumns::fit);
    connect(&header, &QHeaderView::sectionResized, this,
            [this](int column, int, int width) { onResized(column, width); });
}

void TableColumns::makeActions() {
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        auto* action = new QAction(columnTitle(static_cast<Column>(column)), this);
        action->setObjectName(QStringLiteral("actionColumn_%1").arg(column));
        action->setCheckable(true);
        action->setEnabled(!isAlwaysShown(column));
        action->setVisible(column != LockTableModel::NodeColumn);
        connect(action, &QAction::toggled, this, [this, column](bool shown) { setShown(column, shown); });
        connect(action, &QAction::triggered, this, [this, column](bool shown) { noteChoice(column, shown); });
        m_actions << action;
    }
}

void TableColumns::noteChoice(int column, bool shown) {
    if (column == LockTableModel::NodeColumn)
        m_areNodesWanted = shown;
    fit();
}

void TableColumns::setShown(int column, bool shown) {
    {
        // The column appears with its former width, which is no choice of the user now.
        const QScopedValueRollback fitting(m_isFitting, true);
        m_table.setColumnHidden(column, !shown);
    }
    setWidths();
}

void TableColumns::setNodesShown(bool shown) {
    QAction& action = *m_actions[LockTableModel::NodeColumn];
    if (shown == action.isVisible())
        return;
    action.setVisible(shown);
    action.setChecked(shown && m_areNodesWanted);
}

void TableColumns::setTimesOld(bool old) {
    if (old == m_areTimesOld)
        return;
    m_areTimesOld = old;
    fit();
}

void TableColumns::placeNodeColumn() {
    QHeaderView& header = *m_table.horizontalHeader();
    const int place = header.visualIndex(LockTableModel::NodeColumn);
    if (place == header.count() - 1)
        header.moveSection(place, header.visualIndex(LockTableModel::Name) + 1);
}

void TableColumns::onResized(int column, int width) {
    // A width of zero means that the column is hidden.
    if (m_isFitting || width == 0 || column == LockTableModel::Name)
        return;
    m_wanted[static_cast<size_t>(column)] = width;
    fit();
}

TableColumns::Widths TableColumns::widths() const {
    Widths all;
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        if (column == LockTableModel::Name || m_table.isColumnHidden(column))
            continue;
        all.least += leastWidth(column);
        all.usual += usualWidth(column);
        all.wanted += m_wanted[static_cast<size_t>(column)];
    }
    return all;
}

int TableColumns::roomBesideName(const Widths& widths) const {
    const int room = m_table.viewport()->width();
    return std::min(widths.wanted,
                    room - static_cast<int>(room * (m_areTimesOld ? nameShareBesideOldTimes : nameShare)));
}

void TableColumns::fit() {
    // While columns are arranged, the header announces its order.
    if (m_isFitting)
        return;
    setWidths();
}

void TableColumns::setWidths() {
    const Widths all = widths();
    const int room = roomBesideName(all);
    const Ease ease{shareOf(room, all.least, all.usual), shareOf(room, all.usual, all.wanted)};
    const QScopedValueRollback fitting(m_isFitting, true);
    for (int column = 0; column < LockTableModel::ColumnCount; ++column)
        setWidth(column,
                 column == LockTableModel::Name ? m_table.viewport()->width() - room : easedWidth(column, ease));
}

// A usual diagnosis gets its room first, because it is what the operator searches.
int TableColumns::usualWidth(int column) const {
    if (column != LockTableModel::DiagnosisColumn)
        return leastWidth(column);
    const int usual = closeWidth(m_table, usualDiagnosis(), true);
    return std::max(leastWidth(column), std::min(usual, m_wanted[static_cast<size_t>(column)]));
}

int TableColumns::leastWidth(int column) const {
    const int wanted = m_wanted[static_cast<size_t>(column)];
    QStringList texts = shortTexts(static_cast<Column>(column));
    if (column == LockTableModel::Ttl && m_areTimesOld)
        texts << longestShortOldTtlText();
    int least = std::max(titleWidth(column), texts.isEmpty() ? static_cast<int>(wanted * leastShare(column)) : 0);
    for (const QString& text : texts)
        least = std::max(least, closeWidthOf(column, text));
    return std::min(wanted, least);
}

int TableColumns::closeWidthOf(int column, const QString& text) const {
    if (column == LockTableModel::Ttl)
        return TtlDelegate::closeWidth(m_table.fontMetrics(), text);
    if (column == LockTableModel::Renewals)
        return HeartbeatDelegate::closeWidth(m_table.fontMetrics(), text);
    return closeWidth(m_table, text, column != LockTableModel::HeldFor);
}

// The hint of each column has room for the arrow that one of them has.
int TableColumns::titleWidth(int column) const {
    const QHeaderView& header = *m_table.horizontalHeader();
    if (header.isSortIndicatorShown() && header.sortIndicatorSection() == column)
        return header.sectionSizeHint(column);
    const int margins = 2 * (header.style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, &header) + 1);
    return header.fontMetrics().horizontalAdvance(columnTitle(static_cast<Column>(column))) + margins;
}

int TableColumns::easedWidth(int column, const Ease& ease) const {
    const int least = leastWidth(column);
    const int usual = usualWidth(column);
    const int wanted = m_wanted[static_cast<size_t>(column)];
    return least + static_cast<int>((usual - least) * ease.toUsual) +
           static_cast<int>((wanted - usual) * ease.toWanted);
}

void TableColumns::setWidth(int column, int width) {
    if (!m_table.isColumnHidden(column) && m_table.columnWidth(column) != width)
        m_table.setColumnWidth(column, width);
}

int TableColumns::widthFor(Column column, const QString& text) const {
    return m_table.fontMetrics().horizontalAdvance(text) + extraRoom(column) + cellPadding;
}

int TableColumns::neededWidth(Column column) const {
    // The arrow behind the title shows the order.
    int width = m_table.fontMetrics().horizontalAdvance(columnTitle(column) + QStringLiteral(" ▾")) + cellPadding;
    for (const QString& text : longestTexts(column))
        width = std::max(width, widthFor(column, text));
    return width;
}

void TableColumns::retranslate() {
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        const auto translated = static_cast<Column>(column);
        int& wanted = m_wanted[static_cast<size_t>(column)];
        wanted = std::max(wanted, neededWidth(translated));
        m_actions[column]->setText(columnTitle(translated));
    }
    fit();
}

ColumnArrangement TableColumns::arrangement() const {
    const QHeaderView& header = *m_table.horizontalHeader();
    ColumnArrangement current;
    for (int place = 0; place < LockTableModel::ColumnCount; ++place) {
        const int column = header.logicalIndex(place);
        const bool isShown = column == LockTableModel::NodeColumn ? m_areNodesWanted : !m_table.isColumnHidden(column);
        current.places << ColumnArrangement::Place{static_cast<Column>(column), m_wanted[static_cast<size_t>(column)],
                                                   isShown};
    }
    current.sorted = static_cast<Column>(header.sortIndicatorSection());
    current.order = header.sortIndicatorOrder();
    return current;
}

void TableColumns::save(QSettings& settings) const {
    saveArrangement(settings, arrangement());
}

void TableColumns::reset() {
    arrange(m_first);
}

void TableColumns::restore(QSettings& settings) {
    if (const std::optional<ColumnArrangement> stored = storedArrangement(settings))
        arrange(stored->completedFrom(m_first));
}

void TableColumns::arrange(const ColumnArrangement& wanted) {
    QHeaderView& header = *m_table.horizontalHeader();
    {
        const QScopedValueRollback fitting(m_isFitting, true);
        for (int place = 0; place < wanted.places.size(); ++place) {
            const ColumnArrangement::Place& one = wanted.places.at(place);
            header.moveSection(header.visualIndex(one.column), place);
            m_wanted[one.column] = one.width;
            if (one.column == LockTableModel::NodeColumn)
                m_areNodesWanted = one.isShown;
            const bool isPossible = one.column != LockTableModel::NodeColumn || m_actions[one.column]->isVisible();
            m_actions[one.column]->setChecked(isAlwaysShown(one.column) || (one.isShown && isPossible));
        }
        header.setSortIndicator(wanted.sorted, wanted.order);
    }
    fit();
}

}  // namespace lockkeeper::ui

#include "moc_tablecolumns.cpp"
