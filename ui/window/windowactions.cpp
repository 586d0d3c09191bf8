#include "ui/window/windowactions.h"

#include "ui/help/helptip.h"
#include "ui/look/icons.h"
#include "ui/words/locktext.h"

#include <QAction>
#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QWhatsThis>

namespace lockkeeper::ui {

namespace {

void allowAction(QAction& action, const QString& refusal) {
    action.setEnabled(refusal.isEmpty());
    action.setToolTip(helpTip(refusal.isEmpty() ? action.statusTip() : refusal));
}

}  // namespace

WindowActions::WindowActions(QMainWindow& window) : QObject(&window), m_window(window) {
    makeLockActions();
    makeOtherActions();
    makeToolActions();
    makeHelpActions();
    nameLock({});
}

QAction* WindowActions::make(const QString& objectName, const QString& iconName, const QString& text,
                             const QString& shortText) {
    auto* action = new QAction(iconName.isEmpty() ? QIcon() : icon(iconName), text, this);
    action->setObjectName(objectName);
    action->setIconText(shortText);
    return action;
}

void WindowActions::makeLockActions() {
    m_acquire = make(QStringLiteral("actionAcquire"), QStringLiteral("acquire"), tr("&Acquire…"), tr("Acquire"));
    m_acquire->setShortcut(QKeySequence::New);
    m_acquire->setStatusTip(tr("Take a lock for this console"));
    m_release = make(QStringLiteral("actionRelease"), QStringLiteral("release"), QString(), tr("Release"));
    m_release->setShortcut(Qt::CTRL | Qt::Key_R);
    m_release->setStatusTip(tr("Give back one hold of the selected lock"));
    m_forceRelease =
        make(QStringLiteral("actionForceRelease"), QStringLiteral("force"), QString(), tr("Force-release"));
    m_forceRelease->setShortcut(QKeySequence::Delete);
    m_forceRelease->setStatusTip(tr("Break the selected lock, whoever holds it; asks first"));
    m_copyName = make(QStringLiteral("actionCopyName"), QStringLiteral("copy"), tr("&Copy name"), tr("Copy name"));
    m_copyName->setShortcut(QKeySequence::Copy);
    m_copyName->setStatusTip(tr("Copy the selected lock's name"));
    // Text fields have keys of these meanings of their own.
    for (QAction* action : {m_forceRelease, m_copyName})
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(m_acquire, &QAction::triggered, this, &WindowActions::acquireWanted);
    connect(m_release, &QAction::triggered, this, &WindowActions::releaseWanted);
    connect(m_forceRelease, &QAction::triggered, this, &WindowActions::forceReleaseWanted);
    connect(m_copyName, &QAction::triggered, this, &WindowActions::copyNameWanted);
}

void WindowActions::makeOtherActions() {
    m_connect = make(QStringLiteral("actionConnect"), QStringLiteral("connect"), tr("&Connect…"), tr("Connect"));
    m_connect->setShortcut(QKeySequence::Open);
    m_connect->setStatusTip(tr("Connect to a Redis server"));
    m_demo = make(QStringLiteral("actionDemo"), QString(), tr("Open the d&emo"), tr("Demo"));
    m_demo->setStatusTip(tr("Start a private server with simulated clients, to look around without risk"));
    m_disconnect =
        make(QStringLiteral("actionDisconnect"), QStringLiteral("disconnect"), tr("&Disconnect"), tr("Disconnect"));
    m_disconnect->setShortcut(Qt::CTRL | Qt::Key_D);
    m_disconnect->setStatusTip(tr("End the connection"));
    m_pauseDiscovery =
        make(QStringLiteral("actionPauseDiscovery"), QStringLiteral("pause"), tr("&Pause discovery"), tr("Pause"));
    m_pauseDiscovery->setCheckable(true);
    m_pauseDiscovery->setStatusTip(tr("Stop looking for locks of new names; those on screen are watched all the same"));
    m_quit = make(QStringLiteral("actionQuit"), QString(), tr("&Quit"), tr("Quit"));
    m_quit->setShortcut(Qt::CTRL | Qt::Key_Q);
    m_quit->setMenuRole(QAction::QuitRole);
    m_filter = make(QStringLiteral("actionFilter"), QStringLiteral("search"), tr("&Filter locks"), tr("Filter"));
    m_filter->setShortcut(QKeySequence::Find);
    m_waits = make(QStringLiteral("actionWaits"), QString(), tr("&Who waits for whom…"), tr("Waits"));
    m_waits->setShortcut(Qt::CTRL | Qt::Key_W);
    m_waits->setStatusTip(tr("Every known waiter with who holds what it waits for; deadlocks first"));
    connect(m_connect, &QAction::triggered, this, &WindowActions::connectWanted);
    connect(m_demo, &QAction::triggered, this, &WindowActions::demoWanted);
    connect(m_disconnect, &QAction::triggered, this, &WindowActions::disconnectWanted);
    connect(m_pauseDiscovery, &QAction::triggered, this, [this](bool paused) {
        Q_EMIT discoveryWanted(paused ? monitor::DiscoveryState::Paused : monitor::DiscoveryState::Running);
    });
    connect(m_quit, &QAction::triggered, this, &WindowActions::quitWanted);
    connect(m_filter, &QAction::triggered, this, &WindowActions::filterWanted);
    connect(m_waits, &QAction::triggered, this, &WindowActions::waitsWanted);
}

void WindowActions::makeHelpActions() {
    m_manual = make(QStringLiteral("actionManual"), QString(), tr("&Manual"), tr("Manual"));
    m_manual->setShortcut(QKeySequence::HelpContents);
    m_manual->setStatusTip(tr("Open the manual at the page for the part of the window that has the keyboard"));
    m_explain = make(QStringLiteral("actionExplain"), QString(), tr("&Explain this"), tr("Explain"));
    m_explain->setShortcut(QKeySequence::WhatsThis);
    m_explain->setStatusTip(tr("What the selected cell, or the field the keyboard is in, says"));
    m_whatsThis = QWhatsThis::createAction(this);
    m_whatsThis->setObjectName(QStringLiteral("actionWhatsThis"));
    // Its usual key explains what the keyboard is in; this action is for the mouse.
    m_whatsThis->setShortcut({});
    m_about = make(QStringLiteral("actionAbout"), QStringLiteral("info"), tr("&About Lockkeeper"), tr("About"));
    m_about->setMenuRole(QAction::AboutRole);
    connect(m_manual, &QAction::triggered, this, &WindowActions::manualWanted);
    connect(m_explain, &QAction::triggered, this, &WindowActions::explainWanted);
    connect(m_about, &QAction::triggered, this, &WindowActions::aboutWanted);
}

void WindowActions::makeToolActions() {
    m_lookup = make(QStringLiteral("actionLookup"), QStringLiteral("search"), tr("&Look up an error or a holder…"),
                    tr("Look up"));
    m_lookup->setShortcut(Qt::CTRL | Qt::Key_L);
    m_lookup->setStatusTip(tr("Paste an exception, a log line or an id, and see what became of that holder's locks"));
    m_notices = make(QStringLiteral("actionNotices"), QString(), tr("&Notifications…"), tr("Notifications"));
    m_notices->setStatusTip(tr("Be told of locks that are held too long, run low, or have a diagnosis"));
    m_retention = make(QStringLiteral("actionRetention"), QString(), tr("&History on disk…"), tr("History"));
    m_retention->setStatusTip(tr("How much of the past is kept, and deleting it"));
    connect(m_lookup, &QAction::triggered, this, &WindowActions::lookupWanted);
    connect(m_notices, &QAction::triggered, this, &WindowActions::noticesWanted);
    connect(m_retention, &QAction::triggered, this, &WindowActions::retentionWanted);
    makeExportActions();
}

void WindowActions::makeExportActions() {
    const auto add = [this](const QString& objectName, const QString& text, const QString& statusTip, auto signal) {
        QAction* action = make(objectName, QString(), text, text);
        action->setStatusTip(statusTip);
        connect(action, &QAction::triggered, this, signal);
        m_exports << action;
    };
    add(QStringLiteral("actionExportLocks"), tr("The &locks shown…"),
        tr("The table as filtered and sorted, with all its columns, as CSV or JSON"),
        &WindowActions::locksExportWanted);
    add(QStringLiteral("actionExportEvents"), tr("The &events shown…"), tr("The event log as filtered, as CSV or JSON"),
        &WindowActions::eventsExportWanted);
    add(QStringLiteral("actionExportSynchronizers"), tr("The &semaphores and latches…"),
        tr("Those that somebody waits for, as CSV or JSON"), &WindowActions::synchronizersExportWanted);
    add(QStringLiteral("actionExportTimeline"), tr("The &timeline…"), tr("As a picture, as it is now"),
        &WindowActions::timelineExportWanted);
    add(QStringLiteral("actionExportWindow"), tr("The &window…"), tr("As a picture, as it is now"),
        &WindowActions::windowExportWanted);
}

void WindowActions::makeToolsMenu(QMenu& tools) {
    tools.addAction(m_lookup);
    QMenu* exports = tools.addMenu(tr("&Export"));
    exports->setToolTipsVisible(true);
    exports->addActions(m_exports);
    tools.addSeparator();
    tools.addActions({m_notices, m_retention});
}

void WindowActions::makeMenus(const QList<QAction*>& sortActions, const QList<QAction*>& panelActions,
                              const QList<QAction*>& eventActions) {
    QMenuBar& bar = *m_window.menuBar();
    QMenu* connection = bar.addMenu(tr("&Connection"));
    connection->addActions({m_connect, m_demo, m_disconnect});
    connection->addSeparator();
    connection->addAction(m_pauseDiscovery);
    connection->addSeparator();
    connection->addAction(m_quit);
    QMenu* lock = bar.addMenu(tr("&Lock"));
    lock->addActions({m_acquire, m_release, m_forceRelease});
    lock->addSeparator();
    lock->addAction(m_copyName);
    QMenu* view = bar.addMenu(tr("&View"));
    view->addActions({m_filter, m_waits});
    view->addMenu(tr("&Sort by"))->addActions(sortActions);
    view->addSeparator();
    view->addActions(panelActions);
    view->addSeparator();
    view->addActions(eventActions);
    view->addSeparator();
    makeThemeMenu(*view);
    QMenu* tools = bar.addMenu(tr("&Tools"));
    makeToolsMenu(*tools);
    QMenu* help = bar.addMenu(tr("&Help"));
    help->addAction(m_manual);
    help->addSeparator();
    help->addActions({m_explain, m_whatsThis});
    help->addSeparator();
    help->addAction(m_about);
    for (QMenu* menu : {connection, lock, view, tools, help})
        menu->setToolTipsVisible(true);
}

void WindowActions::makeThemeMenu(QMenu& view) {
    QMenu* menu = view.addMenu(tr("&Theme"));
    m_themes = new QActionGroup(this);
    const std::initializer_list<std::pair<Theme, QString>> themes = {
        {Theme::System, tr("As the &system")}, {Theme::Light, tr("&Light")}, {Theme::Dark, tr("&Dark")}};
    for (const auto& [theme, text] : themes) {
        QAction* action = m_themes->addAction(text);
        action->setObjectName(QStringLiteral("actionTheme_") + toString(theme));
        action->setCheckable(true);
        action->setData(static_cast<int>(theme));
        menu->addAction(action);
    }
    connect(m_themes, &QActionGroup::triggered, this,
            [this](const QAction* action) { Q_EMIT themeWanted(static_cast<Theme>(action->data().toInt())); });
}

void WindowActions::makeToolBar() {
    QToolBar* bar = m_window.addToolBar(tr("Tool bar"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize(QSize(18, 18));
    bar->addActions({m_connect, m_disconnect});
    bar->addSeparator();
    bar->addActions({m_acquire, m_release, m_forceRelease});
}

void WindowActions::addTo(QWidget& table) {
    table.addActions({m_release, m_forceRelease, m_copyName});
}

void WindowActions::allow(const ActionRefusals& refusals) {
    allowAction(*m_disconnect, refusals.disconnect);
    allowAction(*m_pauseDiscovery, refusals.pauseDiscovery);
    allowAction(*m_acquire, refusals.acquire);
    allowAction(*m_release, refusals.release);
    allowAction(*m_forceRelease, refusals.forceRelease);
    allowAction(*m_copyName, refusals.copyName);
}

void WindowActions::nameLock(const QString& lock) {
    const QString name = withoutMnemonic(shortened(lock, 40));
    m_release->setText(lock.isEmpty() ? tr("&Release") : tr("&Release %1").arg(name));
    m_forceRelease->setText(lock.isEmpty() ? tr("&Force-release…") : tr("&Force-release %1…").arg(name));
    m_release->setIconText(tr("Release"));
    m_forceRelease->setIconText(tr("Force-release"));
}

void WindowActions::checkDiscovery(monitor::DiscoveryState state) {
    m_pauseDiscovery->setChecked(state == monitor::DiscoveryState::Paused);
}

void WindowActions::checkTheme(Theme theme) {
    for (QAction* action : m_themes->actions())
        action->setChecked(action->data().toInt() == static_cast<int>(theme));
}

}  // namespace lockkeeper::ui

#include "moc_windowactions.cpp"
