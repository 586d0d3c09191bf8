// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/lanemenu.h"

#include "ui/base/helptip.h"
#include "ui/base/retranslating.h"
#include "ui/locks/filter/lockfilter.h"
#include "ui/locks/groups/lockgroup.h"
#include "ui/locks/model/lockcolumns.h"
#include "ui/timeline/timelinewidget.h"
#include "ui/words/locktext.h"

namespace lockkeeper::ui {

namespace {

QString menuName(const QString& name) {
    constexpr qsizetype longest = 40;  // characters
    return withoutMnemonic(shortened(name, longest));
}

}  // namespace

LaneMenu::LaneMenu(TimelineWidget& timeline, QAction& follow) : QMenu(&timeline), m_timeline(timeline) {
    setObjectName(QStringLiteral("timelineMenu"));
    setToolTipsVisible(true);
    makeActions(follow);
    connect(&timeline, &TimelineWidget::menuWanted, this, &LaneMenu::open);
    connect(&timeline, &TimelineWidget::pinnedChanged, this, &LaneMenu::retranslate);
    connect(&timeline, &TimelineWidget::selectedChanged, this, &LaneMenu::followSelection);
    // An action is triggered after its menu is hidden.
    connect(this, &QMenu::aboutToHide, this, &LaneMenu::followSelection, Qt::QueuedConnection);
    keepTranslated(*this, [this] { retranslate(); });
    refresh();
}

void LaneMenu::makeActions(QAction& follow) {
    m_show =
        addLockAction(QStringLiteral("actionLaneShow"), [](LaneMenu& menu) { Q_EMIT menu.lockChosen(menu.m_name); });
    m_events = addLockAction(QStringLiteral("actionLaneEvents"),
                             [](LaneMenu& menu) { Q_EMIT menu.eventsWanted(menu.m_name); });
    m_filterName = addLockAction(QStringLiteral("actionLaneFilterName"),
                                 [](LaneMenu& menu) { Q_EMIT menu.filterWanted(menu.nameFilter()); });
    m_filterPrefix = addLockAction(QStringLiteral("actionLaneFilterPrefix"),
                                   [](LaneMenu& menu) { Q_EMIT menu.filterWanted(menu.prefixFilter()); });
    addSeparator();
    m_pin = addLockAction(QStringLiteral("actionPin"), [](LaneMenu& menu) { menu.togglePin(); });
    m_showAll = addLockAction(QStringLiteral("actionLaneShowAll"),
                              [](LaneMenu& menu) { menu.m_timeline.showAllOf(menu.m_name); });
    addAction(&follow);
    addSeparator();
}

QAction* LaneMenu::addLockAction(const QString& objectName, void (*act)(LaneMenu&)) {
    QAction* action = addAction(QString());
    action->setObjectName(objectName);
    connect(action, &QAction::triggered, this, [this, act] { act(*this); });
    return action;
}

void LaneMenu::open(const LockName& name, const QPoint& at) {
    Q_EMIT lockSelected(name);
    takeTimelineActions();
    setLock(name);
    popup(at);
}

void LaneMenu::followSelection() {
    if (!isVisible())
        setLock(m_timeline.selected().value_or(LockName()));
}

void LaneMenu::setLock(const LockName& name) {
    m_name = name;
    retranslate();
    refresh();
}

// Other parts add these actions to the timeline after this menu was made.
void LaneMenu::takeTimelineActions() {
    for (QAction* action : m_timeline.actions()) {
        if (!actions().contains(action))
            addAction(action);
    }
}

// Only a lock that the table has can be selected.
void LaneMenu::refresh() {
    const bool isListed = m_timeline.selected() == m_name;
    m_show->setEnabled(isListed);
    for (QAction* action : {m_events, m_pin, m_showAll})
        action->setEnabled(!m_name.isEmpty());
    m_filterName->setEnabled(isListed && !nameFilter().isEmpty());
    m_filterPrefix->setEnabled(isListed && !prefixFilter().isEmpty());
}

void LaneMenu::retranslate() {
    const QString prefix = prefixOf(m_name);
    const QString name = menuName(m_timeline.names().shown(m_name));
    m_show->setText(tr("&Show this lock"));
    m_events->setText(tr("Only &events of this lock"));
    m_filterName->setText(tr("Filter by this &name"));
    m_filterPrefix->setText(prefix.isEmpty() ? tr("Filter by the &beginning of the name")
                                             : tr("Filter by the &beginning %1").arg(menuName(prefix)));
    m_pin->setText(m_timeline.pinned().contains(m_name) ? tr("Un&pin the lane of %1").arg(name)
                                                        : tr("&Pin the lane of %1").arg(name));
    m_showAll->setText(tr("Show all its &time"));
    // Without a tool tip of its own, an action's tool tip is its text, and a name could be markup.
    m_filterPrefix->setToolTip(helpTip(tr("Show only the locks whose names begin so")));
    m_pin->setToolTip(helpTip(tr("A pinned lane is always on the timeline, before the others")));
}

void LaneMenu::togglePin() {
    QList<LockName> names = m_timeline.pinned();
    if (names.removeAll(m_name) == 0)
        names.append(m_name);
    m_timeline.setPinned(names);
}

QString LaneMenu::nameFilter() const {
    return filterTerm(QLatin1String("name"), plainName(m_name, longestSearchedName));
}

QString LaneMenu::prefixFilter() const {
    return filterTerm(QLatin1String("prefix"), prefixOf(m_name));
}

}  // namespace lockkeeper::ui

#include "moc_lanemenu.cpp"
