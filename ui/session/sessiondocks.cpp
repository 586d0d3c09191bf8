// SPDX-License-Identifier: Apache-2.0
#include "ui/session/sessiondocks.h"

#include "ui/base/fontchange.h"
#include "ui/base/leastheight.h"
#include "ui/base/storedvalues.h"
#include "ui/connections/nodepanel.h"
#include "ui/events/log/eventlogpanel.h"
#include "ui/locks/clienttable/clientpanel.h"
#include "ui/locks/details/detailpanel.h"
#include "ui/locks/holders/holdersection.h"
#include "ui/locks/overview/overviewpanel.h"
#include "ui/locks/synchronizers/synchronizerpanel.h"
#include "ui/timeline/lanemenu.h"
#include "ui/timeline/timelinepanel.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>
#include <QMouseEvent>
#include <QSettings>

namespace lockkeeper::ui {

namespace {

// A window of so many lines has room for the timeline above the events, below a table of twenty rows.
constexpr int lowLines = 60;
constexpr int narrowWindow = 1100;
constexpr int wideWindow = 1700;
// In a narrow window the details leave room for every usual cell of the table. In a wide one a holder fits on one line.
constexpr int usualDetails = 300;
constexpr int narrowDetails = 246;
constexpr int wideDetails = 360;
constexpr int lowestTimeline = 220;
constexpr int lowestEvents = 170;
const auto lowKey = QStringLiteral("window/low");
const auto detailsKey = QStringLiteral("window/detailsFollow");

int detailsWidth(int windowWidth) {
    if (windowWidth < narrowWindow)
        return narrowDetails;
    return windowWidth < wideWindow ? usualDetails : wideDetails;
}

// A panel behind another tab is not visible: it is brought to the front, where Qt's own action would close it.
void toggleDock(QDockWidget& dock) {
    if (dock.isVisible() && (dock.isFloating() || !dock.visibleRegion().isEmpty())) {
        dock.close();
        return;
    }
    dock.show();
    dock.raise();
    dock.toggleViewAction()->setChecked(true);
}

}  // namespace

SessionDocks::SessionDocks(const LockTableModel& locks, EventLogModel& log, const ViewTime& time, Clock& clock,
                           const ClientColors& colors, QMainWindow& window)
    : QObject(&window),
      m_window(window),
      m_details(new DetailPanel(time, clock, &window)),
      m_events(new EventLogPanel(log, &window)),
      m_timeline(new TimelinePanel(time, clock, &window)),
      m_synchronizers(new SynchronizerPanel(time, &window)),
      m_nodes(new NodePanel(time, &window)),
      m_overview(new OverviewPanel(locks, time, clock, &window)),
      m_clients(new ClientPanel(time, colors, &window)) {
    m_details->setObjectName(QStringLiteral("detailPanel"));
    m_events->setObjectName(QStringLiteral("eventLogPanel"));
    m_timeline->setObjectName(QStringLiteral("timelinePanel"));
    m_synchronizers->setObjectName(QStringLiteral("synchronizerPanel"));
    m_nodes->setObjectName(QStringLiteral("nodePanel"));
    m_overview->setObjectName(QStringLiteral("overviewPanel"));
    m_clients->setObjectName(QStringLiteral("clientPanel"));
    m_detailDock = addDock(QStringLiteral("detailDock"), m_details, Qt::CTRL | Qt::Key_1);
    m_eventDock = addDock(QStringLiteral("eventDock"), m_events, Qt::CTRL | Qt::Key_2);
    m_timelineDock = addDock(QStringLiteral("timelineDock"), m_timeline, Qt::CTRL | Qt::Key_3);
    m_synchronizerDock = addDock(QStringLiteral("synchronizerDock"), m_synchronizers, Qt::CTRL | Qt::Key_4);
    m_nodeDock = addDock(QStringLiteral("nodeDock"), m_nodes, Qt::CTRL | Qt::Key_5);
    m_overviewDock = addDock(QStringLiteral("overviewDock"), m_overview, Qt::CTRL | Qt::Key_6);
    m_clientDock = addDock(QStringLiteral("clientDock"), m_clients, Qt::CTRL | Qt::Key_7);
    retranslate();
    window.addDockWidget(Qt::RightDockWidgetArea, m_detailDock);
    window.addDockWidget(Qt::BottomDockWidgetArea, m_eventDock);
    window.addDockWidget(Qt::BottomDockWidgetArea, m_timelineDock);
    window.splitDockWidget(m_timelineDock, m_eventDock, Qt::Vertical);
    // Most servers have no semaphore or latch with waiters, and are not part of a Cluster.
    for (QDockWidget* dock : docksBehindEvents())
        hideBehindEvents(*dock);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window.resizeDocks({m_detailDock}, {usualDetails}, Qt::Horizontal);
    window.resizeDocks({m_timelineDock, m_eventDock}, {lowestTimeline, lowestEvents}, Qt::Vertical);
    m_detailDock->hide();
    m_firstState = window.saveState();
    window.installEventFilter(this);
    m_detailDock->installEventFilter(this);
    connect(m_detailDock, &QDockWidget::topLevelChanged, this, [this] { m_doDetailsFollow = false; });
    connect(m_detailDock->toggleViewAction(), &QAction::triggered, this, [this] { m_doDetailsFollow = false; });
    connect(m_events, &EventLogPanel::lockChosen, this, &SessionDocks::lockChosen);
    connect(m_overview, &OverviewPanel::lockChosen, this, &SessionDocks::lockChosen);
    connect(m_overview, &OverviewPanel::filterWanted, this, &SessionDocks::filterWanted);
    connectTimeline();
    gatherLockActions();
}

void SessionDocks::connectTimeline() {
    TimelineWidget& timeline = m_timeline->timeline();
    connect(m_events, &EventLogPanel::currentTimeChanged, &timeline, &TimelineWidget::setMarkedTime);
    connect(&timeline, &TimelineWidget::crosshairMoved, m_events, &EventLogPanel::setCrosshair);
    connect(&timeline, &TimelineWidget::lockChosen, this, &SessionDocks::lockChosen);
    connect(&timeline, &TimelineWidget::eventChosen, m_events, &EventLogPanel::reveal);
    connect(&timeline, &TimelineWidget::eventChosen, m_eventDock, &QDockWidget::raise);
    timeline.addActions(m_details->holderSection().clientActions());
    const LaneMenu& menu = m_timeline->menu();
    connect(&menu, &LaneMenu::lockSelected, this, &SessionDocks::lockSelected);
    connect(&menu, &LaneMenu::lockChosen, this, &SessionDocks::lockChosen);
    connect(&menu, &LaneMenu::filterWanted, this, &SessionDocks::filterWanted);
    connect(&menu, &LaneMenu::eventsWanted, this, &SessionDocks::showEventsOf);
}

// The actions are made for the timeline's menu and the details, and shared with the table.
void SessionDocks::gatherLockActions() {
    const auto separator = [this] {
        auto* line = new QAction(this);
        line->setSeparator(true);
        return line;
    };
    m_lockActions << separator() << m_details->holderSection().clientActions() << separator()
                  << m_timeline->menu().lockActions();
}

void SessionDocks::showEventsOf(const LockName& name) {
    m_events->showOnly(name);
    m_eventDock->show();
    m_eventDock->raise();
}

void SessionDocks::fit(const QSize& window) {
    const int windowHeight = window.height();
    const bool isLow = windowHeight < lowLines * m_window.fontMetrics().height();
    fitDetails(window.width());
    const bool isOther = m_isLow != isLow;
    m_isLow = isLow;
    if (isOther)
        arrange(windowHeight);
    const bool areTogether = m_window.tabifiedDockWidgets(m_timelineDock).contains(m_eventDock);
    if (!isLow && !m_isArranged && !areTogether)
        share(windowHeight);
}

void SessionDocks::fitDetails(int windowWidth) {
    const int width = detailsWidth(windowWidth);
    const bool isOther = m_detailsWidth != width;
    m_detailsWidth = width;
    if (isOther && !m_isArranged)
        m_window.resizeDocks({m_detailDock}, {width}, Qt::Horizontal);
}

// Side by side in a high window, behind tabs in a low one.
void SessionDocks::arrange(int windowHeight) {
    const bool isLow = *m_isLow;
    const bool areTogether = m_window.tabifiedDockWidgets(m_timelineDock).contains(m_eventDock);
    const bool areBelow = m_window.dockWidgetArea(m_timelineDock) == m_window.dockWidgetArea(m_eventDock) &&
                          !m_timelineDock->isFloating() && !m_eventDock->isFloating();
    if (!areBelow || areTogether == isLow)
        return;
    if (isLow)
        shareTab(windowHeight);
    else
        standApart();
}

// The table keeps more than half of the height. In a high window the timeline and the events get a part of the rest,
// too: more lanes and more rows.
void SessionDocks::share(int windowHeight) {
    m_window.resizeDocks({m_timelineDock, m_eventDock},
                         {std::max(lowestTimeline, windowHeight / 4), std::max(lowestEvents, windowHeight / 6)},
                         Qt::Vertical);
}

void SessionDocks::followSelection(bool isAnySelected) {
    m_isAnySelected = isAnySelected;
    if (m_doDetailsFollow)
        m_detailDock->setVisible(isAnySelected);
}

void SessionDocks::arrangeAsAtFirst() {
    m_window.restoreState(m_firstState);
    m_isLow.reset();
    m_detailsWidth.reset();
    m_isArranged = false;
    m_doDetailsFollow = true;
    followSelection(m_isAnySelected);
    fit(m_window.window()->size());
}

void SessionDocks::saveFit(QSettings& settings) const {
    if (m_isLow)
        settings.setValue(lowKey, *m_isLow);
    settings.setValue(detailsKey, m_doDetailsFollow);
}

void SessionDocks::restoreFit(QSettings& settings) {
    const std::optional<bool> isLow = storedSwitch(settings, lowKey);
    m_isArranged = isLow.has_value();
    if (isLow)
        m_isLow = isLow;
    m_doDetailsFollow = storedSwitch(settings, detailsKey).value_or(true);
    followSelection(m_isAnySelected);
}

// A press in the window beside all panels is on the line between two of them.
bool SessionDocks::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_detailDock) {
        if (event->type() == QEvent::Close)
            m_doDetailsFollow = false;
        return QObject::eventFilter(watched, event);
    }
    if (event->type() == QEvent::MouseButtonPress && !m_window.childAt(static_cast<QMouseEvent*>(event)->pos()))
        m_isArranged = true;
    if (event->type() == QEvent::FontChange)
        fit(m_window.window()->size());
    return QObject::eventFilter(watched, event);
}

void SessionDocks::shareTab(int windowHeight) {
    for (QDockWidget* dock : QList<QDockWidget*>{m_eventDock} + docksBehindEvents())
        m_window.tabifyDockWidget(m_timelineDock, dock);
    m_timelineDock->raise();
    // The table keeps the larger part.
    m_window.resizeDocks({m_timelineDock}, {windowHeight / 4}, Qt::Vertical);
}

void SessionDocks::standApart() {
    QList<QDockWidget*> shown;
    const Qt::DockWidgetArea area = m_window.dockWidgetArea(m_timelineDock);
    // A dock that is split from a tab would become another tab.
    for (QDockWidget* dock : QList<QDockWidget*>{m_timelineDock, m_eventDock} + docksBehindEvents()) {
        if (!dock->isHidden())
            shown << dock;
        m_window.removeDockWidget(dock);
    }
    m_window.addDockWidget(area, m_timelineDock, Qt::Vertical);
    m_window.addDockWidget(area, m_eventDock, Qt::Vertical);
    for (QDockWidget* dock : docksBehindEvents())
        m_window.tabifyDockWidget(m_eventDock, dock);
    for (QDockWidget* dock : shown)
        dock->show();
    m_eventDock->raise();
}

void SessionDocks::apply(const monitor::MonitorBatch& batch) {
    m_timeline->apply(batch);
    m_synchronizers->apply(batch);
    m_nodes->apply(batch);
    m_overview->apply(batch);
    m_clients->apply(batch);
}

void SessionDocks::follow(const ConnectionStatus& status) {
    m_timeline->follow();
    m_synchronizers->follow(status);
    m_nodes->follow(status);
    m_overview->follow(status);
    m_clients->follow(status);
}

void SessionDocks::clear() {
    m_timeline->clear();
    m_synchronizers->clear();
    m_nodes->clear();
    m_overview->clear();
    m_clients->clear();
}

void SessionDocks::showNodes() {
    m_nodeDock->show();
    m_nodeDock->raise();
}

void SessionDocks::showClient(const ClientId& client) {
    m_clientDock->show();
    m_clientDock->raise();
    m_clients->reveal(client);
}

void SessionDocks::hideBehindEvents(QDockWidget& dock) {
    m_window.tabifyDockWidget(m_eventDock, &dock);
    dock.hide();
}

void SessionDocks::retranslate() {
    m_detailDock->setWindowTitle(tr("Details"));
    m_eventDock->setWindowTitle(tr("Events"));
    m_timelineDock->setWindowTitle(tr("Timeline"));
    m_synchronizerDock->setWindowTitle(tr("Semaphores and latches"));
    m_nodeDock->setWindowTitle(tr("Nodes"));
    m_overviewDock->setWindowTitle(tr("Overview"));
    m_clientDock->setWindowTitle(tr("Clients"));
}

QDockWidget* SessionDocks::addDock(const QString& objectName, QWidget* panel, const QKeySequence& shortcut) {
    auto* dock = new QDockWidget(&m_window);
    dock->setObjectName(objectName);
    dock->setWidget(panel);
    keepHighEnough(*panel);
    keepFontScaled(*dock, 1);  // a dock has a font of its own from the start
    dock->toggleViewAction()->setShortcut(shortcut);
    disconnect(dock->toggleViewAction(), SIGNAL(triggered(bool)), dock, nullptr);
    connect(dock->toggleViewAction(), &QAction::triggered, dock, [dock] { toggleDock(*dock); });
    m_toggles << dock->toggleViewAction();
    return dock;
}

}  // namespace lockkeeper::ui

#include "moc_sessiondocks.cpp"
