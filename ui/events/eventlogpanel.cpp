// SPDX-License-Identifier: Apache-2.0
#include "ui/events/eventlogpanel.h"

#include "ui/help/helptip.h"
#include "ui/look/icons.h"
#include "ui/look/plainlabel.h"
#include "ui/look/retranslating.h"
#include "ui/look/rowview.h"
#include "ui/message/inlinemessage.h"
#include "ui/words/locktext.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>

namespace lockkeeper::ui {

namespace {

// A name or id that is too long is cut in the middle, a sentence at its end.
class SentenceDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
    }
};

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
      m_note(new InlineMessage(this)),
      m_view(new QTableView(this)) {
    m_filter.setSourceModel(&m_log);
    makeView();
    makeBar();
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
    widenColumns();
    showHeldBack();
    showNote();
}

// The answer to an earlier click is out of date once the reader does something else in the log.
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
    bar->addWidget(m_heldBack);
    bar->addWidget(buttonFor(m_pause, this));
    bar->addWidget(buttonFor(m_clear, this));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_note);
    layout->addWidget(m_view, 1);
    connect(m_filterEdit, &QLineEdit::textChanged, this, [this](const QString& text) { m_filter.setFilterText(text); });
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
    for (int column = 0; column < EventLogModel::Detail; ++column)
        m_view->setColumnWidth(column, 0);
    m_view->setItemDelegateForColumn(EventLogModel::Detail, new SentenceDelegate(m_view));
    connect(m_view, &QTableView::activated, this, &EventLogPanel::choose);
}

void EventLogPanel::widenColumns() {
    constexpr int iconRoom = 20;
    for (int column = 0; column < EventLogModel::Detail; ++column)
        widenColumn(*m_view, column, m_log.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    widenColumn(*m_view, EventLogModel::Time, QStringLiteral("23:59:59.999"));
    for (int type = 0; type <= static_cast<int>(monitor::EventType::Forced); ++type)
        widenColumn(*m_view, EventLogModel::Event, eventText(static_cast<monitor::EventType>(type)), iconRoom);
    widenColumn(*m_view, EventLogModel::Lock, QStringLiteral("orders:{customer-12345}:payment"));
    widenColumn(*m_view, EventLogModel::HolderColumn, QStringLiteral("8f14e45f-ceea-467…2b1c8f14e45f:1024"));
}

void EventLogPanel::showHeldBack() {
    const bool paused = m_log.flow() == EventLogModel::Flow::Paused;
    m_pause->setIcon(icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
    m_pause->setIconText(paused ? tr("Resume") : tr("Pause"));
    m_heldBack->setText(paused ? tr("Paused: %Ln held back", nullptr, static_cast<int>(m_log.heldBack())) : QString());
    m_heldBack->setVisible(paused);
}

std::vector<monitor::LockEvent> EventLogPanel::shownEvents() const {
    std::vector<monitor::LockEvent> events;
    events.reserve(static_cast<size_t>(m_filter.rowCount()));
    for (int row = m_filter.rowCount() - 1; row >= 0; --row)
        events.push_back(m_log.eventAt(m_filter.mapToSource(m_filter.index(row, 0)).row()));
    return events;
}

void EventLogPanel::reveal(const LockName& name, WallTime at) {
    const std::optional<int> row = m_log.find(name, at);
    m_missing = row ? std::nullopt : std::optional(Missing{name, at});
    showNote();
    if (!row)
        return;
    if (!m_filter.mapFromSource(m_log.index(*row, 0)).isValid())
        m_filterEdit->clear();
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
