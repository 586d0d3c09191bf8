// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/lockspage.h"

#include "ui/base/flowlayout.h"
#include "ui/base/fontchange.h"
#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/base/storedvalues.h"
#include "ui/base/tonecolors.h"
#include "ui/locks/filter/filtermistaketext.h"
#include "ui/locks/table/groupmenu.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QStackedWidget>

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr int narrowestFilter = 5;  // heights of a line

constexpr Milliseconds timeInterval = 1s;

const auto showFreeKey = QStringLiteral("table/showFree");

}  // namespace

LocksPage::LocksPage(LockTableModel& locks, const ViewTime& time, Clock& clock, QWidget* parent)
    : QWidget(parent),
      m_locks(locks),
      m_selection(m_locks, m_shown),
      m_ticker(clock, timeInterval),
      m_attention(new AttentionStrip(m_locks, clock, this)),
      m_filter(new QLineEdit(this)),
      m_showFree(new QCheckBox(this)),
      m_faultyOnly(new QCheckBox(this)),
      m_count(plainLabel(this)),
      m_mistakes(new InlineMessage(this)),
      m_stack(new QStackedWidget(this)),
      m_table(nullptr),
      m_empty(new EmptyState(this)),
      m_groups(nullptr) {
    connect(&m_locks, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { m_areRowsLeaving = true; });
    m_shown.setSourceModel(&m_locks);
    m_table = new LockTableView(m_locks, m_shown, m_selection, time, clock, this);
    m_groups = new GroupMenu(*m_table, this);
    connect(m_groups, &GroupMenu::filterWanted, this, &LocksPage::showOnly);
    makeBar();
    makeStack();
    makeSortActions();
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_shown, signal, this, &LocksPage::refresh);
    connect(&m_shown, &QAbstractItemModel::modelReset, this, &LocksPage::refresh);
    connect(&m_locks, &QAbstractItemModel::rowsInserted, this, &LocksPage::refresh);
    connect(&m_locks, &QAbstractItemModel::rowsRemoved, this, [this] {
        m_areRowsLeaving = false;
        refresh();
    });
    connect(&m_ticker, &Ticker::ticked, &m_shown, &LockFilterModel::refilterByTime);
    connect(m_attention, &AttentionStrip::filterWanted, this, &LocksPage::showAttention);
    connect(m_attention, &AttentionStrip::clientWanted, this, &LocksPage::clientWanted);
    keepTranslated(*this, [this] { retranslate(); });
}

void LocksPage::retranslate() {
    m_filter->setAccessibleName(tr("Filter locks by name, holder or kind"));
    m_showFree->setText(tr("Sh&ow free locks"));
    m_showFree->setWhatsThis(
        helpTip(tr("Locks that were released stay in the table for a while, so that their history can be read.")));
    m_faultyOnly->setText(tr("Only with a &diagnosis"));
    m_faultyOnly->setToolTip(helpTip(tr("Locks that something may be wrong with; a fixed lease alone is no fault")));
    m_faultyOnly->setWhatsThis(m_faultyOnly->toolTip());
    showMistakes(Typing::Finished);
    m_table->setAccessibleName(tr("Locks"));
    m_table->setWhatsThis(helpTip(
        tr("Every lock that is known, a row each. Arrow keys move, Shift+F1 explains a cell, F1 opens the manual.")));
    for (int column = 0; column < m_sortActions.size(); ++column)
        m_sortActions[column]->setText(m_locks.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    refreshNodes();
    refresh();
}

void LocksPage::refreshNodes() {
    const bool hasNodes = !m_stats.nodes.isEmpty();
    m_filter->setPlaceholderText(tr("Filter: words, or held:>5m waiters:>0 holder: kind: (Ctrl+F)"));
    QString help =
        tr("Shows only the locks in which every word typed is found: in the name, a holder or its alias, "
           "the kind, the state or a diagnosis. Upper and lower case are the same.") +
        QLatin1Char('\n') +
        tr("name: holder: client: kind: state: diagnosis: search that part alone, client: holders and queues; held:>5m ttl:<10s waiters:>0 count:>1 "
           "renewals:0 compare. A name with such a beginning is found between quotation marks: \"held:orders\".");
    if (hasNodes)
        help += QLatin1Char('\n') + tr("The word node:7001 shows the locks of the nodes with 7001 in their address.");
    m_filter->setWhatsThis(helpTip(help));
    m_sortActions[LockTableModel::NodeColumn]->setVisible(hasNodes);
    m_table->columns().setNodesShown(hasNodes);
    const auto isLost = [](const monitor::NodeStatus& node) { return monitor::isLost(node.phase); };
    m_table->columns().setTimesOld(m_status.phase != ConnectionPhase::Connected ||
                                   std::ranges::any_of(m_stats.nodes, isLost));
}

void LocksPage::makeBar() {
    m_mistakes->setObjectName(QStringLiteral("filterMistakes"));
    m_filter->setObjectName(QStringLiteral("lockFilter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon(QStringLiteral("search"), Tone::Quiet), QLineEdit::LeadingPosition);
    m_filter->installEventFilter(this);
    keepFitted(*m_filter, [this] { m_filter->setMinimumWidth(m_filter->fontMetrics().height() * narrowestFilter); });
    m_showFree->setObjectName(QStringLiteral("showFreeLocks"));
    m_showFree->setChecked(true);
    m_faultyOnly->setObjectName(QStringLiteral("faultyLocksOnly"));
    m_count->setObjectName(QStringLiteral("lockCount"));
    m_bar = new QHBoxLayout;
    m_bar->setContentsMargins(6, 4, 6, 4);
    m_bar->setSpacing(10);
    m_bar->addWidget(m_filter, 1);
    // In a large font the choices need more than one line beside the details.
    auto* choices = new FlowLayout(m_bar->spacing());
    for (QWidget* choice :
         {static_cast<QWidget*>(m_showFree), static_cast<QWidget*>(m_faultyOnly), static_cast<QWidget*>(m_count)})
        choices->addWidget(choice);
    m_bar->addLayout(choices);
    makeLayout(m_bar);
    connect(m_filter, &QLineEdit::textChanged, this, &LocksPage::onFilterTyped);
    connect(m_filter, &QLineEdit::editingFinished, this, [this] { showMistakes(Typing::Finished); });
    connect(m_showFree, &QCheckBox::toggled, this, [this](bool shown) {
        m_shown.setFreeLocks(shown ? LockFilterModel::FreeLocks::Shown : LockFilterModel::FreeLocks::Hidden);
        refreshFiltered();
    });
    connect(m_faultyOnly, &QCheckBox::toggled, this, [this](bool only) {
        m_shown.setSoundness(only ? LockFilterModel::Soundness::FaultyOnly : LockFilterModel::Soundness::Any);
        refreshFiltered();
    });
}

void LocksPage::makeLayout(QLayout* bar) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_attention);
    layout->addLayout(bar);
    layout->addWidget(m_mistakes);
    layout->addWidget(m_stack, 1);
}

void LocksPage::onFilterTyped(const QString& text) {
    m_shown.setFilterText(text);
    showMistakes(Typing::Going);
    m_attention->follow(text);
    refreshTicker();
    refreshFiltered();
    if (!text.isEmpty())
        m_table->scrollToTop();
    Q_EMIT filterTyped(text);
}

void LocksPage::showMistakes(Typing typing) {
    QList<FilterMistake> mistakes = m_shown.filterMistakes();
    if (typing == Typing::Going)
        mistakes.removeIf([](const FilterMistake& one) { return one.kind == FilterMistake::Kind::NoValue; });
    if (m_shown.rowCount() > 0)
        mistakes.removeIf([](const FilterMistake& one) { return one.mayBeName; });
    m_mistakes->setMessage({Tone::Danger, filterMistakesText(mistakes)});
    QPalette palette;
    if (!mistakes.isEmpty())
        palette.setColor(QPalette::Text, toneColor(m_filter->palette(), Tone::Danger));
    m_filter->setPalette(palette);
}

// Times run on only while the connection is live.
void LocksPage::refreshTicker() {
    const bool isRunning = m_shown.dependsOnTime() && isVisible() && m_status.phase == ConnectionPhase::Connected;
    m_ticker.set(isRunning ? Ticker::State::Running : Ticker::State::Idle);
}

void LocksPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refreshTicker();
}

void LocksPage::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    refreshTicker();
}

void LocksPage::makeStack() {
    m_table->setObjectName(QStringLiteral("lockTable"));
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->installEventFilter(this);
    m_empty->setObjectName(QStringLiteral("emptyState"));
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    connect(m_empty, &EmptyState::connectWanted, this, &LocksPage::connectWanted);
    connect(m_empty, &EmptyState::filterClearWanted, this, &LocksPage::clearFilter);
}

void LocksPage::setStatus(const ConnectionStatus& status) {
    m_status = status;
    if (status.phase == ConnectionPhase::Connecting)
        m_stats = {};
    refreshTicker();
    refreshNodes();
    refresh();
}

void LocksPage::setStats(const monitor::MonitorStats& stats) {
    m_stats = stats;
    refreshNodes();
    refresh();
}

// Must not run while rows leave the table: they are no longer shown, but still there, as if a filter hid them.
void LocksPage::refresh() {
    if (m_areRowsLeaving)
        return;
    const int rows = m_locks.rowCount();
    const int shown = m_shown.rowCount();
    const Emptiness emptiness = emptinessOf(m_status, rows, shown);
    m_empty->explain(emptiness, m_status, m_stats, rows,
                     {!m_filter->text().trimmed().isEmpty(), !m_showFree->isChecked(), m_faultyOnly->isChecked()});
    const bool begins = emptiness == Emptiness::None && m_stack->currentWidget() != m_table;
    const QWidget* focus = window()->focusWidget();
    // The table takes the keyboard focus with its first lock, unless another widget has the focus.
    const bool takesKeys = begins && (!focus || m_empty == focus || m_empty->isAncestorOf(focus));
    m_stack->setCurrentWidget(emptiness == Emptiness::None ? static_cast<QWidget*>(m_table) : m_empty);
    if (takesKeys)
        m_table->setFocus();
    m_count->setText(shown == rows ? tr("%Ln lock(s)", nullptr, rows)
                                   : tr("%1 of %Ln lock(s)", nullptr, rows).arg(numberText(shown)));
    // What stands beside it does not move with each count.
    m_count->setMinimumWidth(std::max(m_count->minimumWidth(), m_count->sizeHint().width()));
}

void LocksPage::refreshFiltered() {
    m_table->groups().refresh();
    refresh();
    m_table->showCurrentLock();
    Q_EMIT filterChanged();
}

void LocksPage::makeSortActions() {
    for (int column = 0; column < LockTableModel::ColumnCount; ++column) {
        auto* action = new QAction(this);
        action->setObjectName(QStringLiteral("actionSort_%1").arg(column));
        connect(action, &QAction::triggered, this, [this, column] { sortBy(column); });
        m_sortActions << action;
    }
}

void LocksPage::sortBy(int column) {
    const bool again = m_shown.sortColumn() == column && m_shown.sortOrder() == Qt::AscendingOrder;
    m_table->sortByColumn(column, again ? Qt::DescendingOrder : Qt::AscendingOrder);
}

QAction* LocksPage::groupAction() const {
    return m_groups->menuAction();
}

void LocksPage::focusFilter() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void LocksPage::addFilterTool(QWidget& tool) {
    m_bar->insertWidget(1, &tool);
    setTabOrder(m_filter, &tool);
}

void LocksPage::clearFilter() {
    m_filter->clear();
    m_showFree->setChecked(true);
    m_faultyOnly->setChecked(false);
}

void LocksPage::showFaultyOnly() {
    clearFilter();
    m_faultyOnly->setChecked(true);
}

void LocksPage::showOnly(const QString& words) {
    clearFilter();
    m_filter->setText(words);
}

// Empty words restore what was shown before, unless the user has chosen something else since.
void LocksPage::showAttention(const QString& words) {
    const bool isOnlyThat = m_beforeAttention && m_filter->text() == m_beforeAttention->attention;
    Choice before = isOnlyThat ? m_beforeAttention->choice
                               : Choice{m_filter->text(), m_showFree->isChecked(), m_faultyOnly->isChecked()};
    m_beforeAttention.reset();
    if (!words.isEmpty()) {
        showOnly(words);
        m_beforeAttention = BeforeAttention{std::move(before), words};
    } else if (isOnlyThat) {
        m_showFree->setChecked(before.isFreeShown);
        m_faultyOnly->setChecked(before.isFaultyOnly);
        m_filter->setText(before.filter);
    } else {
        clearFilter();
    }
}

void LocksPage::showNode(const QString& address) {
    showOnly(QStringLiteral("node:%1").arg(address));
}

std::vector<monitor::LockRow> LocksPage::shownLocks() const {
    std::vector<monitor::LockRow> locks;
    locks.reserve(static_cast<size_t>(m_shown.rowCount()));
    for (int row = 0; row < m_shown.rowCount(); ++row)
        locks.push_back(m_locks.rowAt(m_shown.mapToSource(m_shown.index(row, 0)).row()));
    return locks;
}

void LocksPage::reveal(const LockName& name) {
    const QModelIndex source = m_locks.indexOf(name);
    if (!source.isValid())
        return;
    if (!m_shown.mapFromSource(source).isValid())
        clearFilter();
    m_table->setCurrentLock(name);
    m_table->setFocus();
}

void LocksPage::revealSelected() {
    if (const std::optional<LockName> name = m_selection.name())
        reveal(*name);
}

void LocksPage::copyCurrentName() const {
    if (const monitor::LockRow* row = m_selection.actionRow())
        QGuiApplication::clipboard()->setText(fullName(row->lock.name));
}

void LocksPage::select(const LockName& name) {
    if (m_locks.find(name))
        m_selection.select(name);
    else
        m_selection.clear();
}

void LocksPage::selectFirst() {
    m_table->selectFirst();
}

void LocksPage::save(QSettings& settings) const {
    m_table->columns().save(settings);
    settings.setValue(showFreeKey, m_showFree->isChecked());
    m_groups->save(settings);
}

void LocksPage::restore(QSettings& settings) {
    m_table->columns().restore(settings);
    m_showFree->setChecked(storedSwitch(settings, showFreeKey).value_or(true));
    m_groups->restore(settings);
}

// What is typed in the table goes to the filter: an operator who is called knows a part of the name.
bool LocksPage::filterByTyping(const QKeyEvent& key) {
    const bool isChord = key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    if (isChord || key.text().isEmpty() || !key.text().front().isPrint() || key.text().front().isSpace())
        return false;
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
    m_filter->insert(key.text());
    return true;
}

bool LocksPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_table && event->type() == QEvent::KeyPress && filterByTyping(*static_cast<QKeyEvent*>(event)))
        return true;
    if (watched == m_filter && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape)
            m_filter->clear();
        const bool isEnter = key == Qt::Key_Return || key == Qt::Key_Enter;
        if (isEnter)
            showMistakes(Typing::Finished);
        if (isEnter || (key == Qt::Key_Down && !m_table->currentIndex().isValid()))
            m_table->selectFirst();
        if (isEnter || key == Qt::Key_Escape || key == Qt::Key_Down) {
            m_table->setFocus();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace lockkeeper::ui

#include "moc_lockspage.cpp"
