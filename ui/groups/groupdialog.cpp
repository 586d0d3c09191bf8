// SPDX-License-Identifier: Apache-2.0
#include "ui/groups/groupdialog.h"

#include "ui/look/plainlabel.h"
#include "ui/look/retranslating.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds groupsInterval = 500ms;
constexpr QSize firstGroupsSize(640, 480);
constexpr int filterRole = Qt::UserRole;

enum GroupColumn { GroupName, GroupLocks, GroupHeld, GroupWaited, GroupFaulty };

}  // namespace

GroupDialog::GroupDialog(const LockTableModel& locks, Clock& clock, QWidget* parent)
    : QDialog(parent),
      m_locks(locks),
      m_clock(clock),
      m_label(plainLabel(this)),
      m_by(new QComboBox(this)),
      m_list(new QTreeWidget(this)),
      m_count(plainLabel(this)) {
    m_by->setObjectName(QStringLiteral("groupBy"));
    for (const GroupBy by : {GroupBy::Prefix, GroupBy::Client})
        m_by->addItem(QString(), static_cast<int>(by));
    m_label->setBuddy(m_by);
    m_list->setObjectName(QStringLiteral("groups"));
    m_count->setObjectName(QStringLiteral("groupCount"));
    makeLayout();
    resize(firstGroupsSize.boundedTo(parent ? parent->size() : firstGroupsSize));
    followLocks();
    connect(m_by, &QComboBox::currentIndexChanged, this, &GroupDialog::refresh);
    connect(m_list, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
        if (const QString filter = item->data(GroupName, filterRole).toString(); !filter.isEmpty())
            Q_EMIT filterWanted(filter);
    });
    keepTranslated(*this, [this] { retranslate(); });
}

GroupDialog::~GroupDialog() {
    m_clock.cancel(m_timer);
}

void GroupDialog::makeLayout() {
    m_list->setColumnCount(GroupFaulty + 1);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(GroupName, QHeaderView::Stretch);
    auto* choice = new QHBoxLayout;
    choice->addWidget(m_label);
    choice->addWidget(m_by);
    choice->addStretch(1);
    choice->addWidget(m_count);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    // Enter in the list filters, and must not close as well.
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &GroupDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(choice);
    layout->addWidget(m_list, 1);
    layout->addWidget(buttons);
}

void GroupDialog::followLocks() {
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_locks, signal, this, &GroupDialog::scheduleRefresh);
    connect(&m_locks, &QAbstractItemModel::dataChanged, this, &GroupDialog::scheduleRefresh);
    connect(&m_locks, &QAbstractItemModel::modelReset, this, &GroupDialog::scheduleRefresh);
}

void GroupDialog::retranslate() {
    setWindowTitle(tr("Groups of locks"));
    m_label->setText(tr("&Group by:"));
    const QStringList ways{tr("Prefix of the name"), tr("Client that holds it")};
    for (int i = 0; i < ways.size(); ++i)
        m_by->setItemText(i, ways.at(i));
    m_list->setAccessibleName(windowTitle());
    m_list->setHeaderLabels({tr("Group"), tr("Locks"), tr("Held"), tr("Waited for"), tr("With a diagnosis")});
    for (int column = GroupLocks; column <= GroupFaulty; ++column)
        m_list->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    refresh();
}

void GroupDialog::setAliases(const HolderAliases& aliases) {
    m_aliases = aliases;
    refresh();
}

void GroupDialog::scheduleRefresh() {
    if (m_timer != Clock::TimerId::None)
        return;
    m_timer = m_clock.schedule(m_clock.now() + groupsInterval, [this] {
        m_timer = Clock::TimerId::None;
        refresh();
    });
}

void GroupDialog::refresh() {
    fill(lockGroups(m_locks, static_cast<GroupBy>(m_by->currentData().toInt())));
}

QString GroupDialog::nameOf(const LockGroup& group) const {
    if (group.client)
        return m_aliases.fullDisplay(*group.client);
    return group.prefix.isEmpty() ? tr("(names without a prefix)") : group.prefix;
}

// The selection and what is in sight stay.
void GroupDialog::fill(const std::vector<LockGroup>& groups) {
    const int count = static_cast<int>(std::min(groups.size(), mostShown));
    while (m_list->topLevelItemCount() > count)
        delete m_list->takeTopLevelItem(m_list->topLevelItemCount() - 1);
    while (m_list->topLevelItemCount() < count)
        m_list->addTopLevelItem(new QTreeWidgetItem);
    for (int row = 0; row < count; ++row) {
        const LockGroup& group = groups[static_cast<size_t>(row)];
        QTreeWidgetItem& item = *m_list->topLevelItem(row);
        item.setText(GroupName, nameOf(group));
        item.setData(GroupName, filterRole, filterOf(group));
        const std::array counts{group.locks, group.held, group.waitedFor, group.faulty};
        for (int column = GroupLocks; column <= GroupFaulty; ++column) {
            item.setText(column, numberText(counts[static_cast<size_t>(column - GroupLocks)]));
            item.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        }
    }
    const auto all = static_cast<int>(groups.size());
    m_count->setText(all > count ? tr("The largest %1 of %Ln group(s)", nullptr, all).arg(numberText(count))
                                 : tr("%Ln group(s)", nullptr, all));
}

}  // namespace lockkeeper::ui

#include "moc_groupdialog.cpp"
