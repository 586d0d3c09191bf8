#include "ui/session/sessiondocks.h"

#include "ui/detail/detailpanel.h"
#include "ui/events/eventlogpanel.h"
#include "ui/synchronizers/synchronizerpanel.h"
#include "ui/timeline/timelinepanel.h"

#include <QAction>
#include <QDockWidget>
#include <QMainWindow>

namespace lockkeeper::ui {

SessionDocks::SessionDocks(EventLogModel& log, const ViewTime& time, Clock& clock, QMainWindow& window)
    : QObject(&window),
      m_window(window),
      m_details(new DetailPanel(time, clock, &window)),
      m_events(new EventLogPanel(log, &window)),
      m_timeline(new TimelinePanel(time, clock, &window)),
      m_synchronizers(new SynchronizerPanel(time, &window)) {
    m_details->setObjectName(QStringLiteral("detailPanel"));
    m_events->setObjectName(QStringLiteral("eventLogPanel"));
    m_timeline->setObjectName(QStringLiteral("timelinePanel"));
    m_synchronizers->setObjectName(QStringLiteral("synchronizerPanel"));
    QDockWidget* details = addDock(QStringLiteral("detailDock"), tr("Details"), m_details, Qt::CTRL | Qt::Key_1);
    QDockWidget* events = addDock(QStringLiteral("eventDock"), tr("Events"), m_events, Qt::CTRL | Qt::Key_2);
    QDockWidget* timeline = addDock(QStringLiteral("timelineDock"), tr("Timeline"), m_timeline, Qt::CTRL | Qt::Key_3);
    QDockWidget* synchronizers = addDock(QStringLiteral("synchronizerDock"), tr("Semaphores and latches"),
                                         m_synchronizers, Qt::CTRL | Qt::Key_4);
    window.addDockWidget(Qt::RightDockWidgetArea, details);
    window.addDockWidget(Qt::BottomDockWidgetArea, events);
    window.addDockWidget(Qt::BottomDockWidgetArea, timeline);
    window.splitDockWidget(timeline, events, Qt::Vertical);
    // Most servers have none that somebody waits for. Who asks for them wants to see them, and not the events before.
    window.tabifyDockWidget(events, synchronizers);
    synchronizers->hide();
    connect(synchronizers->toggleViewAction(), &QAction::triggered, synchronizers, &QDockWidget::raise);
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window.resizeDocks({details}, {340}, Qt::Horizontal);
    window.resizeDocks({timeline, events}, {260, 190}, Qt::Vertical);
    connect(m_events, &EventLogPanel::lockChosen, this, &SessionDocks::lockChosen);
    connect(&m_timeline->timeline(), &TimelineWidget::lockChosen, this, &SessionDocks::lockChosen);
    connect(&m_timeline->timeline(), &TimelineWidget::eventChosen, m_events, &EventLogPanel::reveal);
    connect(&m_timeline->timeline(), &TimelineWidget::eventChosen, events, &QDockWidget::raise);
}

void SessionDocks::apply(const monitor::MonitorBatch& batch) {
    m_timeline->apply(batch);
    m_synchronizers->apply(batch);
}

void SessionDocks::follow(const ConnectionStatus& status) {
    m_timeline->follow();
    m_synchronizers->follow(status);
}

void SessionDocks::clear() {
    m_timeline->clear();
    m_synchronizers->clear();
}

QDockWidget* SessionDocks::addDock(const QString& objectName, const QString& title, QWidget* panel,
                                  const QKeySequence& shortcut) {
    auto* dock = new QDockWidget(title, &m_window);
    dock->setObjectName(objectName);
    dock->setWidget(panel);
    dock->toggleViewAction()->setShortcut(shortcut);
    m_toggles << dock->toggleViewAction();
    return dock;
}

}  // namespace lockkeeper::ui

#include "moc_sessiondocks.cpp"
