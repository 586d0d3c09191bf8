// SPDX-License-Identifier: Apache-2.0
#include "ui/window/shelltools.h"

#include "ui/base/messagebar.h"
#include "ui/base/retranslating.h"
#include "ui/events/audit/auditdialog.h"
#include "ui/locks/holders/holdercontroller.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/session/sessionpage.h"
#include "ui/session/sessiontools.h"
#include "ui/timeline/timelineoptions.h"
#include "ui/window/mainwindow.h"
#include "ui/window/notices/busnotifier.h"
#include "ui/window/notices/diagnosisbadge.h"
#include "ui/window/notices/noticecontroller.h"
#include "ui/window/notices/noticehistory.h"
#include "ui/window/notices/noticehistorydialog.h"
#include "ui/window/palette/palettecontroller.h"
#include "ui/window/profileexchange.h"
#include "ui/window/settings/retentioncontroller.h"
#include "ui/window/settings/settingscontroller.h"
#include "ui/window/shortcutsdialog.h"
#include "ui/window/tabs/panecycle.h"
#include "ui/window/tabs/sessiontabs.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>

namespace lockkeeper::ui {

namespace {

void name(QAction& action, const QString& text, const QString& statusTip) {
    action.setText(text);
    action.setStatusTip(statusTip);
}

// Does what the Menu key does, which many keyboards do not have. Qt has no other key for it on X11.
void openContextMenu() {
    QWidget* focus = QApplication::focusWidget();
    if (!focus)
        return;
    const QPoint at = focus->inputMethodQuery(Qt::ImCursorRectangle).toRect().center();
    QContextMenuEvent wanted(QContextMenuEvent::Keyboard, at, focus->mapToGlobal(at));
    QApplication::sendEvent(focus, &wanted);
}

}  // namespace

ShellTools::ShellTools(const ShellContext& context, MainWindow& window)
    : QObject(&window),
      m_window(window),
      m_tabs(context.tabs),
      m_files(context.engine.files()),
      m_clock(context.clock),
      m_palette(new PaletteController(context.known, context.tabs, window)),
      m_exchange(new ProfileExchange(context.known, window)),
      m_noticeChoice(new NoticeChoice(context.settings, this)),
      m_notices(new NoticeHistory(this)),
      m_retention(new RetentionController(
          context.engine, [this]() -> MessageBar& { return m_window.messages(); }, context.settings, this)) {
    m_openNotices = make("actionNoticeHistory", {}, this, &ShellTools::openNotices);
    m_badge = new DiagnosisBadge(context.settings, DiagnosisBadge::trayOfDesktop(), *m_openNotices, window);
    m_settings =
        new SettingsController({context.appearance, *m_badge, *m_retention, context.names, context.settings}, window);
    connect(m_palette, &PaletteController::connectionChosen, &window, &MainWindow::open);
    connect(&context.actions, &WindowActions::noticesWanted, this,
            [this] { openSettings(SettingsController::Subject::Notices); });
    connect(&context.actions, &WindowActions::retentionWanted, this,
            [this] { openSettings(SettingsController::Subject::History); });
    followSettings();
    makeActions();
    addToMenus(context.actions);
    keepTranslated(window, [this] { retranslate(); });
}

template <typename Receiver, typename Slot>
QAction* ShellTools::make(const char* objectName, const QKeySequence& key, Receiver* receiver, Slot run) {
    auto* action = new QAction(this);
    action->setObjectName(QLatin1String(objectName));
    action->setShortcut(key);
    connect(action, &QAction::triggered, receiver, run);
    return action;
}

void ShellTools::makeActions() {
    // Not QKeySequence::Preferences: most desktops have no key for it.
    m_openSettings = make("actionSettings", Qt::CTRL | Qt::Key_Comma, this,
                          [this] { openSettings(SettingsController::Subject::First); });
    m_openSettings->setMenuRole(QAction::PreferencesRole);
    m_openPalette = make("actionPalette", Qt::CTRL | Qt::Key_K, m_palette, &PaletteController::open);
    m_openShortcuts = make("actionShortcuts", {}, this, &ShellTools::openShortcuts);
    m_exportProfiles = make("actionExportProfiles", {}, m_exchange, &ProfileExchange::askForExport);
    m_importProfiles = make("actionImportProfiles", {}, m_exchange, &ProfileExchange::askForImport);
    m_resetArrangement = make("actionResetArrangement", {}, this, &ShellTools::resetArrangement);
    m_openAudit = make("actionAudit", {}, this, &ShellTools::openAudit);
    m_openAuditOfLock = make("actionAuditOfLock", {}, this, &ShellTools::openAuditOfLock);
    m_nextPane = make("actionNextPane", Qt::Key_F6, this, [this] { focusPane(m_window.panes(), PaneStep::Next); });
    m_previousPane = make("actionPreviousPane", Qt::SHIFT | Qt::Key_F6, this,
                          [this] { focusPane(m_window.panes(), PaneStep::Previous); });
    m_contextMenu = make("actionContextMenu", Qt::SHIFT | Qt::Key_F10, this, [] { openContextMenu(); });
}

void ShellTools::addToMenus(WindowActions& actions) const {
    actions.add(WindowActions::Menu::View,
                {m_openPalette, m_nextPane, m_previousPane, m_contextMenu, m_resetArrangement});
    actions.add(WindowActions::Menu::Connection, {m_exportProfiles, m_importProfiles});
    actions.add(WindowActions::Menu::Lock, {m_openAuditOfLock});
    actions.add(WindowActions::Menu::Tools, {m_openNotices, m_openAudit, m_openSettings});
    actions.add(WindowActions::Menu::Help, {m_openShortcuts});
}

void ShellTools::follow(SessionPage& page) {
    followHolders(page);
    addNotices(page);
    connect(&page, &SessionPage::diagnosesChanged, this, &ShellTools::countDiagnoses);
    connect(&page, &SessionPage::statusChanged, this, &ShellTools::countDiagnoses);
    // Queued: the page has no tab by then.
    connect(&page, &SessionPage::closed, this, &ShellTools::countDiagnoses, Qt::QueuedConnection);
}

// Two sessions may see the same locks.
void ShellTools::followHolders(SessionPage& page) {
    connect(&page.holders(), &HolderController::knowledgeChanged, this, &ShellTools::nameClients);
    const auto withOthers = [this, &page](const std::function<void(SessionPage&)>& work) {
        withPages([&page, &work](SessionPage& other) {
            if (&other != &page)
                work(other);
        });
    };
    withOthers([&page](SessionPage& other) { page.holders().addOwn(other.ownClients()); });
    connect(&page, &SessionPage::ownLocksChanged, this, [withOthers, &page] {
        withOthers([&page](SessionPage& other) { other.holders().addOwn(page.ownClients()); });
    });
}

// Connected after the page, which then shows a change before anybody is notified of it. What happened in a recording is
// no reason to notify anybody.
void ShellTools::addNotices(SessionPage& page) {
    auto* notices = new NoticeController({std::make_unique<BusNotifier>(), &QApplication::beep}, page.tools().locks(),
                                         page.messages(), *m_noticeChoice, m_clock, page);
    m_noticesOf.insert(&page, notices);
    connect(notices, &QObject::destroyed, this, [this, &page] { m_noticesOf.remove(&page); });
    if (!page.replay())
        page.link().onReport<BatchReady>(notices, [notices](const BatchReady& ready) { notices->apply(*ready.batch); });
    page.link().onReport<ConnectionStatus>(notices, &NoticeController::setStatus);
    connect(&page, &SessionPage::lost, notices, &NoticeController::notifyOfLoss);
    connect(notices, &NoticeController::noticed, m_notices, &NoticeHistory::add);
    const auto takeAliases = [notices, &page] { notices->setAliases(page.holders().knowledge().aliases); };
    connect(&page.holders(), &HolderController::knowledgeChanged, notices, takeAliases);
    takeAliases();
}

void ShellTools::followSettings() {
    connect(m_settings, &SettingsController::arrangementResetWanted, this, &ShellTools::resetArrangement);
    connect(m_settings, &SettingsController::lanesUnpinWanted, this,
            [this] { withPages([](SessionPage& page) { page.tools().unpinLanes(); }); });
    connect(m_settings, &SettingsController::timelineOptionsChanged, this, [this](const TimelineOptions& options) {
        withPages([&options](SessionPage& page) { page.tools().setTimelineOptions(options); });
    });
}

void ShellTools::openSettings(SettingsController::Subject subject) {
    SessionPage& front = m_tabs.currentPage();
    m_settings->open({*m_noticesOf.value(&front), front.status()}, subject);
}

void ShellTools::withPages(const std::function<void(SessionPage&)>& work) const {
    for (SessionPage* page : m_tabs.pages())
        work(*page);
}

void ShellTools::countDiagnoses() {
    int count = 0;
    withPages([&count](const SessionPage& page) { count += page.faultyLocks(); });
    m_badge->setCount(count);
}

void ShellTools::resetArrangement() {
    withPages([](SessionPage& page) { page.tools().resetArrangement(); });
}

void ShellTools::openShortcuts() {
    if (m_shortcuts)
        return;
    m_shortcuts = new ShortcutsDialog(m_window);
    m_shortcuts->setObjectName(QStringLiteral("shortcutsDialog"));
    m_shortcuts->setAttribute(Qt::WA_DeleteOnClose);
    m_shortcuts->open();
}

// Opens beside the window, so that both can be read.
void ShellTools::openAudit() {
    if (!m_audit) {
        m_audit = new AuditDialog(m_auditFolder, m_files, m_clock, &m_window);
        m_audit->setObjectName(QStringLiteral("auditDialog"));
        m_audit->setAttribute(Qt::WA_DeleteOnClose);
    }
    nameClients();
    m_audit->show();
    m_audit->raise();
    m_audit->activateWindow();
}

// Clients are named as in the session in front; only the user's own names are common to all sessions.
void ShellTools::nameClients() {
    if (m_audit)
        m_audit->setAliases(m_tabs.currentPage().holders().knowledge().aliases);
}

// Opens beside the window, as the audit does.
void ShellTools::openNotices() {
    if (!m_noticeDialog) {
        m_noticeDialog = new NoticeHistoryDialog(*m_notices, m_clock, &m_window);
        m_noticeDialog->setObjectName(QStringLiteral("noticeHistoryDialog"));
        m_noticeDialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_noticeDialog, &NoticeHistoryDialog::lockChosen, this, &ShellTools::goToLock);
    }
    m_noticeDialog->show();
    m_noticeDialog->raise();
    m_noticeDialog->activateWindow();
}

void ShellTools::goToLock(const QString& server, const LockName& name) {
    for (SessionPage* page : m_tabs.pages()) {
        if (page->status().server != server || !page->tools().locks().find(name))
            continue;
        m_tabs.bringToFront(*page);
        return page->locksPage().reveal(name);
    }
    m_window.messages().post([name] {
        return Message{Tone::Info, tr("The lock %1 is in no table any more.").arg(shortened(plainName(name)))};
    });
}

void ShellTools::openAuditOfLock() {
    const QString lock = m_tabs.currentPage().lockForActions();
    openAudit();
    m_audit->setWords(lock);
}

void ShellTools::retranslate() {
    name(*m_exportProfiles, tr("E&xport saved connections…"),
         tr("Write the saved connections into a file, without passwords"));
    name(*m_importProfiles, tr("&Import saved connections…"),
         tr("Read connections from a file that was exported here or on another machine"));
    name(*m_resetArrangement, tr("&Arrange panels and columns as at first"),
         tr("Every panel and column where it was before you moved, closed or showed it"));
    name(*m_openNotices, tr("Notification h&istory…"),
         tr("What the rules for notifications found since the program started"));
    name(*m_openAudit, tr("&Audit…"),
         tr("Who broke or took which lock, when and why, and whether the records are whole"));
    name(*m_openAuditOfLock, tr("A&udit of this lock…"), tr("What operators did to the selected lock, and why"));
    m_openAuditOfLock->setIconText(tr("Audit"));
    name(*m_openSettings, tr("&Settings…"), tr("Theme, font, clock, panels, notifications and the history on disk"));
    name(*m_openPalette, tr("&Go to…"), tr("Find a lock, an action, a connection or a client by a part of its name"));
    name(*m_openShortcuts, tr("&Keyboard shortcuts"), tr("Every key of the window"));
    name(*m_nextPane, tr("&Next pane"), tr("Move the keyboard to the next part of the window"));
    name(*m_previousPane, tr("Previ&ous pane"), tr("Move the keyboard to the part of the window before"));
    name(*m_contextMenu, tr("Open the context &menu"),
         tr("Open the menu of what has the keyboard, as a right click does"));
}

}  // namespace lockkeeper::ui

#include "moc_shelltools.cpp"
