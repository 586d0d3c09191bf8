// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/aliaspage.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/locks/clients/clientnames.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

enum AliasColumn { AliasName, AliasClient };

}  // namespace

AliasPage::AliasPage(ClientNames& names, QWidget* parent)
    : QWidget(parent),
      m_names(names),
      m_meaning(plainLabel(this)),
      m_list(new QTreeWidget(this)),
      m_remove(new QPushButton(this)) {
    m_list->setObjectName(QStringLiteral("settingsAliases"));
    m_remove->setObjectName(QStringLiteral("settingsRemoveAlias"));
    m_remove->setAutoDefault(false);
    makeLayout();
    auto* remove = new QAction(m_list);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    m_list->addAction(remove);
    connect(remove, &QAction::triggered, this, &AliasPage::removeCurrent);
    connect(m_remove, &QPushButton::clicked, this, &AliasPage::removeCurrent);
    connect(m_list, &QTreeWidget::itemChanged, this, [this](const QTreeWidgetItem* item) { rename(*item); });
    keepTranslated(*this, [this] { retranslate(); });
    refresh();
}

void AliasPage::makeLayout() {
    m_meaning->setWordWrap(true);
    m_list->setColumnCount(AliasClient + 1);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_list->header()->setSectionResizeMode(AliasName, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(AliasClient, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_meaning);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_remove, 0, Qt::AlignLeft);
}

void AliasPage::retranslate() {
    m_meaning->setText(tr(
        "Your names for clients, shown instead of their UUIDs. Name a client in the details of a lock that it holds."));
    m_list->setAccessibleName(tr("Names of clients"));
    m_list->setHeaderLabels({tr("Name"), tr("Client")});
    m_remove->setText(tr("&Delete the name"));
}

// Lists the newest alias first.
void AliasPage::refresh() {
    const QSignalBlocker blocked(m_list);
    m_list->clear();
    const HolderAliases& aliases = m_names.aliases();
    for (const ClientId& client : aliases.clients()) {
        auto* item = new QTreeWidgetItem({aliases.of(client), QString::fromLatin1(client.bytes())});
        item->setFlags(item->flags() | Qt::ItemIsEditable);
        m_list->insertTopLevelItem(0, item);
    }
    m_remove->setEnabled(m_list->topLevelItemCount() > 0);
    m_list->setCurrentItem(m_list->topLevelItem(0));
}

// The item is still being edited: the list is filled again only after that.
void AliasPage::rename(const QTreeWidgetItem& item) {
    setName(item.text(AliasClient), item.text(AliasName).simplified());
    QMetaObject::invokeMethod(this, &AliasPage::refresh, Qt::QueuedConnection);
}

void AliasPage::removeCurrent() {
    if (const QTreeWidgetItem* item = m_list->currentItem())
        setName(item->text(AliasClient), QString());
    refresh();
}

void AliasPage::setName(const QString& client, const QString& name) {
    m_names.set(ClientId(client.toLatin1()), name);
}

}  // namespace lockkeeper::ui

#include "moc_aliaspage.cpp"
