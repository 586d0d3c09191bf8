// SPDX-License-Identifier: Apache-2.0
#include "ui/table/locktableview.h"

#include "ui/look/fontchange.h"
#include "ui/look/retranslating.h"
#include "ui/look/rowview.h"
#include "ui/table/ttlbar.h"
#include "ui/table/ttldelegate.h"

#include <QHeaderView>
#include <QMouseEvent>
#include <QScopedValueRollback>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds repaintInterval = 250ms;
constexpr int rowPadding = 10;

}  // namespace

LockTableView::LockTableView(LockTableModel& locks, LockFilterModel& shown, LockSelection& selection,
                             const ViewTime& time, Clock& clock, QWidget* parent)
    : QTableView(parent),
      m_locks(locks),
      m_shown(shown),
      m_selection(selection),
      m_time(time),
      m_ticker(clock, repaintInterval) {
    setModel(&m_shown);
    setItemDelegateForColumn(LockTableModel::Ttl, new TtlDelegate(this));
    cutAtEnd(*this, {LockTableModel::State, LockTableModel::DiagnosisColumn, LockTableModel::Kind});
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
    setSortingEnabled(true);
    followSelection();
    connect(&m_ticker, &Ticker::ticked, this, &LockTableView::repaintTimes);
    keepTranslated(*this, [this] {
        m_locks.retranslate();
        m_columns->retranslate();
    });
}

void LockTableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    m_columns->fit();
}

// ---- the selection ----

void LockTableView::followSelection() {
    connect(&m_selection, &LockSelection::changed, this, &LockTableView::showSelection);
    connect(&m_shown, &QAbstractItemModel::rowsInserted, this, &LockTableView::showSelection);
    connect(&m_shown, &QAbstractItemModel::modelReset, this, &LockTableView::showSelection);
    connect(&m_shown, &QAbstractItemModel::rowsRemoved, this, [this] {
        m_areRowsLeaving = false;
        showSelection();
    });
}

std::optional<LockName> LockTableView::currentLock() const {
    return m_selection.name();
}

void LockTableView::setCurrentLock(const LockName& name) {
    const QModelIndex index = m_shown.mapFromSource(m_locks.indexOf(name));
    if (!index.isValid())
        return;
    m_selection.select(name);
    scrollTo(index);
}

void LockTableView::selectFirst() {
    if (m_shown.rowCount() > 0)
        setCurrentLock(m_locks.rowAt(m_shown.mapToSource(m_shown.index(0, 0)).row()).lock.name);
}

void LockTableView::showSelection() {
    const std::optional<LockName>& name = m_selection.name();
    const QModelIndex index = name ? m_shown.mapFromSource(m_locks.indexOf(*name)) : QModelIndex();
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
    if (rows.isEmpty())
        m_selection.clear();
    else
        m_selection.select(m_locks.rowAt(m_shown.mapToSource(rows.first()).row()).lock.name);
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
    if (!indexAt(event->position().toPoint()).isValid())
        m_selection.clear();
}

// ---- running times ----

void LockTableView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    // Each change that starts or ends a running time also causes a paint, so it is enough to check here.
    m_ticker.set(isCountingDown() ? Ticker::State::Running : Ticker::State::Idle);
}

void LockTableView::repaintTimes() {
    if (!isVisible() || window()->isMinimized()) {
        m_ticker.set(Ticker::State::Idle);
        return;
    }
    for (const int column : {LockTableModel::Ttl, LockTableModel::Renewals})
        viewport()->update(columnViewportPosition(column), 0, columnWidth(column), viewport()->height());
}

bool LockTableView::isCountingDown() const {
    if (!m_time.isLive())
        return false;
    const int first = rowAt(0);
    const int lastVisible = rowAt(viewport()->height() - 1);
    const int last = lastVisible < 0 ? m_shown.rowCount() - 1 : lastVisible;
    for (int row = std::max(first, 0); row <= last; ++row) {
        const QModelIndex source = m_shown.mapToSource(m_shown.index(row, 0));
        if (ttlBar(m_locks.rowAt(source.row()), m_time).kind == TtlBar::Kind::Running)
            return true;
    }
    return false;
}

}  // namespace lockkeeper::ui

#include "moc_locktableview.cpp"
