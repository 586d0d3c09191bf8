// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowactions.h"

#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/window/windowtoolbar.h"
#include "ui/words/locktext.h"

#include <QAction>
#include <QActionGroup>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QWhatsThis>

namespace lockkeeper::ui {

namespace {

void allowAction(QAction& action, const QString& refusal) {
    action.setEnabled(refusal.isEmpty());
    action.setToolTip(helpTip(refusal.isEmpty() ? action.statusTip() : refusal));
}

// shortText: for the tool bar.
void setTexts(QAction& action, const QString& text, const QString& shortText, const QString& statusTip = {}) {
    action.setText(text);
    action.setIconText(shortText);
    action.setStatusTip(statusTip);
}

void fill(QMenu& menu, const QList<QAction*>& actions) {
    for (QAction* action : menu.actions())
        menu.removeAction(action);
    menu.addActions(actions);
}

}  // namespace

WindowActions::WindowActions(QMainWindow& window) : QObject(&window), m_window(window) {
    makeArmActions();
    makeLockActions();
    makeOtherActions();
    makeToolActions();
    makeHelpActions();
    makeToolBar();
    makeMenus();
    retranslate();
}

QAction* WindowActions::make(const QString& objectName, const QString& iconName) {
    auto* action = new QAction(iconName.isEmpty() ? QIcon() : icon(iconName), QString(), this);
    action->setObjectName(objectName);
    return action;
}

void WindowActions::makeArmActions() {
    m_arm = make(QStringLiteral("actionArm"), QStringLiteral("lock-own"));
    m_arm->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_A);
    m_disarm = make(QStringLiteral("actionDisarm"), QStringLiteral("read-only"));
    m_disarm->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_D);
    m_rights = make(QStringLiteral("actionRights"));
    m_check = make(QStringLiteral("actionCheck"));
    connect(m_rights, &QAction::triggered, this, &WindowActions::rightsWanted);
    connect(m_check, &QAction::triggered, this, &WindowActions::checkWanted);
    connect(m_arm, &QAction::triggered, this, &WindowActions::armWanted);
    connect(m_disarm, &QAction::triggered, this, &WindowActions::disarmWanted);
}

void WindowActions::makeLockActions() {
    m_acquire = make(QStringLiteral("actionAcquire"), QStringLiteral("acquire"));
    m_acquire->setShortcut(QKeySequence::New);
    m_release = make(QStringLiteral("actionRelease"), QStringLiteral("release"));
    m_release->setShortcut(Qt::CTRL | Qt::Key_R);
    m_forceRelease = make(QStringLiteral("actionForceRelease"), QStringLiteral("force"));
    m_forceRelease->setShortcut(QKeySequence::Delete);
    m_wakeWaiters = make(QStringLiteral("actionWakeWaiters"));
    m_copyName = make(QStringLiteral("actionCopyName"), QStringLiteral("copy"));
    m_copyName->setShortcut(QKeySequence::Copy);
    m_copyReport = make(QStringLiteral("actionCopyReport"), QStringLiteral("copy"));
    // Text fields use these keys themselves.
    for (QAction* action : {m_forceRelease, m_copyName})
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(m_acquire, &QAction::triggered, this, &WindowActions::acquireWanted);
    connect(m_release, &QAction::triggered, this, &WindowActions::releaseWanted);
    connect(m_forceRelease, &QAction::triggered, this, &WindowActions::forceReleaseWanted);
    connect(m_wakeWaiters, &QAction::triggered, this, &WindowActions::wakeWaitersWanted);
    connect(m_copyName, &QAction::triggered, this, &WindowActions::copyNameWanted);
    connect(m_copyReport, &QAction::triggered, this, &WindowActions::copyReportWanted);
}

void WindowActions::makeOtherActions() {
    m_connect = make(QStringLiteral("actionConnect"), QStringLiteral("connect"));
    m_connect->setShortcut(QKeySequence::Open);
    m_demo = make(QStringLiteral("actionDemo"));
    m_lab = make(QStringLiteral("actionLab"));
    m_newTab = make(QStringLiteral("actionNewTab"));
    m_newTab->setShortcut(Qt::CTRL | Qt::Key_T);
    m_disconnect = make(QStringLiteral("actionDisconnect"), QStringLiteral("disconnect"));
    m_disconnect->setShortcut(Qt::CTRL | Qt::Key_D);
    m_closePage = make(QStringLiteral("actionClosePage"));
    m_closePage->setShortcuts({Qt::CTRL | Qt::Key_W, Qt::CTRL | Qt::Key_F4});
    m_pauseDiscovery = make(QStringLiteral("actionPauseDiscovery"), QStringLiteral("pause"));
    m_pauseDiscovery->setCheckable(true);
    m_quit = make(QStringLiteral("actionQuit"));
    m_quit->setShortcut(Qt::CTRL | Qt::Key_Q);
    m_quit->setMenuRole(QAction::QuitRole);
    m_filter = make(QStringLiteral("actionFilter"), QStringLiteral("search"));
    m_filter->setShortcut(QKeySequence::Find);
    m_waits = make(QStringLiteral("actionWaits"));
    m_waits->setShortcut(Qt::CTRL | Qt::Key_G);
    connect(m_connect, &QAction::triggered, this, &WindowActions::connectWanted);
    connect(m_demo, &QAction::triggered, this, &WindowActions::demoWanted);
    connect(m_lab, &QAction::triggered, this, &WindowActions::labWanted);
    connect(m_disconnect, &QAction::triggered, this, &WindowActions::disconnectWanted);
    connect(m_newTab, &QAction::triggered, this, &WindowActions::newTabWanted);
    connect(m_closePage, &QAction::triggered, this, &WindowActions::closePageWanted);
    connect(m_pauseDiscovery, &QAction::triggered, this, [this](bool paused) {
        Q_EMIT discoveryWanted(paused ? monitor::DiscoveryState::Paused : monitor::DiscoveryState::Running);
    });
    connect(m_quit, &QAction::triggered, this, &WindowActions::quitWanted);
    connect(m_filter, &QAction::triggered, this, &WindowActions::filterWanted);
    connect(m_waits, &QAction::triggered, this, &WindowActions::waitsWanted);
}

void WindowActions::makeHelpActions() {
    m_manual = make(QStringLiteral("actionManual"));
    m_manual->setShortcut(QKeySequence::HelpContents);
    m_explain = make(QStringLiteral("actionExplain"));
    m_explain->setShortcut(QKeySequence::WhatsThis);
    m_whatsThis = QWhatsThis::createAction(this);
    m_whatsThis->setObjectName(QStringLiteral("actionWhatsThis"));
    // The usual key explains the widget with the keyboard focus; this action is for the mouse.
    m_whatsThis->setShortcut({});
    m_about = make(QStringLiteral("actionAbout"), QStringLiteral("info"));
    m_about->setMenuRole(QAction::AboutRole);
    connect(m_manual, &QAction::triggered, this, &WindowActions::manualWanted);
    connect(m_explain, &QAction::triggered, this, &WindowActions::explainWanted);
    connect(m_about, &QAction::triggered, this, &WindowActions::aboutWanted);
}

void WindowActions::makeToolActions() {
    m_lookup = make(QStringLiteral("actionLookup"), QStringLiteral("search"));
    m_lookup->setShortcut(Qt::CTRL | Qt::Key_L);
    m_threadDump = make(QStringLiteral("actionThreadDump"));
    m_notices = make(QStringLiteral("actionNotices"));
    m_retention = make(QStringLiteral("actionRetention"));
    connect(m_lookup, &QAction::triggered, this, &WindowActions::lookupWanted);
    connect(m_threadDump, &QAction::triggered, this, &WindowActions::threadDumpWanted);
    connect(m_notices, &QAction::triggered, this, &WindowActions::noticesWanted);
    connect(m_retention, &QAction::triggered, this, &WindowActions::retentionWanted);
    makeExportActions();
}

void WindowActions::makeExportActions() {
    m_exportLocks = make(QStringLiteral("actionExportLocks"));
    m_exportEvents = make(QStringLiteral("actionExportEvents"));
    m_exportSynchronizers = make(QStringLiteral("actionExportSynchronizers"));
    m_exportReport = make(QStringLiteral("actionExportReport"));
    m_exportTimeline = make(QStringLiteral("actionExportTimeline"));
    m_exportWindow = make(QStringLiteral("actionExportWindow"));
    connect(m_exportLocks, &QAction::triggered, this, &WindowActions::locksExportWanted);
    connect(m_exportEvents, &QAction::triggered, this, &WindowActions::eventsExportWanted);
    connect(m_exportSynchronizers, &QAction::triggered, this, &WindowActions::synchronizersExportWanted);
    connect(m_exportReport, &QAction::triggered, this, &WindowActions::reportExportWanted);
    connect(m_exportTimeline, &QAction::triggered, this, &WindowActions::timelineExportWanted);
    connect(m_exportWindow, &QAction::triggered, this, &WindowActions::windowExportWanted);
}

void WindowActions::makeMenus() {
    QMenuBar& bar = *m_window.menuBar();
    m_connectionMenu = bar.addMenu(QString());
    m_connectionMenu->addActions({m_connect, m_demo, m_lab, m_newTab, m_disconnect, m_closePage});
    m_connectionMenu->addSeparator();
    m_connectionMenu->addActions({m_arm, m_disarm, m_rights, m_check});
    m_connectionMenu->addSeparator();
    m_connectionMenu->addAction(m_pauseDiscovery);
    m_connectionMenu->addSeparator();
    m_connectionMenu->addAction(m_quit);
    m_lockMenu = bar.addMenu(QString());
    m_lockMenu->addActions({m_acquire, m_release, m_forceRelease, m_wakeWaiters});
    m_lockMenu->addSeparator();
    m_afterHolder = m_lockMenu->addSeparator();
    m_lockMenu->addActions({m_copyName, m_copyReport});
    m_viewMenu = bar.addMenu(QString());
    m_viewMenu->addActions({m_filter, m_waits});
    m_sortMenu = m_viewMenu->addMenu(QString());
    m_columnMenu = m_viewMenu->addMenu(QString());
    m_viewMenu->addSeparator();
    m_afterPanels = m_viewMenu->addSeparator();
    m_afterEvents = m_viewMenu->addSeparator();
    makeThemeMenu();
    m_toolsMenu = bar.addMenu(QString());
    m_toolsMenu->addActions({m_lookup, m_threadDump});
    m_exportMenu = m_toolsMenu->addMenu(QString());
    m_exportMenu->addActions(
        {m_exportLocks, m_exportEvents, m_exportSynchronizers, m_exportReport, m_exportTimeline, m_exportWindow});
    m_toolsMenu->addSeparator();
    m_toolsMenu->addActions({m_notices, m_retention});
    m_helpMenu = bar.addMenu(QString());
    m_helpMenu->addAction(m_manual);
    m_helpMenu->addSeparator();
    m_helpMenu->addActions({m_explain, m_whatsThis});
    m_helpMenu->addSeparator();
    m_helpMenu->addAction(m_about);
    for (QMenu* menu : {m_connectionMenu, m_lockMenu, m_viewMenu, m_toolsMenu, m_exportMenu, m_helpMenu})
        menu->setToolTipsVisible(true);
}

void WindowActions::makeThemeMenu() {
    m_themeMenu = m_viewMenu->addMenu(QString());
    m_themes = new QActionGroup(this);
    for (const Theme theme : {Theme::System, Theme::Light, Theme::Dark}) {
        QAction* action = m_themes->addAction(QString());
        action->setObjectName(QStringLiteral("actionTheme_") + toString(theme));
        action->setCheckable(true);
        action->setData(static_cast<int>(theme));
        m_themeMenu->addAction(action);
    }
    connect(m_themes, &QActionGroup::triggered, this,
            [this](const QAction* action) { Q_EMIT themeWanted(static_cast<Theme>(action->data().toInt())); });
}

void WindowActions::makeToolBar() {
    m_toolBar = new WindowToolBar({{m_connect, m_disconnect}, {m_acquire, m_release, m_forceRelease}}, &m_window);
    m_window.addToolBar(m_toolBar);
    connect(m_toolBar, &WindowToolBar::armingClicked, this,
            [this] { (m_disarm->isVisible() ? m_disarm : m_arm)->trigger(); });
}

void WindowActions::showConnection(const profile::ProfileLabel& label) {
    m_toolBar->showConnection(label);
}

void WindowActions::showArming(const ConnectionStatus& status, const Arming& arming, Clock& clock) {
    m_toolBar->showArming(status, arming, clock);
    m_arm->setVisible(!arming.isArmed());
    m_disarm->setVisible(arming.isArmed());
}

// ---- texts ----

void WindowActions::retranslate() {
    nameMenus();
    nameConnectionActions();
    nameViewActions();
    nameToolActions();
    nameHelpActions();
    setTexts(*m_acquire, tr("&Acquire…"), tr("Acquire"), tr("Take a lock for this console"));
    setTexts(*m_copyName, tr("&Copy name"), tr("Copy name"),
             tr("Copy the selected lock's name as the server has it: its key"));
    setTexts(
        *m_copyReport, tr("Copy &incident report"), tr("Copy report"),
        tr("Copy what is known of the selected lock as Markdown, to hand it over: holder, host, diagnoses, events"));
    nameLock({});
}

void WindowActions::nameMenus() {
    m_connectionMenu->setTitle(tr("&Connection"));
    m_lockMenu->setTitle(tr("&Lock"));
    m_viewMenu->setTitle(tr("&View"));
    m_sortMenu->setTitle(tr("&Sort by"));
    m_columnMenu->setTitle(tr("&Columns"));
    m_themeMenu->setTitle(tr("&Theme"));
    m_toolsMenu->setTitle(tr("&Tools"));
    m_exportMenu->setTitle(tr("&Export"));
    m_helpMenu->setTitle(tr("&Help"));
    m_toolBar->setWindowTitle(tr("Tool bar"));
}

void WindowActions::nameConnectionActions() {
    setTexts(*m_connect, tr("&Connect…"), tr("Connect"), tr("Connect to a Redis server"));
    setTexts(*m_demo, tr("Open the d&emo"), tr("Demo"),
             tr("Start a private server with simulated clients, to try everything without risk"));
    setTexts(*m_lab, tr("Open the la&b"), tr("Lab"),
             tr("See how the locks work, and how they break, on private servers"));
    setTexts(*m_disconnect, tr("&Disconnect"), tr("Disconnect"), tr("End the connection"));
    setTexts(*m_newTab, tr("New &tab"), tr("New tab"),
             tr("Show the saved and recent connections in a tab of their own"));
    setTexts(*m_closePage, tr("C&lose this connection"), tr("Close"), tr("End the connection and close its tab"));
    setTexts(*m_arm, tr("&Arm…"), tr("Arm"),
             tr("Allow this connection to write for some minutes; until then it is read-only"));
    setTexts(*m_disarm, tr("Dis&arm"), tr("Disarm"), tr("Make this connection read-only again"));
    setTexts(*m_rights, tr("&Rights…"), tr("Rights"),
             tr("What this connection may not do on its server, what that costs, and the rights it needs, to copy"));
    setTexts(*m_check, tr("C&heck the server…"), tr("Check"),
             tr("What this server does not have or refuses, and what locks cannot do here because of it"));
    setTexts(*m_pauseDiscovery, tr("&Pause discovery"), tr("Pause"),
             tr("Stop searching for locks with new names; the locks on screen are still watched"));
    setTexts(*m_quit, tr("&Quit"), tr("Quit"));
}

void WindowActions::nameViewActions() {
    setTexts(*m_filter, tr("&Filter locks"), tr("Filter"));
    setTexts(*m_waits, tr("&Who waits for whom…"), tr("Waits"),
             tr("Every known waiter with who holds what it waits for; deadlocks first"));
    const QStringList themes{tr("As the &system"), tr("&Light"), tr("&Dark")};
    for (qsizetype i = 0; i < themes.size(); ++i)
        m_themes->actions().at(i)->setText(themes.at(i));
}

void WindowActions::nameToolActions() {
    setTexts(*m_lookup, tr("&Look up an error or a holder…"), tr("Look up"),
             tr("Paste an exception, a log line or an id, and see what became of that holder's locks"));
    setTexts(*m_threadDump, tr("Read a thread &dump…"), tr("Thread dump"),
             tr("What the threads of the holders do, by a thread dump of their JVM"));
    setTexts(*m_notices, tr("&Notifications…"), tr("Notifications"),
             tr("Be notified of locks that are held too long, will expire soon, or have a diagnosis"));
    setTexts(*m_retention, tr("&History on disk…"), tr("History"), tr("How much of the past is kept, and deleting it"));
    setTexts(*m_exportLocks, tr("The &locks shown…"), tr("Locks"),
             tr("The table as filtered and sorted, with all its columns, as CSV or JSON"));
    setTexts(*m_exportEvents, tr("The &events shown…"), tr("Events"), tr("The event log as filtered, as CSV or JSON"));
    setTexts(*m_exportSynchronizers, tr("The &semaphores and latches…"), tr("Semaphores and latches"),
             tr("Those that have waiters, as CSV or JSON"));
    setTexts(*m_exportReport, tr("The &incident report…"), tr("Incident report"),
             tr("What is known of the selected lock, as Markdown with a picture of the timeline beside it"));
    setTexts(*m_exportTimeline, tr("The &timeline…"), tr("Timeline"), tr("As a picture, as it is now"));
    setTexts(*m_exportWindow, tr("The &window…"), tr("Window"), tr("As a picture, as it is now"));
}

void WindowActions::nameHelpActions() {
    setTexts(*m_manual, tr("&Manual"), tr("Manual"),
             tr("Open the manual at the page for the part of the window that has the keyboard"));
    setTexts(*m_explain, tr("&Explain this"), tr("Explain"),
             tr("Explain the selected cell, or the field that has the keyboard"));
    setTexts(*m_whatsThis, tr("&What's this?"), tr("What's this?"));
    setTexts(*m_about, tr("&About Lockkeeper"), tr("About"));
}

void WindowActions::showPageActions(const PageActions& page) {
    for (QAction* action : std::exchange(m_pageActions, page.groups + page.panels + page.events))
        m_viewMenu->removeAction(action);
    for (QAction* action : std::exchange(m_holderActions, page.holder))
        m_lockMenu->removeAction(action);
    m_lockMenu->insertActions(m_afterHolder, page.holder);
    m_viewMenu->insertActions(m_columnMenu->menuAction(), page.groups);
    m_viewMenu->insertActions(m_afterPanels, page.panels);
    m_viewMenu->insertActions(m_afterEvents, page.events);
    fill(*m_sortMenu, page.sort);
    fill(*m_columnMenu, page.columns);
}

void WindowActions::addTo(QWidget& view) {
    view.addActions({m_release, m_forceRelease, m_wakeWaiters, m_copyName, m_copyReport});
}

void WindowActions::add(Menu menu, const QList<QAction*>& actions) {
    switch (menu) {
        case Menu::Connection:
            return m_connectionMenu->insertActions(m_connectionMenu->insertSeparator(m_quit), actions);
        case Menu::Lock:
            return m_lockMenu->addActions(actions);
        case Menu::View:
            return m_viewMenu->insertActions(m_themeMenu->menuAction(), actions);
        case Menu::Tools:
            m_toolsMenu->addSeparator();
            return m_toolsMenu->addActions(actions);
        case Menu::Help:
            return m_helpMenu->insertActions(m_explain, actions);
    }
}

void WindowActions::allow(const ActionRefusals& refusals) {
    allowAction(*m_disconnect, refusals.disconnect);
    allowAction(*m_pauseDiscovery, refusals.pauseDiscovery);
    allowAction(*m_arm, refusals.arm);
    allowAction(*m_acquire, refusals.acquire);
    allowAction(*m_release, refusals.release);
    allowAction(*m_forceRelease, refusals.forceRelease);
    allowAction(*m_wakeWaiters, refusals.wakeWaiters);
    allowAction(*m_copyName, refusals.copyName);
    for (QAction* action : {m_copyReport, m_exportReport})
        allowAction(*action, refusals.report);
}

void WindowActions::nameLock(const QString& lock) {
    const QString name = withoutMnemonic(shortened(lock, 40));
    setTexts(*m_release, lock.isEmpty() ? tr("&Release") : tr("&Release %1").arg(name), tr("Release"),
             tr("Release one hold of the selected lock"));
    setTexts(*m_forceRelease, lock.isEmpty() ? tr("&Force-release…") : tr("&Force-release %1…").arg(name),
             tr("Force-release"), tr("Break the selected lock even if another client holds it; asks first"));
    setTexts(*m_wakeWaiters, lock.isEmpty() ? tr("&Wake waiters…") : tr("&Wake the waiters of %1…").arg(name),
             tr("Wake waiters"),
             tr("Wake those who sleep although the lock is free, or remove a dead one; asks first"));
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
