#include "ui/window/mainwindow.h"

#include "ui/detail/detailpanel.h"
#include "ui/dialogs/aboutbox.h"
#include "ui/dialogs/acquiredialog.h"
#include "ui/dialogs/exitdialog.h"
#include "ui/dialogs/forcereleasedialog.h"
#include "ui/events/eventlogpanel.h"
#include "ui/help/explain.h"
#include "ui/help/manualcontroller.h"
#include "ui/holders/holderdesk.h"
#include "ui/holders/holdersection.h"
#include "ui/look/icons.h"
#include "ui/message/messagebar.h"
#include "ui/screenshot.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/window/connectionbanner.h"
#include "ui/window/connectiondesk.h"
#include "ui/window/firstsweepscreenshot.h"
#include "ui/window/lockspage.h"
#include "ui/window/operationdesk.h"
#include "ui/window/statusbar.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowdocks.h"
#include "ui/window/windowtools.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QScreen>
#include <QSettings>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr QSize firstSize(1600, 880);
const auto geometryKey = QStringLiteral("window/geometry");
const auto stateKey = QStringLiteral("window/state");
const auto themeKey = QStringLiteral("view/theme");

}  // namespace

MainWindow::MainWindow(Engine& engine, Clock& clock, QSettings& settings, QWidget* parent)
    : QMainWindow(parent),
      m_engine(engine),
      m_clock(clock),
      m_settings(settings),
      m_time(clock),
      m_locks(m_time),
      m_log(m_time),
      m_statusBar(new StatusBar(this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(applicationIcon());
    setStatusBar(m_statusBar);
    makeCentralWidget();
    makeDocks();
    makeActions();
    makeHolderDesk();
    followEngine();
    new WindowTools(
        {m_engine, m_clock, m_settings, m_locks, m_log, m_time, *m_page, *m_docks, *m_messages, *m_holders, *m_actions},
        *this);
    restoreSettings();
    showStatus({});
}

MainWindow::~MainWindow() = default;

void MainWindow::makeCentralWidget() {
    auto* central = new QWidget(this);
    m_page = new LocksPage(m_locks, m_time, m_clock, central);
    m_messages = new MessageBar(m_clock, central);
    m_messages->setObjectName(QStringLiteral("messageBar"));
    m_desk = new OperationDesk(m_engine, *m_messages, this);
    m_connection = new ConnectionDesk(m_engine, m_settings, *m_messages, *this);
    m_banner = new ConnectionBanner(central);
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_banner);
    layout->addWidget(m_page, 1);
    layout->addWidget(m_messages);
    setCentralWidget(central);
    connect(m_banner, &ConnectionBanner::retryWanted, m_connection, &ConnectionDesk::reconnect);
    connect(m_banner, &ConnectionBanner::editWanted, m_connection, &ConnectionDesk::openDialog);
    connect(m_page, &LocksPage::connectWanted, m_connection, &ConnectionDesk::openDialog);
    connect(&m_page->selection(), &LockSelection::changed, this, &MainWindow::showCurrentLock);
    connect(m_page, &LocksPage::filterChanged, this, &MainWindow::showCurrentLock);
}

void MainWindow::makeDocks() {
    m_docks = new WindowDocks(m_log, m_time, m_clock, *this);
    connect(m_docks, &WindowDocks::lockChosen, m_page, &LocksPage::reveal);
    connect(&m_docks->details(), &DetailPanel::showWanted, m_page, &LocksPage::revealSelected);
    connect(m_statusBar, &StatusBar::faultyLocksWanted, m_page, &LocksPage::showFaultyOnly);
}

void MainWindow::makeActions() {
    m_actions = new WindowActions(*this);
    m_actions->makeToolBar();
    m_actions->makeMenus(
        m_page->sortActions(), m_docks->toggleActions(),
        {&m_docks->events().pauseAction(), &m_docks->events().clearAction(), &m_docks->timeline().followAction()});
    m_actions->addTo(m_page->table());
    connect(m_actions, &WindowActions::connectWanted, m_connection, &ConnectionDesk::openDialog);
    connect(m_actions, &WindowActions::demoWanted, this, [this] { connectToDemo(redis::AccessMode::ReadWrite); });
    connect(m_actions, &WindowActions::disconnectWanted, this, [this] { m_engine.disconnectFromServer(); });
    connect(m_actions, &WindowActions::discoveryWanted, &m_engine, &Engine::setDiscovery);
    connect(m_actions, &WindowActions::acquireWanted, this, &MainWindow::openAcquireDialog);
    connect(m_actions, &WindowActions::releaseWanted, this, &MainWindow::releaseCurrentLock);
    connect(m_actions, &WindowActions::forceReleaseWanted, this, &MainWindow::openForceReleaseDialog);
    connect(m_actions, &WindowActions::copyNameWanted, this, &MainWindow::copyCurrentName);
    connect(m_actions, &WindowActions::filterWanted, m_page, &LocksPage::focusFilter);
    connect(m_actions, &WindowActions::themeWanted, this, &MainWindow::setTheme);
    connect(m_actions, &WindowActions::manualWanted, new ManualController(*this), &ManualController::openForFocus);
    connect(m_actions, &WindowActions::explainWanted, this, [this] { explainFocus(*this); });
    connect(m_actions, &WindowActions::aboutWanted, this, [this] { openAboutBox(*this); });
    connect(m_actions, &WindowActions::quitWanted, this, &MainWindow::close);
}

void MainWindow::makeHolderDesk() {
    m_holders = new HolderDesk(m_engine, m_clock, m_settings, *this);
    const HolderSection* section = &m_docks->details().holderSection();
    connect(section, &HolderSection::identityWanted, m_holders, &HolderDesk::askToIdentify);
    connect(section, &HolderSection::stopWanted, m_holders, &HolderDesk::stopListening);
    connect(section, &HolderSection::aliasWanted, m_holders, &HolderDesk::askForAlias);
    connect(section, &HolderSection::locksWanted, this,
            [this](const ClientId& client) { m_page->showOnly(QString::fromLatin1(client.bytes())); });
    connect(m_actions, &WindowActions::waitsWanted, this, [this] { m_holders->openWaits(m_locks, m_time); });
    connect(m_holders, &HolderDesk::lockChosen, m_page, &LocksPage::reveal);
    connect(m_holders, &HolderDesk::knowledgeChanged, this, &MainWindow::showKnowledge);
    showKnowledge();
}

void MainWindow::showKnowledge() {
    const HolderKnowledge& knowledge = m_holders->knowledge();
    m_locks.setAliases(knowledge.aliases);
    m_log.setAliases(knowledge.aliases);
    m_docks->details().setKnowledge(knowledge);
    if (m_forceDialog)
        m_forceDialog->setKnowledge(knowledge);
    // An alias is among what the filter searches.
    showCurrentLock();
}

void MainWindow::followEngine() {
    connect(&m_engine, &Engine::connectionChanged, this, &MainWindow::showStatus);
    connect(&m_engine, &Engine::batchReady, this, &MainWindow::applyBatch);
    followHistory();
    connect(&m_engine, &Engine::ownLocksChanged, this, &MainWindow::showOwnLocks);
    connect(&m_engine, &Engine::ownLockLost, this, [this](const LockName& name, const QString& why) {
        m_messages->post(
            {Tone::Warning, tr("%1 is not held by this console any more: %2").arg(plainName(name, shortName), why)});
    });
    connect(&m_engine, &Engine::shutDownFinished, this, [this] {
        m_closing = Closing::Done;
        if (m_exitCode != 0)
            QApplication::exit(m_exitCode);
        close();
    });
}

void MainWindow::followHistory() {
    connect(&m_engine, &Engine::historyLoaded, this, &MainWindow::showHistory);
    connect(&m_engine, &Engine::historyFailed, this, [this](const Error& error) {
        m_messages->post(
            {Tone::Warning, tr("Events are shown, but cannot be kept on disk for the next time: %1. Lockkeeper goes on "
                               "trying; what it must give up meanwhile shows as not watched.")
                                .arg(error.text)});
    });
    connect(&m_engine, &Engine::historySetAside, this, [this](const QString& path) {
        m_messages->post({Tone::Warning, tr("The file of earlier events could not be used. Nothing of it is lost, it "
                                            "lies in %1 now; a new one was begun.")
                                             .arg(path)});
    });
}

void MainWindow::restoreSettings() {
    setTheme(themeFromString(m_settings.value(themeKey).toString()));
    resize(firstSize.boundedTo(screen()->availableSize()));
    restoreGeometry(m_settings.value(geometryKey).toByteArray());
    restoreState(m_settings.value(stateKey).toByteArray());
    m_page->restore(m_settings);
    m_docks->timeline().restore(m_settings);
}

void MainWindow::saveSettings() {
    m_settings.setValue(geometryKey, saveGeometry());
    m_settings.setValue(stateKey, saveState());
    m_page->save(m_settings);
    m_connection->names().save();
    m_docks->timeline().save(m_settings);
}

void MainWindow::connectTo(const profile::ConnectionProfile& profile) {
    m_connection->connectTo(profile);
}

void MainWindow::connectToDemo(redis::AccessMode access) {
    m_connection->connectToDemo(access);
}

void MainWindow::openConnectDialog() {
    m_connection->openDialog();
}

void MainWindow::saveScreenshotAndQuit(const QString& path) {
    auto* shot = new FirstSweepScreenshot(m_engine, m_clock, this);
    connect(shot, &FirstSweepScreenshot::due, this, [this, path] {
        m_exitCode = saveScreenshot(*this, path) ? 0 : 1;
        quitAtOnce();
    });
    connect(shot, &FirstSweepScreenshot::nearlyDue, this, [this] { m_page->table().selectRow(0); });
}

void MainWindow::quitAtOnce() {
    if (m_closing == Closing::No)
        shutDown(control::OwnLocksAtExit::Release);
}

void MainWindow::showStatus(const ConnectionStatus& status) {
    const bool otherServer = status.phase == ConnectionPhase::Connecting && status.server != m_status.server;
    m_status = status;
    if (otherServer) {
        m_locks.clear();
        m_log.clear();
        m_docks->clear();
        m_holders->forgetIdentities();
    }
    if (otherServer || (status.phase == ConnectionPhase::Disconnected && m_locks.rowCount() == 0))
        m_page->selection().clear();
    m_time.follow(status);
    m_docks->follow(status);
    m_locks.refreshAll();
    showCurrentLock();
    m_statusBar->setStatus(status);
    m_page->setStatus(status);
    m_banner->follow(status, m_time, m_locks.rowCount());
    showTitle();
    // The dialog follows the attempt that it asked for: only a status is news of that, no batch or list of own locks.
    m_connection->follow(status);
    updateDialogs();
}

void MainWindow::showTitle() {
    setWindowTitle(m_status.server.isEmpty() ? tr("Lockkeeper") : tr("%1 - Lockkeeper").arg(m_status.server));
}

void MainWindow::applyBatch(const monitor::MonitorBatch& batch) {
    m_locks.apply(batch);
    m_page->selection().follow(batch);
    m_log.append(batch.events);
    m_connection->names().note(m_status.server, batch.changed);
    m_docks->apply(batch);
    if (batch.stats) {
        m_statusBar->setStats(*batch.stats);
        m_actions->checkDiscovery(batch.stats->discovery);
        m_page->setStats(*batch.stats);
    }
    showCurrentLock();
    updateDialogs();
}

// What came from the same server before the connection was made anew is part of it.
void MainWindow::showHistory(const std::vector<monitor::LockEvent>& events) {
    m_log.clear();
    m_docks->timeline().clear();
    m_log.append(events);
    m_docks->timeline().append(events);
}

void MainWindow::showOwnLocks(const QList<control::OwnLock>& locks) {
    m_ownLocks = locks;
    m_locks.setOwnLocks(locks);
    m_statusBar->setOwnLocks(static_cast<int>(locks.size()));
    showCurrentLock();
    updateDialogs();
}

void MainWindow::showCurrentLock() {
    LockSelection& selection = m_page->selection();
    selection.refresh();
    if (const monitor::LockRow* row = selection.row())
        m_docks->details().showLock(*row, m_locks.ownership(row->lock.name),
                                    {selection.absence(), selection.canBeShown()});
    else
        m_docks->details().showNothing();
    m_docks->timeline().timeline().setSelected(selection.name());
    updateActions();
}

void MainWindow::updateActions() {
    const monitor::LockRow* row = m_page->selection().actionRow();
    m_actions->nameLock(row ? plainName(row->lock.name) : QString());
    m_actions->allow(actionRefusals(m_status, m_time, row, row ? m_locks.ownership(row->lock.name) : Ownership::Others,
                                    m_page->selection().absence()));
}

void MainWindow::updateDialogs() {
    if (m_exitDialog)
        m_exitDialog->setLocks(m_ownLocks,
                               m_time.isLive() ? ExitDialog::Connection::Live : ExitDialog::Connection::Lost);
    if (!m_forceDialog)
        return;
    m_forceDialog->setPermission({writeRefusal(m_status, m_time)});
    if (const monitor::LockRow* row = m_locks.find(m_forceDialog->lockName()))
        m_forceDialog->follow(*row);
    else
        m_forceDialog->forget();
}

void MainWindow::openAcquireDialog() {
    auto* dialog = new AcquireDialog(this);
    dialog->setObjectName(QStringLiteral("acquireDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (const monitor::LockRow* row = m_page->selection().actionRow())
        dialog->setName(row->lock.name);
    connect(dialog, &AcquireDialog::acquireRequested, m_desk, &OperationDesk::acquire);
    dialog->open();
}

void MainWindow::releaseCurrentLock() {
    if (const monitor::LockRow* row = m_page->selection().actionRow())
        m_desk->release(row->lock.name);
}

void MainWindow::openForceReleaseDialog() {
    const monitor::LockRow* row = m_page->selection().actionRow();
    if (!row || m_forceDialog)
        return;
    m_forceDialog = new ForceReleaseDialog(*row, m_time, m_clock, this);
    m_forceDialog->setObjectName(QStringLiteral("forceReleaseDialog"));
    m_forceDialog->setAttribute(Qt::WA_DeleteOnClose);
    m_forceDialog->setKnowledge(m_holders->knowledge());
    connect(m_forceDialog, &ForceReleaseDialog::forceReleaseRequested, m_desk, &OperationDesk::forceRelease);
    m_forceDialog->open();
}

void MainWindow::copyCurrentName() {
    if (const monitor::LockRow* row = m_page->selection().actionRow())
        QApplication::clipboard()->setText(fullName(row->lock.name));
}

void MainWindow::setTheme(Theme theme) {
    applyTheme(*qApp, theme);
    m_actions->checkTheme(theme);
    m_settings.setValue(themeKey, toString(theme));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_closing == Closing::Done) {
        saveSettings();
        event->accept();
        return;
    }
    event->ignore();
    if (m_closing == Closing::ShuttingDown || m_exitDialog)
        return;
    if (m_ownLocks.isEmpty())
        shutDown(control::OwnLocksAtExit::Release);
    else
        openExitDialog();
}

void MainWindow::openExitDialog() {
    m_exitDialog = new ExitDialog(this);
    m_exitDialog->setObjectName(QStringLiteral("exitDialog"));
    m_exitDialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_exitDialog, &ExitDialog::chosen, this, &MainWindow::shutDown);
    updateDialogs();
    m_exitDialog->open();
}

void MainWindow::shutDown(control::OwnLocksAtExit ownLocks) {
    m_closing = Closing::ShuttingDown;
    setEnabled(false);
    m_statusBar->showMessage(ownLocks == control::OwnLocksAtExit::Release && !m_ownLocks.isEmpty()
                                 ? tr("Releasing locks and closing …")
                                 : tr("Closing …"));
    m_engine.shutDown(ownLocks);
}

}  // namespace lockkeeper::ui

#include "moc_mainwindow.cpp"
