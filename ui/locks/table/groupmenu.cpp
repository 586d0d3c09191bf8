// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/table/groupmenu.h"

#include "ui/base/retranslating.h"
#include "ui/base/storedvalues.h"
#include "ui/locks/table/locktableview.h"

#include <QActionGroup>
#include <QHeaderView>
#include <QSettings>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

const auto groupByKey = QStringLiteral("table/groupBy");
const auto expandedKey = QStringLiteral("table/groupsExpanded");

constexpr std::array ways{GroupBy::None, GroupBy::Prefix, GroupBy::Client};

// The word in the settings, and in the names of the actions.
QString wordForGrouping(GroupBy by) {
    switch (by) {
        case GroupBy::None:
            return QStringLiteral("none");
        case GroupBy::Prefix:
            return QStringLiteral("prefix");
        case GroupBy::Client:
            return QStringLiteral("client");
    }
    return {};
}

}  // namespace

GroupMenu::GroupMenu(LockTableView& table, QWidget* parent)
    : QMenu(parent),
      m_table(table),
      m_ways(new QActionGroup(this)),
      m_expand(new QAction(this)),
      m_collapse(new QAction(this)),
      m_showOnly(new QAction(this)) {
    setObjectName(QStringLiteral("groupMenu"));
    makeActions();
    m_table.addAction(menuAction());
    m_table.horizontalHeader()->addAction(menuAction());
    connect(&m_table.groups(), &GroupedLocksModel::refreshed, this, &GroupMenu::refresh);
    // The state of the current heading is read only when the menu opens.
    connect(this, &QMenu::aboutToShow, this, &GroupMenu::refresh);
    keepTranslated(*this, [this] { retranslate(); });
}

void GroupMenu::makeActions() {
    for (const GroupBy by : ways) {
        QAction* action = m_ways->addAction(QString());
        action->setObjectName(QStringLiteral("actionGroupBy_") + wordForGrouping(by));
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, by] { groupBy(by); });
    }
    m_ways->actions().first()->setChecked(true);
    m_expand->setObjectName(QStringLiteral("actionExpandGroups"));
    m_expand->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_Right);
    m_collapse->setObjectName(QStringLiteral("actionCollapseGroups"));
    m_collapse->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_Left);
    m_showOnly->setObjectName(QStringLiteral("actionShowGroup"));
    connect(m_expand, &QAction::triggered, this, [this] { setAllExpanded(true); });
    connect(m_collapse, &QAction::triggered, this, [this] { setAllExpanded(false); });
    connect(m_showOnly, &QAction::triggered, this, [this] {
        if (const QString filter = currentFilter(); !filter.isEmpty())
            Q_EMIT filterWanted(filter);
    });
    addActions(m_ways->actions());
    addSeparator();
    addActions({m_expand, m_collapse, m_showOnly});
}

void GroupMenu::groupBy(GroupBy by) {
    constexpr int many = 100;
    if (m_table.groups().groupBy() == GroupBy::None)
        m_table.groups().setAllExpanded(m_table.model()->rowCount() <= many);
    m_table.setGroupBy(by);
    refresh();
}

void GroupMenu::setAllExpanded(bool expanded) {
    m_table.groups().setAllExpanded(expanded);
}

QString GroupMenu::currentFilter() const {
    const LockGroup* group = m_table.currentGroup();
    return group ? filterOf(*group) : QString();
}

void GroupMenu::refresh() {
    const bool isGrouped = m_table.groups().groupBy() != GroupBy::None;
    m_expand->setEnabled(isGrouped);
    m_collapse->setEnabled(isGrouped);
    m_showOnly->setEnabled(!currentFilter().isEmpty());
}

void GroupMenu::save(QSettings& settings) const {
    settings.setValue(groupByKey, wordForGrouping(m_table.groups().groupBy()));
    settings.setValue(expandedKey, m_table.groups().areExpanded());
}

void GroupMenu::restore(QSettings& settings) {
    const std::optional<QString> word = storedText(settings, groupByKey, [](const QString& text) {
        return std::ranges::find(ways, text, wordForGrouping) != ways.end();
    });
    m_table.groups().setAllExpanded(storedSwitch(settings, expandedKey).value_or(true));
    for (size_t i = 0; i < ways.size(); ++i) {
        if (wordForGrouping(ways[i]) != word)
            continue;
        m_ways->actions().at(static_cast<qsizetype>(i))->setChecked(true);
        m_table.setGroupBy(ways[i]);
    }
    refresh();
}

void GroupMenu::retranslate() {
    setTitle(tr("G&roup by"));
    const QStringList texts{tr("&Nothing"), tr("&Beginning of the name"), tr("&Client that holds it")};
    for (qsizetype i = 0; i < texts.size(); ++i)
        m_ways->actions().at(i)->setText(texts.at(i));
    m_expand->setText(tr("&Expand all groups"));
    m_collapse->setText(tr("C&ollapse all groups"));
    m_showOnly->setText(tr("&Show only this group"));
    refresh();
}

}  // namespace lockkeeper::ui

#include "moc_groupmenu.cpp"
