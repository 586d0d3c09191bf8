// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/clienttable/clientpanel.h"

#include "monitor/store/storelimits.h"
#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/base/retranslating.h"
#include "ui/base/rowview.h"
#include "ui/help/helptexts.h"
#include "ui/words/clienttext.h"
#include "ui/words/diagnosistext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QAction>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

namespace lockkeeper::ui {

ClientPanel::ClientPanel(const ViewTime& time, const ClientColors& colors, QWidget* parent)
    : TablePanel(QStringLiteral("client"), parent),
      m_time(time),
      m_model(time, colors),
      m_filter(new QLineEdit(this)),
      m_locks(makeAction(QStringLiteral("clientLocks"), &ClientPanel::locksWanted)),
      m_identity(makeAction(QStringLiteral("clientIdentity"), &ClientPanel::identityWanted)),
      m_dump(makeAction(QStringLiteral("clientDump"), &ClientPanel::dumpWanted)),
      m_alias(makeAction(QStringLiteral("clientAlias"), &ClientPanel::aliasWanted)),
      m_remove(makeAction(QStringLiteral("clientRemove"), &ClientPanel::removalWanted)) {
    makeFilter();
    setUp(m_model, ClientModel::DiagnosisColumn,
          {ClientModel::Client, QStringLiteral("8f14e45f-ceea-467f-a8d1-9b1c2b1c")});
    cutAtEnd(view(), {ClientModel::LastSign, ClientModel::DiagnosisColumn});
    connect(&view(), &QTableView::activated, m_locks, &QAction::trigger);
    connect(view().selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ClientPanel::refreshActions);
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &ClientPanel::refreshActions);
    keepTranslated(*this, [this] { retranslate(); });
}

void ClientPanel::makeFilter() {
    m_filter->setObjectName(QStringLiteral("clientFilter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(icon(QStringLiteral("search"), Tone::Quiet), QLineEdit::LeadingPosition);
    m_filter->installEventFilter(this);
    m_filter->hide();
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, m_filter);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        setFilter(text);
        refresh();
    });
}

QAction* ClientPanel::makeAction(const QString& objectName, ClientSignal wanted) {
    auto* action = new QAction(this);
    action->setObjectName(objectName);
    connect(action, &QAction::triggered, this, [this, wanted] {
        if (const monitor::ClientRow* client = current())
            Q_EMIT(this->*wanted)(client->id);
    });
    view().addAction(action);
    return action;
}

void ClientPanel::retranslate() {
    m_filter->setPlaceholderText(tr("Filter: words of a name, a UUID, an address or a diagnosis"));
    m_filter->setAccessibleName(tr("Filter clients"));
    m_locks->setText(tr("Show its &locks"));
    m_identity->setText(tr("&Find out who this is…"));
    m_dump->setText(tr("Get a &thread dump…"));
    m_alias->setText(tr("&Name this client…"));
    m_remove->setText(tr("&Remove its dead places in queues…"));
    refreshActions();
}

void ClientPanel::refreshActions() {
    const monitor::ClientRow* client = current();
    m_locks->setEnabled(client && !client->isIdle());
    m_locks->setToolTip(helpTip(tr("Show only the locks that this client holds or queues for")));
    m_identity->setEnabled(client && client->held > 0 && m_time.isLive());
    m_dump->setEnabled(client && m_time.isLive() && !m_time.isRecording());
    m_alias->setEnabled(client);
    m_remove->setEnabled(client && client->deadPlaces > 0 && m_time.isLive());
}

const monitor::ClientRow* ClientPanel::current() const {
    const QModelIndex index = view().currentIndex();
    return index.isValid() ? &m_model.at(shown().mapToSource(index).row()) : nullptr;
}

void ClientPanel::reveal(const ClientId& client) {
    const QModelIndex source = m_model.indexOf(client);
    if (!source.isValid())
        return;
    if (!shown().mapFromSource(source).isValid())
        m_filter->clear();
    const QModelIndex row = shown().mapFromSource(source);
    view().setCurrentIndex(row);
    view().scrollTo(row);
    view().setFocus();
}

void ClientPanel::widenColumns() {
    monitor::LastSign sign;
    sign.what = monitor::SignOfLife::Reentered;
    widenColumn(view(), ClientModel::Host, QStringLiteral("192.168.100.100:53422"));
    widenColumn(view(), ClientModel::LastSign, shortSignText(sign, sign.at));
    widenColumn(view(), ClientModel::FirstSeen, QStringLiteral("23:59:59"));
    constexpr int iconRoom = 24;
    widenColumn(view(), ClientModel::DiagnosisColumn, diagnosisTitle(monitor::DiagnosisKind::ClientRenewsNothing),
                iconRoom);
}

void ClientPanel::apply(const monitor::MonitorBatch& batch) {
    if (batch.reset)
        m_model.clear();
    m_model.apply(batch);
    if (batch.reset || !batch.clients.empty() || !batch.removedClients.empty())
        showRows();
}

// Without clients there is nothing to filter, and the text needs the room.
void ClientPanel::showRows() {
    m_filter->setVisible(m_model.rowCount() > 0);
    refresh();
}

void ClientPanel::clear() {
    m_model.clear();
    showRows();
}

void ClientPanel::setKnowledge(const HolderKnowledge& knowledge) {
    m_model.setKnowledge(knowledge);
}

QString ClientPanel::accessibleTitle() const {
    return tr("Clients");
}

QString ClientPanel::help() const {
    return clientsHelp();
}

QString ClientPanel::emptyText() const {
    const QString headline =
        isConnected() ? tr("No client holds a lock or queues for a fair one.") : tr("Not connected.");
    return headline + QStringLiteral("\n\n") +
           tr("A client is known by the locks that it holds, and by the queues that it is in.");
}

Message ClientPanel::note() const {
    if (!m_time.isLive())
        return {Tone::Warning, oldText(m_time)};
    const int most = static_cast<int>(monitor::StoreLimits().clients);
    if (m_model.rowCount() >= most)
        return {Tone::Warning,
                tr("No more than %Ln client(s) are watched: those of some locks may be missing here", nullptr, most)};
    if (shown().rowCount() == m_model.rowCount())
        return {};
    return {Tone::Info,
            tr("%1 of %Ln client(s) are shown", nullptr, m_model.rowCount()).arg(numberText(shown().rowCount()))};
}

// Enter and Down go to the table, Escape clears the filter.
bool ClientPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_filter || event->type() != QEvent::KeyPress)
        return TablePanel::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Return && key != Qt::Key_Enter && key != Qt::Key_Down && key != Qt::Key_Escape)
        return false;
    if (key == Qt::Key_Escape)
        m_filter->clear();
    if (!view().currentIndex().isValid() && shown().rowCount() > 0)
        view().setCurrentIndex(shown().index(0, 0));
    view().setFocus();
    return true;
}

}  // namespace lockkeeper::ui

#include "moc_clientpanel.cpp"
