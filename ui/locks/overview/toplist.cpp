// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/overview/toplist.h"

#include "ui/base/helptip.h"
#include "ui/base/plainlabel.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr int idRole = Qt::UserRole;

enum TopColumn { TopName, TopNumber };

void set(QTreeWidgetItem& item, const TopList::Row& row) {
    item.setText(TopName, row.name);
    item.setIcon(TopName, row.icon);
    item.setToolTip(TopName, helpTip(row.toolTip));
    item.setData(TopName, idRole, row.id);
    item.setText(TopNumber, row.number);
    item.setTextAlignment(TopNumber, Qt::AlignRight | Qt::AlignVCenter);
}

}  // namespace

TopList::TopList(const QString& objectName, QWidget* parent)
    : QWidget(parent), m_title(plainLabel(this)), m_list(new QTreeWidget(this)), m_empty(plainLabel(this)) {
    m_list->setObjectName(objectName);
    m_list->setColumnCount(TopNumber + 1);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setHeaderHidden(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setMinimumHeight(3 * fontMetrics().height());
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(TopName, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(TopNumber, QHeaderView::ResizeToContents);
    m_empty->setEnabled(false);
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_title->setBuddy(m_list);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_title);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_empty, 1);
    const auto choose = [this](const QTreeWidgetItem* item) {
        Q_EMIT chosen(item->data(TopName, idRole).toByteArray());
    };
    connect(m_list, &QTreeWidget::itemClicked, this, choose);
    connect(m_list, &QTreeWidget::itemActivated, this, choose);
    show({});
}

void TopList::describe(const QString& title, const QString& empty) {
    m_title->setText(title);
    m_empty->setText(empty);
    m_list->setAccessibleName(QString(title).remove(u'&'));
}

void TopList::show(const std::vector<Row>& rows) {
    if (m_list->underMouse())
        return;
    const QTreeWidgetItem* before = m_list->currentItem();
    const QByteArray current = before ? before->data(TopName, idRole).toByteArray() : QByteArray();
    const int count = static_cast<int>(rows.size());
    while (m_list->topLevelItemCount() > count)
        delete m_list->takeTopLevelItem(m_list->topLevelItemCount() - 1);
    while (m_list->topLevelItemCount() < count)
        m_list->addTopLevelItem(new QTreeWidgetItem);
    QTreeWidgetItem* place = nullptr;
    for (int i = 0; i < count; ++i) {
        const Row& row = rows[static_cast<size_t>(i)];
        set(*m_list->topLevelItem(i), row);
        if (before && row.id == current)
            place = m_list->topLevelItem(i);
    }
    m_list->setCurrentItem(place);
    m_list->setVisible(count > 0);
    m_empty->setVisible(count == 0);
}

}  // namespace lockkeeper::ui

#include "moc_toplist.cpp"
