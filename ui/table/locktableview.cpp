#include "ui/table/locktableview.h"

#include "ui/table/ttlbar.h"
#include "ui/table/ttldelegate.h"

#include <QHeaderView>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds repaintInterval = 250ms;
constexpr int rowPadding = 10;
// Characters of a name that stay in sight; beyond that the table scrolls sideways.
constexpr int narrowestName = 24;

}  // namespace

LockTableView::LockTableView(LockTableModel& locks, LockFilterModel& shown, const ViewTime& time, Clock& clock,
                             QWidget* parent)
    : QTableView(parent), m_locks(locks), m_shown(shown), m_time(time), m_ticker(clock, repaintInterval) {
    setModel(&m_shown);
    setItemDelegateForColumn(LockTableModel::Ttl, new TtlDelegate(this));
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
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + rowPadding);
    setUpColumns();
    setSortingEnabled(true);
    connect(&m_ticker, &Ticker::ticked, this, &LockTableView::repaintTimes);
}

void LockTableView::setUpColumns() {
    QHeaderView& header = *horizontalHeader();
    header.setHighlightSections(false);
    header.setSortIndicator(LockTableModel::Name, Qt::AscendingOrder);
    header.setStretchLastSection(false);
    header.setSectionsMovable(true);
    header.setMinimumSectionSize(40);
    const auto widthOf = [this](const QString& text) { return fontMetrics().horizontalAdvance(text) + 24; };
    setColumnWidth(LockTableModel::State, widthOf(QStringLiteral("No expiry (old)")) + 12);
    setColumnWidth(LockTableModel::DiagnosisColumn, widthOf(QStringLiteral("Watchdog stopped, +1")) + 12);
    setColumnWidth(LockTableModel::Kind, widthOf(QStringLiteral("Read/write")));
    setColumnWidth(LockTableModel::HolderColumn, widthOf(QStringLiteral("8f14e45f-c…2b1c:1024")));
    setColumnWidth(LockTableModel::Count, widthOf(QStringLiteral("Count ▾")));
    setColumnWidth(LockTableModel::Ttl, widthOf(QStringLiteral("was 59 min 59 s")) + 40);
    setColumnWidth(LockTableModel::HeldSince, widthOf(QStringLiteral("before 23:59:59")));
    setColumnWidth(LockTableModel::Renewals, widthOf(QStringLiteral("123 (9.9 s ago)")));
    setColumnWidth(LockTableModel::Waiters, widthOf(QStringLiteral("Waiters ▾")));
    setColumnWidth(LockTableModel::Rate, widthOf(QStringLiteral("≥ 9,999/s")));
    // Most servers have no busy lock, and all have names to show.
    setColumnHidden(LockTableModel::Rate, true);
    connect(&m_locks, &LockTableModel::busyLockSeen, this, [this] {
        setColumnHidden(LockTableModel::Rate, false);
        fitNameColumn();
    });
    connect(&header, &QHeaderView::sectionResized, this, [this](int column) {
        if (column != LockTableModel::Name)
            fitNameColumn();
    });
}

void LockTableView::fitNameColumn() {
    const int others = horizontalHeader()->length() - columnWidth(LockTableModel::Name);
    const int narrowest = fontMetrics().averageCharWidth() * narrowestName;
    setColumnWidth(LockTableModel::Name, std::max(viewport()->width() - others, narrowest));
}

void LockTableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fitNameColumn();
}

std::optional<LockName> LockTableView::currentLock() const {
    const QModelIndex source = m_shown.mapToSource(currentIndex());
    if (!source.isValid())
        return std::nullopt;
    return m_locks.rowAt(source.row()).lock.name;
}

void LockTableView::setCurrentLock(const LockName& name) {
    const QModelIndex index = m_shown.mapFromSource(m_locks.indexOf(name));
    if (index.isValid())
        setCurrentIndex(index);
}

void LockTableView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    // Whatever makes a running time appear or go also paints, so this is the one place that has to ask.
    m_ticker.set(isCountingDown() ? Ticker::State::Running : Ticker::State::Idle);
}

void LockTableView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    Q_EMIT currentLockChanged();
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
