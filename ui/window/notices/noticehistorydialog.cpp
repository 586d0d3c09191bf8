// SPDX-License-Identifier: Apache-2.0
#include "ui/window/notices/noticehistorydialog.h"

#include "ui/base/helptip.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/base/rowview.h"
#include "ui/window/notices/noticehistory.h"
#include "ui/words/timetext.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr QSize firstHistorySize(760, 420);

enum HistoryColumn { TimeColumn, ServerColumn, NoticeColumn };

}  // namespace

NoticeHistoryDialog::NoticeHistoryDialog(NoticeHistory& history, const Clock& clock, QWidget* parent)
    : FittedDialog(parent),
      m_history(history),
      m_clock(clock),
      m_list(new QTreeWidget(this)),
      m_empty(emptyPanelLabel(this)),
      m_clear(new QPushButton(this)) {
    m_list->setObjectName(QStringLiteral("noticeHistory"));
    m_empty->setObjectName(QStringLiteral("noticeHistoryEmpty"));
    m_clear->setObjectName(QStringLiteral("noticeHistoryClear"));
    m_clear->setAutoDefault(false);
    makeLayout();
    resize(firstHistorySize.boundedTo(parent ? parent->size() : firstHistorySize));
    connect(&m_history, &NoticeHistory::changed, this, &NoticeHistoryDialog::scheduleRefresh);
    connect(m_clear, &QPushButton::clicked, &m_history, &NoticeHistory::clear);
    connect(m_list, &QTreeWidget::itemActivated, this, &NoticeHistoryDialog::chooseCurrent);
    keepTranslated(*this, [this] { retranslate(); });
}

void NoticeHistoryDialog::makeLayout() {
    m_list->setColumnCount(NoticeColumn + 1);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->header()->setStretchLastSection(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    // Enter in the list goes to the lock, and must not also close the dialog.
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    buttons->addButton(m_clear, QDialogButtonBox::ResetRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &NoticeHistoryDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_empty, 1);
    layout->addWidget(buttons);
}

void NoticeHistoryDialog::retranslate() {
    setWindowTitle(tr("Notification history"));
    m_list->setAccessibleName(windowTitle());
    m_list->setHeaderLabels({tr("Time"), tr("Connection"), tr("What was noticed")});
    widenColumn(*m_list, TimeColumn, QStringLiteral("2026-11-23 14:02:11Z"));
    widenColumn(*m_list, ServerColumn, QStringLiteral("cache.example:6379/0"));
    m_empty->setText(
        tr("No notification since the program started. Choose in Tools > Notifications what to be notified of."));
    m_clear->setText(tr("C&lear"));
    refresh();
}

void NoticeHistoryDialog::scheduleRefresh() {
    if (!std::exchange(m_isRefreshDue, true))
        QMetaObject::invokeMethod(this, &NoticeHistoryDialog::refresh, Qt::QueuedConnection);
}

void NoticeHistoryDialog::refresh() {
    m_isRefreshDue = false;
    m_list->clear();
    QList<QTreeWidgetItem*> items;
    for (const PastNotice& notice : m_history.notices()) {
        const QString text = notice.text();
        items << new QTreeWidgetItem({clockText(notice.at, m_clock.wallNow()), notice.server, text});
        items.last()->setToolTip(NoticeColumn, helpTip(text));
    }
    m_list->addTopLevelItems(items);
    m_list->setVisible(!items.isEmpty());
    m_empty->setVisible(items.isEmpty());
    m_clear->setEnabled(!items.isEmpty());
}

// The list may be older than the history until it is refreshed.
void NoticeHistoryDialog::chooseCurrent() {
    const qsizetype row = m_list->indexOfTopLevelItem(m_list->currentItem());
    if (row < 0 || m_isRefreshDue)
        return;
    const PastNotice notice = m_history.notices().at(row);
    if (notice.lock)
        Q_EMIT lockChosen(notice.server, *notice.lock);
}

}  // namespace lockkeeper::ui

#include "moc_noticehistorydialog.cpp"
