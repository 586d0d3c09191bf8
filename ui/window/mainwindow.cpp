// SPDX-License-Identifier: Apache-2.0
#include "ui/window/mainwindow.h"

#include "engine/replayengine.h"
#include "ui/base/icons.h"
#include "ui/base/messagebar.h"
#include "ui/base/retranslating.h"
#include "ui/base/windowstate.h"
#include "ui/lab/labpage.h"
#include "ui/locks/clients/clientnames.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/session/sessiontools.h"
#include "ui/session/statusbar.h"
#include "ui/window/actionroutes.h"
#include "ui/window/connectioncontroller.h"
#include "ui/window/exitcontroller.h"
#include "ui/window/firstsweepscreenshot.h"
#include "ui/window/recordingcontroller.h"
#include "ui/window/settings/appearance.h"
#include "ui/window/shelltools.h"
#include "ui/window/start/startpage.h"
#include "ui/window/tabs/sessiontabs.h"
#include "ui/window/tabs/tablook.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowmessages.h"
#include "ui/window/windowtoolbar.h"
#include "ui/words/redissontext.h"

#include <QCloseEvent>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QStatusTipEvent>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr QSize firstWindowSize(1600, 880);
const auto geometryKey = QStringLiteral("window/geometry");
const auto shellStateKey = QStringLiteral("window/shell");

}  // namespace

MainWindow::MainWindow(Engine& engine, Clock& clock, QSettings& settings, profile::ProfileStore& profiles,
                       QWidget* parent)
    : QMainWindow(parent), m_engine(engine), m_clock(clock), m_settings(settings) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(applicationIcon());
    m_appearance = new Appearance(settings, this);
    m_names = new ClientNames(settings, this);
    m_connections = new ConnectionController(engine, settings, profiles, clock, *this);
    m_exit = new ExitController(engine, *this);
    connect(m_exit, &ExitController::answered, this,
            [this](SessionPage* page, control::OwnLocksAtExit ownLocks) { removePage(*page, ownLocks); });
    makeTabs();
    makeActions();
    postHistoryProblems(engine, *this);
    restoreSettings();
    addPage();
    postDroppedSettings(m_settings, *this);
    keepTranslated(*this, [this] { retranslate(); });
}

MainWindow::~MainWindow() {
    // The pages emit signals while they are destroyed.
    disconnect(m_tabs, nullptr, this, nullptr);
    for (SessionPage* page : pages())
        page->disconnect(this);
}

void MainWindow::retranslate() {
    m_actions->retranslate();
    updateActions();
    showConnection();
    m_tabs->retranslate();
    m_connections->showPhases();
    m_exit->retranslate();
}

void MainWindow::makeTabs() {
    m_tabs = new SessionTabs(this);
    setCentralWidget(m_tabs);
    connect(m_tabs, &QTabWidget::currentChanged, this, &MainWindow::showPage);
    connect(m_tabs, &SessionTabs::closeWanted, this, &MainWindow::closePage);
}

void MainWindow::makeActions() {
    m_actions = new WindowActions(*this);
    routeActions(*m_actions, *this);
    connect(m_actions, &WindowActions::themeWanted, m_appearance, &Appearance::setTheme);
    connect(m_appearance, &Appearance::changed, this, [this] { m_actions->checkTheme(m_appearance->theme()); });
    m_actions->checkTheme(m_appearance->theme());
    m_recordings = new RecordingController(*this);
    m_actions->add(WindowActions::Menu::Connection, m_recordings->actions());
    m_tools = new ShellTools(
        {m_engine, *m_actions, *m_appearance, m_connections->known(), *m_tabs, *m_names, m_clock, m_settings}, *this);
}

// ---- pages ----

void MainWindow::openOther(const profile::ConnectionProfile& other, const SessionPage& page) {
    const auto shows = [&other](const SessionPage* one) {
        const auto* open = std::get_if<profile::ConnectionProfile>(&one->target());
        const bool isSame = open && open->addressId() == other.addressId() && open->deployment == other.deployment;
        return isSame && !one->isFree();
    };
    const QList<SessionPage*> all = pages();
    const auto open = std::ranges::find_if(all, shows);
    if (open == all.end())
        pageForConnection().connectTo(other, {QString(), page.label().environment, page.label().color});
    else
        m_tabs->bringToFront(**open);
}

void MainWindow::open(const profile::StoredProfile& stored) {
    for (const SessionPage* page : pages()) {
        const auto* target = std::get_if<profile::ConnectionProfile>(&page->target());
        if (target && target->id == stored.profile.id && !page->isFree())
            return m_tabs->bringToFront(*page);
    }
    m_connections->open(stored);
}

void MainWindow::setAuditFolder(const QString& folder) {
    m_tools->setAuditFolder(folder);
    for (SessionPage* page : pages())
        page->tools().setAuditFolder(folder);
}

SessionPage& MainWindow::currentPage() const {
    return m_tabs->currentPage();
}

MessageBar& MainWindow::messages() const {
    return m_tabs->currentTab().messages();
}

Recordable& MainWindow::recordable() const {
    return m_tabs->currentTab().recordable();
}

QList<QWidget*> MainWindow::panes() const {
    return m_tabs->currentTab().panes();
}

QList<SessionPage*> MainWindow::pages() const {
    return m_tabs->pages();
}

SessionPage& MainWindow::addPage() {
    SessionPage& page = addPage(*new SessionPage(m_engine, m_clock, m_settings, *m_names, m_tabs));
    page.tools().setAuditFolder(m_tools->auditFolder());
    return page;
}

SessionPage& MainWindow::addPage(SessionPage& page) {
    auto* tab = new SessionTab(*new StartPage(m_connections->known(), m_clock), page, m_tabs);
    for (QWidget* view : page.lockViews())
        m_actions->addTo(*view);
    page.offerLockActions(m_actions->lockActions() + m_tools->lockActions());
    followPage(page);
    followStart(*tab);
    connect(tab, &SessionTab::labReplayShown, this, [this, &page] { showTab(page); });
    m_tabs->addTab(tab, QString());
    showTab(page);
    m_tabs->setCurrentWidget(tab);
    return page;
}

void MainWindow::followStart(SessionTab& tab) {
    const StartPage* start = &tab.start();
    connect(start, &StartPage::connectWanted, this, &MainWindow::openConnectDialog);
    connect(start, &StartPage::demoWanted, this, [this] { connectToDemo(redis::AccessMode::ReadWrite); });
    connect(start, &StartPage::labWanted, this, &MainWindow::openLab);
    connect(start, &StartPage::experimentWanted, this, &MainWindow::openExperiment);
    connect(start, &StartPage::recordingWanted, this, &MainWindow::openRecording);
    connect(start, &StartPage::redissonFileWanted, m_connections, &ConnectionController::askForRedissonFile);
    connect(start, &StartPage::openWanted, this, &MainWindow::open);
    connect(start, &StartPage::editWanted, m_connections, &ConnectionController::edit);
    connect(start, &StartPage::duplicateWanted, m_connections, &ConnectionController::duplicate);
    connect(start, &StartPage::removeWanted, m_connections, &ConnectionController::remove);
}

void MainWindow::followPage(SessionPage& page) {
    connect(&page, &SessionPage::statusChanged, this, [this, &page] {
        showTab(page);
        m_exit->update();
        if (&page == &currentPage())
            showConnection();
    });
    connect(&page, &SessionPage::armingChanged, this, [this, &page] {
        showTab(page);
        if (&page == &currentPage())
            showArming();
    });
    connect(&page, &SessionPage::recordingChanged, this, &MainWindow::updateActions);
    connect(&page, &SessionPage::lossChanged, this, [this, &page] { showTab(page); });
    connect(&page, &SessionPage::actionsChanged, this, [this, &page] {
        if (&page == &currentPage())
            updateActions();
    });
    connect(&page, &SessionPage::ownLocksChanged, m_exit, &ExitController::update);
    connect(&page, &SessionPage::connectWanted, this, &MainWindow::openConnectDialog);
    connect(&page, &SessionPage::otherWanted, this,
            [this, &page](const profile::ConnectionProfile& other) { openOther(other, page); });
    connect(&page, &SessionPage::editWanted, this, [this, &page] { m_connections->openDialog(&page); });
    m_tools->follow(page);
}

SessionPage& MainWindow::pageForConnection() {
    SessionPage* free = freePage();
    return free ? *free : addPage();
}

SessionPage* MainWindow::freePage() const {
    return m_tabs->currentTab().isFree() ? &currentPage() : nullptr;
}

void MainWindow::openLab() {
    if (m_tabs->bringLabToFront())
        return;
    const SessionPage& page = pageForConnection();
    SessionTab& tab = m_tabs->tabAt(m_tabs->indexOfPage(page));
    auto* lab = new LabPage(m_engine, m_clock, &tab);
    connect(lab, &LabPage::recordingChanged, this, &MainWindow::updateActions);
    tab.showLab(*lab);
    showTab(page);
    showTitle();
    updateActions();
}

void MainWindow::openExperiment(const QByteArray& id) {
    openLab();
    m_tabs->currentTab().lab()->showExperiment(id);
}

void MainWindow::openStartPage() {
    if (!m_tabs->bringStartToFront())
        addPage();
}

void MainWindow::closePage(SessionPage& page) {
    if (m_exit->isUnderWay() || !page.isEnabled())
        return;
    if (page.ownLocks().isEmpty())
        removePage(page, control::OwnLocksAtExit::Release);
    else
        m_exit->askAboutLocksOf(page);
}

// The tab stays, greyed out, until the session has ended.
void MainWindow::removePage(SessionPage& page, control::OwnLocksAtExit ownLocks) {
    connect(&page, &SessionPage::closed, this, [this, &page] {
        page.saveSettings();
        page.disconnect(this);
        if (m_tabs->count() == 1)
            addPage();
        const int index = m_tabs->indexOfPage(page);
        SessionTab& tab = m_tabs->tabAt(index);
        m_tabs->removeTab(index);
        m_connections->showPhases();
        tab.deleteLater();
    });
    page.setEnabled(false);
    page.closeSession(ownLocks);
}

void MainWindow::showPage() {
    if (m_tabs->currentIndex() < 0)
        return;
    const SessionPage& page = currentPage();
    m_actions->showPageActions(page.pageActions());
    updateActions();
    showConnection();
    m_tools->nameClients();
}

void MainWindow::showConnection() {
    m_actions->showConnection(currentPage().label());
    showArming();
    showTitle();
}

void MainWindow::showArming() {
    m_actions->showArming(currentPage().status(), currentPage().arming(), m_clock);
}

void MainWindow::showTitle() {
    setWindowTitle(m_tabs->currentTab().isLab() ? labTitle() : titleOf(currentPage()));
}

void MainWindow::showTab(const SessionPage& page) {
    m_tabs->showTab(page);
    m_connections->showPhases();
}

void MainWindow::updateActions() {
    const SessionPage& page = currentPage();
    m_actions->nameLock(page.lockForActions());
    m_actions->allow(page.refusals());
    m_actions->checkDiscovery(page.discovery());
    m_recordings->update();
}

// ---- connecting ----

void MainWindow::connectTo(const profile::ConnectionProfile& profile) {
    pageForConnection().connectTo(profile);
}

void MainWindow::connectToDemo(redis::AccessMode access) {
    pageForConnection().connectToDemo(access);
}

void MainWindow::openConnectDialog() {
    m_connections->openDialog(freePage());
}

void MainWindow::openRedissonFile(const QString& path) {
    m_connections->openRedissonFile(path);
}

void MainWindow::openRecording(const QString& path) {
    openReplay(path);
}

void MainWindow::openPastedText(const QByteArray& text) {
    openReplay({text, tr("Pasted text"), m_clock.wallNow()});
}

void MainWindow::openReplay(const recording::RecordingSource& source) {
    SessionTab& before = m_tabs->currentTab();
    auto* replay = new ReplayEngine(source, m_clock, this);  // a later child than the tabs: it outlives them
    replay->shareFiles(m_engine.files());
    SessionPage& page = addPage(*new SessionPage(*replay, m_settings, *m_names, m_tabs));
    followOpening(*replay, page, before, *m_tabs);
    page.openReplay();
}

void MainWindow::showNotes(const QList<profile::RedissonNote>& notes) {
    if (!notes.isEmpty())
        currentPage().messages().post([notes] { return Message{Tone::Warning, redissonText(notes)}; });
}

// ---- settings ----

void MainWindow::restoreSettings() {
    resize(firstWindowSize.boundedTo(screen()->availableSize()));
    restoreFrame(m_settings, geometryKey, *this);
    (void)restoreDocks(m_settings, shellStateKey, *this);
    m_actions->toolBar().show();  // an earlier version let it be hidden
}

void MainWindow::saveSettings() {
    saveFrame(m_settings, geometryKey, *this);
    saveDocks(m_settings, shellStateKey, *this);
    // The page in front is saved last, so that its arrangement counts.
    for (SessionPage* page : pages())
        page->saveSettings();
    currentPage().saveSettings();
}

// A status tip of the shell's menus shows where the page in front has its status bar.
bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::StatusTip && m_tabs && m_tabs->currentIndex() >= 0) {
        currentPage().statusBar()->showMessage(static_cast<QStatusTipEvent*>(event)->tip());
        return true;
    }
    return QMainWindow::event(event);
}

// ---- the end ----

void MainWindow::saveScreenshotAndQuit(const QString& path) {
    auto* shot = new FirstSweepScreenshot(m_engine, m_clock, this);
    connect(shot, &FirstSweepScreenshot::due, this, [this, path] {
        m_exit->setExitCode(saveScreenshot(*this, path) ? 0 : 1);
        quitAtOnce();
    });
    connect(shot, &FirstSweepScreenshot::nearlyDue, this, [this] { currentPage().locksPage().selectFirst(); });
}

void MainWindow::quitAtOnce() {
    m_exit->quitAtOnce();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const bool mayClose = m_exit->mayClose();
    if (mayClose)
        saveSettings();
    event->setAccepted(mayClose);
}

}  // namespace lockkeeper::ui

#include "moc_mainwindow.cpp"
