// SPDX-License-Identifier: Apache-2.0
#include "ui/events/log/eventmenu.h"

#include "ui/base/retranslating.h"
#include "ui/events/log/eventfiltermodel.h"
#include "ui/events/log/eventlogmodel.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QTableView>

namespace lockkeeper::ui {

namespace {

// Null: no holder is known.
const monitor::Holder* holderIn(const monitor::LockEvent& event) {
    if (event.holder)
        return &*event.holder;
    return event.lock.holders.isEmpty() ? nullptr : &event.lock.holders.front();
}

}  // namespace

EventMenu::EventMenu(const EventLogModel& log, const EventFilterModel& shown, QTableView& view)
    : QObject(&view),
      m_log(log),
      m_shown(shown),
      m_view(view),
      m_lock(addAction(QStringLiteral("actionEventLock"), &EventMenu::showLock)),
      m_lockOnly(addAction(QStringLiteral("actionEventLockOnly"), &EventMenu::showLockOnly)),
      m_holderOnly(addAction(QStringLiteral("actionEventHolderOnly"), &EventMenu::showHolderOnly)),
      m_copy(addAction(QStringLiteral("actionEventCopy"), &EventMenu::copy)) {
    m_view.setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_view.selectionModel(), &QItemSelectionModel::currentRowChanged, this, &EventMenu::refresh);
    keepTranslated(m_view, [this] { retranslate(); });
    refresh();
}

QAction* EventMenu::addAction(const QString& objectName, void (EventMenu::*act)()) {
    auto* action = new QAction(this);
    action->setObjectName(objectName);
    m_view.addAction(action);
    connect(action, &QAction::triggered, this, act);
    return action;
}

void EventMenu::retranslate() {
    m_lock->setText(tr("&Show this lock"));
    m_lockOnly->setText(tr("Only events of this &lock"));
    m_holderOnly->setText(tr("Only events of this &holder"));
    m_copy->setText(tr("&Copy this event"));
}

const monitor::LockEvent* EventMenu::current() const {
    const QModelIndex shown = m_view.currentIndex();
    return shown.isValid() ? &m_log.eventAt(m_shown.mapToSource(shown).row()) : nullptr;
}

void EventMenu::refresh() {
    const monitor::LockEvent* event = current();
    const bool hasLock = event && !event->lock.name.isEmpty();
    m_lock->setEnabled(hasLock);
    m_lockOnly->setEnabled(hasLock);
    m_holderOnly->setEnabled(event && holderIn(*event));
    m_copy->setEnabled(event != nullptr);
}

// A receiver of the signal may change the log, so it gets a copy.
void EventMenu::showLock() {
    if (const monitor::LockEvent* event = current())
        Q_EMIT lockChosen(LockName(event->lock.name));
}

void EventMenu::showLockOnly() {
    if (const monitor::LockEvent* event = current())
        Q_EMIT lockOnlyWanted(LockName(event->lock.name));
}

void EventMenu::showHolderOnly() {
    const monitor::LockEvent* event = current();
    if (const monitor::Holder* holder = event ? holderIn(*event) : nullptr)
        Q_EMIT holderOnlyWanted(HolderId(holder->id));
}

// A line, with a tab between two columns.
void EventMenu::copy() {
    QStringList texts;
    for (int column = 0; column < EventLogModel::ColumnCount; ++column)
        texts << m_view.currentIndex().siblingAtColumn(column).data().toString();
    QGuiApplication::clipboard()->setText(texts.join(u'\t'));
}

}  // namespace lockkeeper::ui

#include "moc_eventmenu.cpp"
