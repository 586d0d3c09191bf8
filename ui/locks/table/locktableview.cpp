// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/table/locktableview.h"

#include "ui/base/fontchange.h"
#include "ui/base/retranslating.h"
#include "ui/base/rowview.h"
#include "ui/base/shorteningdelegate.h"
#include "ui/locks/table/heartbeatdelegate.h"
#include "ui/locks/table/orderhold.h"
#include "ui/locks/table/ttldelegate.h"

#include <QHeaderView>
#include <QMouseEvent>
#include <QScopedValueRollback>

#include <utility>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds repaintInterval = 250ms;
constexpr int rowPadding = 7;

}  // namespace

LockTableView::LockTableView(LockTableModel& locks, LockFilterModel& shown, LockSelection& selection,
                             const ViewTime& time, Clock& clock, QWidget* parent)
    : QTableView(parent),
      m_locks(locks),
      m_shown(shown),
      m_selection(selection),
      m_time(time),
      m_ticker(clock, repaintInterval),
      m_groups(locks, shown, clock) {
    setModel(&m_shown);
    setItemDelegateForColumn(LockTableModel::Ttl, new TtlDelegate(this));
    setItemDelegateForColumn(LockTableModel::Renewals, new HeartbeatDelegate(this));
    for (const auto column : {LockTableModel::HeldFor, LockTableModel::State})
        setItemDelegateForColumn(column, new ShorteningDelegate(Qt::ElideRight, LockTableModel::ShortRole, this));
    setItemDelegateForColumn(LockTableModel::HolderColumn,
                             new ShorteningDelegate(Qt::ElideMiddle, LockTableModel::ShortRole, this));
    setItemDelegateForColumn(LockTableModel::WaitingSinceColumn,
                             new ShorteningDelegate(Qt::ElideMiddle, LockTableModel::ShortRole, this));
    cutAtEnd(*this, {LockTableModel::DiagnosisColumn, LockTableModel::Kind});
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setTabKeyNavigation(false);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTextElideMode(Qt::ElideMiddle);
    setVerticalScrollMode(ScrollPerPixel);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_columns = new TableColumns(*this);
    keepFitted(*this, [this] {
        verticalHeader()->setDefaultSectionSize(fontMetrics().height() + rowPadding);
        m_columns->retranslate();
    });
    keepRowsInSight(*this, 2);
    setSortingEnabled(true);
    m_orderHold = new OrderHold(*this, m_shown, clock);
    connect(&m_selection, &LockSelection::changed, this, &LockTableView::showSelection);
    connect(&m_groups, &GroupedLocksModel::refreshed, this, [this] {
        m_areRowsLeaving = false;
        showSelection();
    });
    followModel();
    connect(&m_ticker, &Ticker::ticked, this, &LockTableView::repaintTimes);
    keepTranslated(*this, [this] {
        m_locks.retranslate();
        m_columns->retranslate();
        m_orderHold->retranslate();
    });
}

void LockTableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    m_columns->fit();
}

// ---- the selection ----

// Called after the view itself has followed the model. With headings, the model announces when all its rows are in
// place.
void LockTableView::followModel() {
    for (const QMetaObject::Connection& one : std::exchange(m_following, {}))
        disconnect(one);
    if (isGrouped())
        return;
    m_following << connect(&m_shown, &QAbstractItemModel::rowsInserted, this, &LockTableView::showSelection)
                << connect(&m_shown, &QAbstractItemModel::modelReset, this, &LockTableView::showSelection)
                << connect(&m_shown, &QAbstractItemModel::rowsRemoved, this, [this] {
                       m_areRowsLeaving = false;
                       showSelection();
                   });
}

QModelIndex LockTableView::indexOf(const LockName& name) const {
    return isGrouped() ? m_groups.indexOf(name) : m_shown.mapFromSource(m_locks.indexOf(name));
}

const monitor::LockRow* LockTableView::lockAt(const QModelIndex& index) const {
    if (!isGrouped())
        return &m_locks.rowAt(m_shown.mapToSource(index).row());
    return m_groups.lockAt(index.row());
}

QModelIndex LockTableView::selectedIndex() const {
    if (m_selection.name())
        return indexOf(*m_selection.name());
    return m_heading ? m_groups.indexOf(*m_heading) : QModelIndex();
}

std::optional<LockName> LockTableView::currentLock() const {
    return m_selection.name();
}

void LockTableView::setCurrentLock(const LockName& name) {
    if (isGrouped())
        m_groups.expandTo(name);
    const QModelIndex index = indexOf(name);
    if (!index.isValid())
        return;
    m_selection.select(name);
    scrollTo(index);
}

// Rows that have just come count for the scroll bar only after the next layout, which is therefore done here at once.
void LockTableView::showCurrentLock() {
    const QModelIndex index = selectedIndex();
    if (!index.isValid())
        return;
    executeDelayedItemsLayout();
    updateGeometries();
    scrollTo(index);
}

void LockTableView::offerActions(const QList<QAction*>& offered) {
    for (QAction* action : offered) {
        if (!actions().contains(action))
            addAction(action);
    }
}

void LockTableView::selectFirst() {
    if (m_shown.rowCount() > 0)
        setCurrentLock(m_locks.rowAt(m_shown.mapToSource(m_shown.index(0, 0)).row()).lock.name);
}

void LockTableView::showSelection() {
    if (m_selection.name())
        m_heading.reset();
    m_groups.keepShown(m_selection.name());
    const QModelIndex index = selectedIndex();
    const QModelIndex current = currentIndex();
    if (current.row() == index.row() && selectionModel()->isSelected(current) == index.isValid())
        return;
    const QScopedValueRollback following(m_isFollowing, true);
    // A row that returns must not scroll the table under the reader's hand.
    setAutoScroll(false);
    if (index.isValid())
        selectionModel()->setCurrentIndex(index.siblingAtColumn(m_column),
                                          QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    else
        selectionModel()->clear();
    setAutoScroll(true);
}

void LockTableView::rowsAboutToBeRemoved(const QModelIndex& parent, int start, int end) {
    m_areRowsLeaving = true;
    if (currentIndex().row() >= start && currentIndex().row() <= end)
        selectionModel()->clear();
    QTableView::rowsAboutToBeRemoved(parent, start, end);
}

void LockTableView::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
    QTableView::selectionChanged(selected, deselected);
    if (m_isFollowing || m_areRowsLeaving)
        return;
    const QModelIndexList rows = selectionModel()->selectedRows();
    const monitor::LockRow* lock = rows.isEmpty() ? nullptr : lockAt(rows.first());
    const LockGroup* group = rows.isEmpty() || !isGrouped() ? nullptr : m_groups.headingAt(rows.first().row());
    m_heading = group ? std::optional(group->key) : std::nullopt;
    if (lock)
        m_selection.select(lock->lock.name);
    else
        m_selection.clear();
}

void LockTableView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    if (current.isValid())
        m_column = current.column();
}

// Qt makes the first cell the current one without a highlight.
void LockTableView::focusInEvent(QFocusEvent* event) {
    QTableView::focusInEvent(event);
    showSelection();
}

void LockTableView::mousePressEvent(QMouseEvent* event) {
    QTableView::mousePressEvent(event);
    const QModelIndex pressed = indexAt(event->position().toPoint());
    if (!pressed.isValid()) {
        m_heading.reset();
        m_selection.clear();
        showSelection();
    }
    // The arrow of a heading is in the State column.
    const LockGroup* group = pressed.isValid() && pressed.column() == LockTableModel::State ? currentGroup() : nullptr;
    if (group && event->button() == Qt::LeftButton)
        toggle(*group);
}

// ---- headings ----

void LockTableView::setGroupBy(GroupBy by) {
    if (by == m_groups.groupBy())
        return;
    const std::optional<LockName> selected = m_selection.name();
    {
        const QScopedValueRollback following(m_isFollowing, true);
        const QItemSelectionModel* before = selectionModel();
        m_groups.keepShown(selected);
        m_groups.setGroupBy(by);
        setModel(isGrouped() ? static_cast<QAbstractItemModel*>(&m_groups) : &m_shown);
        if (before != selectionModel())
            delete before;
    }
    m_heading.reset();
    followModel();
    showSelection();
    if (selected && selectedIndex().isValid())
        scrollTo(selectedIndex());
}

const LockGroup* LockTableView::currentGroup() const {
    return isGrouped() && currentIndex().isValid() ? m_groups.headingAt(currentIndex().row()) : nullptr;
}

void LockTableView::toggle(const LockGroup& group) {
    const GroupKey key = group.key;
    m_groups.setExpanded(key, !m_groups.isExpanded(key));
}

void LockTableView::mouseDoubleClickEvent(QMouseEvent* event) {
    const QModelIndex clicked = indexAt(event->position().toPoint());
    const LockGroup* group = clicked.isValid() ? currentGroup() : nullptr;
    if (group)
        toggle(*group);
    else
        QTableView::mouseDoubleClickEvent(event);
}

// The keys work in the first column, as in a tree: also from a lock to its heading.
bool LockTableView::handleGroupKey(int key) {
    const LockGroup* group = currentGroup();
    if (!group) {
        const bool isFirst = currentIndex().isValid() && horizontalHeader()->visualIndex(currentIndex().column()) == 0;
        if (!isGrouped() || !isFirst || key != Qt::Key_Left)
            return false;
        setCurrentIndex(m_groups.headingOf(currentIndex()).siblingAtColumn(currentIndex().column()));
        return true;
    }
    const bool isToggle = key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space;
    const bool isExpanded = m_groups.isExpanded(group->key);
    if (key != Qt::Key_Left && key != Qt::Key_Right && !isToggle)
        return false;
    if (isToggle || (key == Qt::Key_Right) != isExpanded)
        toggle(*group);
    return true;
}

// Rows are selected, not cells: Home and End are the ends of the list.
bool LockTableView::handleEndKey(int key) {
    if ((key != Qt::Key_Home && key != Qt::Key_End) || model()->rowCount() == 0)
        return false;
    const int row = key == Qt::Key_Home ? 0 : model()->rowCount() - 1;
    setCurrentIndex(model()->index(row, m_column));
    return true;
}

void LockTableView::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() == Qt::NoModifier && (handleGroupKey(event->key()) || handleEndKey(event->key())))
        return;
    QTableView::keyPressEvent(event);
}

// ---- running times ----

void LockTableView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    // Each change that starts or ends a running time also causes a paint, so it is enough to check here.
    m_ticker.set(areTimesRunning() ? Ticker::State::Running : Ticker::State::Idle);
}

void LockTableView::repaintTimes() {
    if (!isVisible() || window()->isMinimized()) {
        m_ticker.set(Ticker::State::Idle);
        return;
    }
    for (const int column : {LockTableModel::Ttl, LockTableModel::Renewals, LockTableModel::HeldFor})
        viewport()->update(columnViewportPosition(column), 0, columnWidth(column), viewport()->height());
}

bool LockTableView::areTimesRunning() const {
    if (!m_time.isLive())
        return false;
    const int first = rowAt(0);
    const int lastVisible = rowAt(viewport()->height() - 1);
    const int last = lastVisible < 0 ? model()->rowCount() - 1 : lastVisible;
    for (int row = std::max(first, 0); row <= last; ++row) {
        const monitor::LockRow* lock = lockAt(model()->index(row, 0));
        if (lock && lock->lock.isHeld() && m_time.of(lock->lock).isLive() && !lock->isUnread)
            return true;
    }
    return false;
}

}  // namespace lockkeeper::ui

#include "moc_locktableview.cpp"
