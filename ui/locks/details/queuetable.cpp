// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/details/queuetable.h"

#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/plainlabel.h"
#include "ui/locks/clients/clientcolors.h"
#include "ui/words/locktext.h"
#include "ui/words/shorttext.h"
#include "ui/words/timetext.h"
#include "ui/words/waitstext.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

enum QueueColumn { PlaceColumn, ClientColumn, SinceColumn, UntilColumn, DeadColumn, QueueColumns };

constexpr int waiterRole = Qt::UserRole;
constexpr qsizetype linesInSight = 8;
constexpr qsizetype linesAtMost = 100;

QString untilText(const monitor::FairWaiter& waiter, WallTime now) {
    if (waiter.deadline)
        return clockText(*waiter.deadline, now);
    return waiter.hasNoDeadline ? QueueTable::tr("no end", "of a place in a queue")
                                : QueueTable::tr("not known", "until when");
}

}  // namespace

QueueTable::QueueTable(QWidget* parent)
    : QWidget(parent),
      m_caption(plainLabel(this)),
      m_lines(new QTreeWidget(this)),
      m_more(plainLabel(this)),
      m_remove(new QToolButton(this)) {
    makeLayout();
    connect(m_lines, &QTreeWidget::currentItemChanged, this, &QueueTable::refreshButton);
    const auto remove = [this] {
        if (const monitor::FairWaiter* dead = chosenDead())
            Q_EMIT removalWanted(dead->id);
    };
    connect(m_lines, &QTreeWidget::itemActivated, this, remove);
    connect(m_remove, &QToolButton::clicked, this, remove);
    setVisible(false);
}

void QueueTable::makeLayout() {
    QFont bold = m_caption->font();
    bold.setBold(true);
    m_caption->setFont(bold);
    m_caption->setBuddy(m_lines);
    m_caption->setWordWrap(true);
    m_caption->setContentsMargins(0, 8, 0, 0);
    m_lines->setObjectName(QStringLiteral("detailQueueTable"));
    m_lines->setColumnCount(QueueColumns);
    m_lines->installEventFilter(this);
    m_lines->setRootIsDecorated(false);
    m_lines->setIndentation(0);
    m_lines->setUniformRowHeights(true);
    m_lines->setAllColumnsShowFocus(true);
    m_lines->setTextElideMode(Qt::ElideMiddle);
    m_lines->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    QHeaderView& header = *m_lines->header();
    header.setStretchLastSection(false);
    header.setSectionsMovable(false);
    header.setMinimumSectionSize(1);
    m_more->setObjectName(QStringLiteral("detailQueueMore"));
    m_more->setWordWrap(true);
    m_remove->setObjectName(QStringLiteral("detailRemoveWaiter"));
    m_remove->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_remove->setFocusPolicy(Qt::TabFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_caption);
    layout->addWidget(m_lines);
    layout->addWidget(m_more);
    layout->addWidget(m_remove);
}

void QueueTable::retranslate() {
    m_caption->setText(tr("Fair queue, first in front"));
    m_lines->setAccessibleName(m_caption->text());
    m_lines->setHeaderLabels({tr("#", "place in a queue"), tr("Client"), tr("Since"), tr("Until"), tr("Dead")});
    const std::array helps{
        tr("The place in the queue. A release wakes the first one."),
        tr("The waiting thread, by its client's name or UUID."),
        tr("When it was first seen in the queue. ≤: it was there already when watching began."),
        tr("When its place lapses, by the server's clock. How long a waiter keeps its place is a setting of its client "
           "(fairLockWaitTimeout, 5 min unless configured), or its own time limit."),
        tr("Whether it is proven dead: two counts, ten seconds or more apart, have found it subscribed on no server.")};
    for (int column = 0; column < QueueColumns; ++column)
        m_lines->headerItem()->setToolTip(column, helpTip(helps[static_cast<size_t>(column)]));
    m_remove->setToolTip(
        helpTip(tr("Opens the dialog that takes this waiter out of the queue, compared and recorded")));
    refreshButton();
}

void QueueTable::startOver() {
    m_mostLines = 0;
    m_lines->clear();
    setVisible(false);
}

void QueueTable::show(const monitor::LockRow& row, WallTime now, const HolderAliases& aliases) {
    m_row = row;
    m_dead = row.deadWaiters();
    const QList<monitor::FairWaiter> shown = row.lock.fairQueue.first(std::min(linesAtMost, row.lock.fairQueue.size()));
    m_mostLines = std::max(m_mostLines, shown.size());
    setVisible(m_mostLines > 0);
    if (m_mostLines == 0)
        return;
    fill(shown, now, aliases);
    const qint64 more = queueLength(row.lock) - shown.size();
    m_more->setText(shown.isEmpty() ? tr("Nobody is queued any more")
                                    : tr("and %Ln more", nullptr, static_cast<int>(more)));
    m_more->setVisible(shown.isEmpty() || more > 0);
    fit();
}

void QueueTable::fill(const QList<monitor::FairWaiter>& shown, WallTime now, const HolderAliases& aliases) {
    const std::optional<HolderId> chosen = chosenWaiter();
    const QSignalBlocker quiet(m_lines);
    while (m_lines->topLevelItemCount() > shown.size())
        delete m_lines->takeTopLevelItem(m_lines->topLevelItemCount() - 1);
    while (m_lines->topLevelItemCount() < shown.size())
        m_lines->addTopLevelItem(new QTreeWidgetItem);
    for (int place = 0; place < shown.size(); ++place)
        fillLine(*m_lines->topLevelItem(place), place, shown.at(place), now, aliases);
    choose(chosen);
    refreshButton();
}

void QueueTable::fillLine(QTreeWidgetItem& line, int place, const monitor::FairWaiter& waiter, WallTime now,
                          const HolderAliases& aliases) {
    const auto since = std::ranges::find_if(
        m_row.waits->present, [&waiter](const monitor::WaitingSince& one) { return one.waiter == waiter.id; });
    const bool isDead = m_dead.contains(waiter);
    // A narrow table shows the first columns only, so the mark is there, too.
    line.setText(PlaceColumn, numberText(place + 1));
    line.setIcon(PlaceColumn, isDead ? icon(QStringLiteral("warning"), Tone::Warning) : QIcon());
    line.setToolTip(PlaceColumn, isDead ? helpTip(tr("Proven dead: it is subscribed on no server")) : QString());
    line.setText(ClientColumn, shortHolderText(waiter.id, aliases));
    line.setToolTip(ClientColumn, helpTip(aliases.fullDisplay(waiter.id)));
    line.setIcon(ClientColumn, m_colors ? clientIcon(m_colors->of(waiter.id.client())) : QIcon());
    line.setText(SinceColumn, since != m_row.waits->present.end() ? shortSinceText(*since, now) : QString());
    line.setText(UntilColumn, untilText(waiter, now));
    line.setText(DeadColumn, isDead ? tr("yes", "proven dead") : QString());
    line.setData(PlaceColumn, waiterRole, QVariant::fromValue(waiter.id.bytes()));
}

// A dead waiter is what a reader looks for here.
void QueueTable::choose(const std::optional<HolderId>& chosen) {
    int place = -1;
    for (int i = 0; i < m_lines->topLevelItemCount(); ++i) {
        const QByteArray id = m_lines->topLevelItem(i)->data(PlaceColumn, waiterRole).toByteArray();
        if (chosen && id == chosen->bytes())
            place = i;
        const bool isDead =
            std::ranges::any_of(m_dead, [&id](const monitor::FairWaiter& dead) { return dead.id.bytes() == id; });
        if (isDead && place < 0 && !chosen)
            place = i;
    }
    m_lines->setCurrentItem(place < 0 ? nullptr : m_lines->topLevelItem(place));
}

std::optional<HolderId> QueueTable::chosenWaiter() const {
    const QTreeWidgetItem* line = m_lines->currentItem();
    return line ? HolderId::parse(line->data(PlaceColumn, waiterRole).toByteArray()) : std::nullopt;
}

const monitor::FairWaiter* QueueTable::chosenDead() const {
    const std::optional<HolderId> chosen = chosenWaiter();
    const auto dead = std::ranges::find_if(
        m_dead, [&chosen](const monitor::FairWaiter& waiter) { return chosen && waiter.id == *chosen; });
    return dead == m_dead.end() ? nullptr : &*dead;
}

void QueueTable::refreshButton() {
    const monitor::FairWaiter* dead = chosenDead();
    const int place = dead ? m_lines->indexOfTopLevelItem(m_lines->currentItem()) + 1 : 0;
    m_remove->setText(dead ? tr("&Remove dead waiter %1…", "the number of its place").arg(numberText(place))
                           : tr("&Remove a dead waiter…"));
    m_remove->setEnabled(dead);
    m_remove->setVisible(!m_dead.isEmpty());
}

void QueueTable::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

bool QueueTable::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_lines && event->type() == QEvent::Resize)
        fit();
    return QWidget::eventFilter(watched, event);
}

// The client gets what the others leave, and at least room for a short id; then the table is scrolled.
void QueueTable::fitWidths() {
    int others = 0;
    for (const int column : {PlaceColumn, SinceColumn, UntilColumn, DeadColumn}) {
        m_lines->resizeColumnToContents(column);
        others += m_lines->columnWidth(column);
    }
    constexpr int iconAndMargins = 32;
    const int least = m_lines->fontMetrics().horizontalAdvance(QStringLiteral("00001009:34")) + iconAndMargins;
    m_lines->setColumnWidth(ClientColumn, std::max(least, m_lines->viewport()->width() - others));
}

// It does not become lower for the same lock, so that nothing below it jumps.
void QueueTable::fit() {
    fitWidths();
    const int line = m_lines->topLevelItemCount() > 0 ? m_lines->visualItemRect(m_lines->topLevelItem(0)).height()
                                                      : m_lines->fontMetrics().height();
    const auto lines = static_cast<int>(std::min(m_mostLines, linesInSight));
    const bool isScrolled = m_lines->header()->length() > m_lines->viewport()->width();
    const int bar = isScrolled ? m_lines->horizontalScrollBar()->sizeHint().height() : 0;
    m_lines->setFixedHeight(m_lines->header()->sizeHint().height() +
                            lines * std::max(line, m_lines->fontMetrics().height()) + bar + 2 * m_lines->frameWidth());
}

}  // namespace lockkeeper::ui

#include "moc_queuetable.cpp"
