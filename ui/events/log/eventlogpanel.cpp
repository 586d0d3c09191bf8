// SPDX-License-Identifier: Apache-2.0
#include "ui/events/log/eventlogpanel.h"

#include "ui/base/flowlayout.h"
#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/base/rowview.h"
#include "ui/events/log/eventcolumns.h"
#include "ui/events/log/eventdelegate.h"
#include "ui/events/log/eventmenu.h"
#include "ui/words/locktext.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>

namespace lockkeeper::ui {

namespace {

QToolButton* makeChip(const QString& objectName, QWidget* parent) {
    auto* chip = new QToolButton(parent);
    chip->setObjectName(objectName);
    chip->setCheckable(true);
    chip->setAutoRaise(true);
    chip->setToolButtonStyle(Qt::ToolButtonTextOnly);
    chip->setFocusPolicy(Qt::TabFocus);
    return chip;
}

QToolButton* buttonFor(QAction* action, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

}  // namespace

EventLogPanel::EventLogPanel(EventLogModel& log, QWidget* parent)
    : QWidget(parent),
      m_log(log),
      m_pause(new QAction(this)),
      m_clear(new QAction(icon(QStringLiteral("clear")), QString(), this)),
      m_filterEdit(new QLineEdit(this)),
      m_heldBack(plainLabel(this)),
      m_newer(makeChip(QStringLiteral("eventsNewer"), this)),
      m_thisLock(makeChip(QStringLiteral("eventsThisLock"), this)),
      m_thisHolder(makeChip(QStringLiteral("eventsThisHolder"), this)),
      m_note(new InlineMessage(this)),
      m_view(new QTableView(this)) {
    m_filter.setSourceModel(&m_log);
    makeView();
    makeChips();
    makeBar();
    makeFollowing();
    connect(&m_log, &EventLogModel::heldBackChanged, this, &EventLogPanel::showHeldBack);
    makeNote();
    keepTranslated(*this, [this] { retranslate(); });
}

void EventLogPanel::retranslate() {
    m_log.retranslate();
    m_filterEdit->setPlaceholderText(tr("Filter events"));
    m_filterEdit->setAccessibleName(tr("Filter events by name, holder or kind of event"));
    m_filterEdit->setWhatsThis(helpTip(tr("Shows only the events in which every word typed is found.")));
    m_pause->setText(tr("&Pause events"));
    m_pause->setToolTip(helpTip(tr("Hold new events back while you read; none is lost until the log is full")));
    m_clear->setText(tr("Clear e&vents"));
    m_clear->setIconText(tr("Clear"));
    m_clear->setToolTip(helpTip(tr("Forget the events that are shown")));
    m_view->setAccessibleName(tr("Events, newest first"));
    m_view->setWhatsThis(helpTip(tr(
        "What has happened to the locks since the program was connected, and before as far as it is kept on disk.")));
    for (int group = 0; group < eventGroups; ++group) {
        m_chips[group]->setText(eventGroupText(static_cast<EventGroup>(group)));
        m_chips[group]->setToolTip(helpTip(eventGroupHelp(static_cast<EventGroup>(group))));
    }
    m_newer->setToolTip(helpTip(tr("Show the newest event, and follow it")));
    nameSubjects();
    showNewer();
    m_columns->widen();
    showHeldBack();
    showNote();
}

// The note answers an earlier click, and is out of date once the reader does something else in the log.
void EventLogPanel::makeNote() {
    m_note->setObjectName(QStringLiteral("eventsNote"));
    const auto withdraw = [this] {
        m_missing.reset();
        showNote();
    };
    connect(&m_log, &EventLogModel::modelReset, this, withdraw);
    connect(m_pause, &QAction::toggled, this, withdraw);
    connect(m_filterEdit, &QLineEdit::textEdited, this, withdraw);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, withdraw);
}

void EventLogPanel::makeBar() {
    m_filterEdit->setObjectName(QStringLiteral("eventFilter"));
    m_filterEdit->setClearButtonEnabled(true);
    m_heldBack->setObjectName(QStringLiteral("eventsHeldBack"));
    m_pause->setObjectName(QStringLiteral("pauseEvents"));
    m_pause->setCheckable(true);
    m_clear->setObjectName(QStringLiteral("clearEvents"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 4, 6, 4);
    bar->addWidget(m_filterEdit, 1);
    bar->addWidget(m_newer);
    bar->addWidget(m_heldBack);
    bar->addWidget(buttonFor(m_pause, this));
    bar->addWidget(buttonFor(m_clear, this));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addLayout(chipBar());
    layout->addWidget(m_note);
    layout->addWidget(m_view, 1);
    connect(m_filterEdit, &QLineEdit::textChanged, this,
            [this](const QString& text) { refilter([&] { m_filter.setFilterText(text); }); });
    connect(m_pause, &QAction::toggled, this, [this](bool paused) {
        m_log.setFlow(paused ? EventLogModel::Flow::Paused : EventLogModel::Flow::Running);
    });
    connect(m_clear, &QAction::triggered, &m_log, &EventLogModel::clear);
}

void EventLogPanel::makeView() {
    m_view->setObjectName(QStringLiteral("eventTable"));
    m_view->setModel(&m_filter);
    showAsRows(*m_view);
    m_view->setSelectionMode(QTableView::SingleSelection);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_delegate = new EventDelegate(m_log, m_filter, *m_view);
    m_view->setItemDelegate(m_delegate);
    connect(m_view, &QTableView::activated, this, &EventLogPanel::choose);
    m_columns = new EventColumns(*m_view);
    makeMenu();
}

void EventLogPanel::makeMenu() {
    auto* menu = new EventMenu(m_log, m_filter, *m_view);
    m_view->addActions({m_pause, m_clear});
    connect(menu, &EventMenu::lockChosen, this, &EventLogPanel::lockChosen);
    connect(menu, &EventMenu::lockOnlyWanted, this, &EventLogPanel::showOnly);
    connect(menu, &EventMenu::holderOnlyWanted, this, [this](const HolderId& holder) {
        m_thisHolder->setChecked(false);
        m_subjectHolder = Holder{holder.client(), m_log.aliases().fullDisplay(holder.client())};
        m_thisHolder->setChecked(true);
    });
}

// The log scrolls there and back, as long as it follows the newest event.
void EventLogPanel::setCrosshair(const std::optional<WallTime>& at) {
    m_delegate->setCrosshair(at);
    if (!m_following)
        return;
    const QScopedValueRollback moving(m_moving, true);
    scrollToNewest();
}

void EventLogPanel::scrollToNewest() {
    const int row = m_delegate->crosshairRow();
    if (row < 0)
        m_view->scrollToTop();
    else
        m_view->scrollTo(m_filter.index(row, 0), QTableView::PositionAtCenter);
}

void EventLogPanel::makeChips() {
    for (int group = 0; group < eventGroups; ++group) {
        QToolButton* chip = makeChip(QStringLiteral("eventGroup_%1").arg(group), this);
        chip->setChecked(!groupsHiddenAtFirst().contains(static_cast<EventGroup>(group)));
        connect(chip, &QToolButton::toggled, this, [this, group](bool shown) {
            refilter([&] { m_filter.setGroupShown(static_cast<EventGroup>(group), shown); });
        });
        m_chips << chip;
    }
    connect(m_thisLock, &QToolButton::toggled, this, &EventLogPanel::onlyLock);
    connect(m_thisHolder, &QToolButton::toggled, this, &EventLogPanel::onlyHolder);
}

QHBoxLayout* EventLogPanel::chipBar() {
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(6, 0, 6, 2);
    bar->setSpacing(2);
    auto* chips = new FlowLayout(bar->spacing());
    for (QToolButton* chip : m_chips)
        chips->addWidget(chip);
    bar->addLayout(chips, 1);
    bar->addWidget(m_thisLock);
    bar->addWidget(m_thisHolder);
    return bar;
}

// ---- one lock, one holder ----

void EventLogPanel::setSubject(const monitor::LockRow* lock, const HolderAliases& aliases) {
    const bool isHeld = lock && !lock->lock.holders.isEmpty();
    const std::optional<LockName> name = lock ? std::optional(lock->lock.name) : std::nullopt;
    std::optional<Holder> holder;
    if (isHeld)
        holder =
            Holder{lock->lock.holders.front().id.client(), aliases.fullDisplay(lock->lock.holders.front().id.client())};
    if (name == m_selected && holder == m_selectedHolder)
        return;
    m_selected = name;
    m_selectedHolder = holder;
    takeSubjects();
}

// While "This lock" or "This holder" filters, it keeps the subject that it was chosen for.
void EventLogPanel::takeSubjects() {
    if (!m_thisLock->isChecked())
        m_subject = m_selected;
    if (!m_thisHolder->isChecked())
        m_subjectHolder = m_selectedHolder;
    nameSubjects();
}

void EventLogPanel::nameSubjects() {
    constexpr qsizetype longestSubject = 24;
    const auto name = [](QToolButton& button, const QString& text, const QString& subject) {
        button.setText(button.isChecked() ? tr("Only %1").arg(withoutMnemonic(shortened(subject, longestSubject)))
                                          : text);
        button.setToolTip(
            helpTip(subject.isEmpty() ? tr("Select a lock first") : tr("Show only the events of %1").arg(subject)));
        button.setEnabled(!subject.isEmpty());
    };
    name(*m_thisLock, tr("This lock"), m_subject ? plainName(*m_subject) : QString());
    name(*m_thisHolder, tr("This holder"), m_subjectHolder ? m_subjectHolder->name : QString());
}

void EventLogPanel::onlyLock(bool only) {
    refilter([&] { m_filter.setLock(only ? m_subject : std::nullopt); });
    takeSubjects();
}

void EventLogPanel::onlyHolder(bool only) {
    refilter(
        [&] { m_filter.setClient(only && m_subjectHolder ? std::optional(m_subjectHolder->client) : std::nullopt); });
    takeSubjects();
}

void EventLogPanel::showOnly(const LockName& name) {
    m_thisLock->setChecked(false);
    m_subject = name;
    m_thisLock->setChecked(true);
}

void EventLogPanel::clearFilters() {
    m_filterEdit->clear();
    m_thisLock->setChecked(false);
    m_thisHolder->setChecked(false);
}

// ---- following the newest ----

void EventLogPanel::makeFollowing() {
    m_newer->setCheckable(false);
    connect(m_newer, &QToolButton::clicked, this, &EventLogPanel::follow);
    connect(&m_filter, &QAbstractItemModel::rowsAboutToBeInserted, this, &EventLogPanel::rememberTop);
    connect(&m_filter, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex&, int first, int last) { keepTop(first, last); });
    connect(&m_filter, &QAbstractItemModel::modelReset, this, &EventLogPanel::follow);
    connect(m_view->verticalScrollBar(), &QScrollBar::valueChanged, this, &EventLogPanel::onScrolled);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &EventLogPanel::showChosen);
}

// Uses the selection, not the current row: the view makes the first row current when it gets the focus, without a
// choice.
void EventLogPanel::showChosen(const QItemSelection& selected) {
    const QModelIndexList chosen = m_view->selectionModel()->selectedRows();
    m_following = m_following && selected.isEmpty();
    Q_EMIT currentTimeChanged(
        chosen.isEmpty() ? std::nullopt : std::optional(m_log.eventAt(m_filter.mapToSource(chosen.first()).row()).at));
}

void EventLogPanel::follow() {
    m_following = true;
    m_newerCount = 0;
    m_view->scrollToTop();
    showNewer();
}

// The event at the top stays there, if it is still shown. Done once for all the ranges of rows that come and go.
void EventLogPanel::refilter(const std::function<void()>& change) {
    rememberTop();
    m_refiltering = true;
    change();
    m_refiltering = false;
    m_newerCount = 0;
    keepTop(0, -1);
}

void EventLogPanel::onScrolled(int row) {
    if (m_moving)
        return;
    m_following = row == 0;
    if (m_following)
        m_newerCount = 0;
    showNewer();
}

void EventLogPanel::rememberTop() {
    if (m_refiltering)
        return;
    m_moving = true;
    m_top = m_view->indexAt(QPoint(1, 1));
}

void EventLogPanel::keepTop(int first, int last) {
    if (m_refiltering)
        return;
    if (m_following) {
        scrollToNewest();
    } else if (m_top.isValid()) {
        m_newerCount += first < m_top.row() ? static_cast<quint64>(last - first + 1) : 0;
        m_view->scrollTo(m_top, QTableView::PositionAtTop);
    }
    m_moving = false;
    showNewer();
}

void EventLogPanel::showNewer() {
    m_newer->setText(tr("%Ln newer", nullptr, static_cast<int>(m_newerCount)));
    m_newer->setVisible(m_newerCount > 0);
}

void EventLogPanel::showHeldBack() {
    const bool paused = m_log.flow() == EventLogModel::Flow::Paused;
    m_pause->setIcon(icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
    m_pause->setIconText(paused ? tr("Resume") : tr("Pause"));
    m_heldBack->setText(paused ? tr("Paused: %Ln held back", nullptr, static_cast<int>(m_log.heldBack())) : QString());
    m_heldBack->setVisible(paused);
}

std::vector<LoggedEvent> EventLogPanel::shownEvents() const {
    std::vector<LoggedEvent> events;
    events.reserve(static_cast<size_t>(m_filter.rowCount()));
    for (int row = m_filter.rowCount() - 1; row >= 0; --row)
        events.push_back(m_log.eventAt(m_filter.mapToSource(m_filter.index(row, 0)).row()));
    return events;
}

void EventLogPanel::reveal(const LockName& name, WallTime at) {
    const std::optional<int> row = m_log.find(name, at);
    m_missing = row ? std::nullopt : std::optional(Missing{name, at});
    m_delegate->setLed(row ? m_log.index(*row, 0) : QModelIndex());
    showNote();
    if (!row)
        return;
    if (!m_filter.mapFromSource(m_log.index(*row, 0)).isValid()) {
        m_chips[static_cast<int>(groupOf(m_log.eventAt(*row).type))]->setChecked(true);
        if (!m_filter.mapFromSource(m_log.index(*row, 0)).isValid())
            clearFilters();
    }
    const QModelIndex shown = m_filter.mapFromSource(m_log.index(*row, 0));
    m_view->setCurrentIndex(shown);
    m_view->scrollTo(shown, QTableView::PositionAtCenter);
}

void EventLogPanel::showNote() {
    m_note->setMessage(m_missing ? Message{Tone::Info, m_log.whyNotFound(m_missing->name, m_missing->at)} : Message());
}

void EventLogPanel::choose(const QModelIndex& shown) {
    const QModelIndex source = m_filter.mapToSource(shown);
    if (source.isValid() && !m_log.eventAt(source.row()).lock.name.isEmpty())
        Q_EMIT lockChosen(m_log.eventAt(source.row()).lock.name);
}

}  // namespace lockkeeper::ui

#include "moc_eventlogpanel.cpp"
