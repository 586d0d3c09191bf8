// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/settingscontroller.h"

#include "ui/connections/discoverydefaults.h"
#include "ui/locks/clients/holdercontroller.h"
#include "ui/session/sessionpage.h"
#include "ui/session/sessiontools.h"
#include "ui/window/mainwindow.h"
#include "ui/window/notices/noticeform.h"
#include "ui/window/settings/aliaspage.h"
#include "ui/window/settings/appearance.h"
#include "ui/window/settings/appearancepage.h"
#include "ui/window/settings/arrangementpage.h"
#include "ui/window/settings/discoverypage.h"
#include "ui/window/settings/historypage.h"
#include "ui/window/settings/retentioncontroller.h"
#include "ui/window/settings/settingsdialog.h"
#include "ui/window/settings/timelinepage.h"
#include "ui/window/settings/traypage.h"

namespace lockkeeper::ui {

SettingsController::SettingsController(Appearance& appearance, DiagnosisBadge& badge, RetentionController& retention,
                                       QSettings& settings, MainWindow& window)
    : QObject(&window),
      m_appearance(appearance),
      m_badge(badge),
      m_retention(retention),
      m_settings(settings),
      m_window(window) {}

void SettingsController::open() {
    if (m_dialog)
        return;
    m_dialog = new SettingsDialog(&m_window);
    m_dialog->setObjectName(QStringLiteral("settingsDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    addPages();
    m_dialog->open();
}

void SettingsController::addPages() {
    auto* look = new AppearancePage(m_appearance, m_dialog);
    m_dialog->addPage({[] { return tr("Appearance and clock"); }, look, [this] { m_appearance.reset(); }});
    addArrangement();
    addTimeline();
    addDiscovery();
    addTray();
    addAliases();
    SessionPage& front = m_window.currentPage();
    NoticeForm* notices = front.tools().makeNoticeForm(m_dialog);
    m_dialog->addPage({[] { return tr("Notifications"); }, notices, [notices] { notices->setSettings({}); }});
    HistoryPage* history = m_retention.makePage(front.status(), m_dialog);
    m_dialog->addPage({[] { return tr("History on disk"); }, history, [history] { history->reset(); }});
}

void SettingsController::addAliases() {
    auto* page = new AliasPage(m_settings, m_dialog);
    connect(page, &AliasPage::changed, this, [this] {
        for (SessionPage* session : m_window.pages())
            session->holders().reloadAliases();
    });
    m_dialog->addPage({[] { return tr("Names of clients"); }, page, {}});
}

void SettingsController::addArrangement() {
    auto* page = new ArrangementPage(m_dialog);
    const auto reset = [this] {
        for (SessionPage* session : m_window.pages())
            session->tools().resetArrangement();
    };
    connect(page, &ArrangementPage::resetWanted, this, reset);
    m_dialog->addPage({[] { return tr("Panels and columns"); }, page, reset});
}

void SettingsController::addTimeline() {
    auto* page = new TimelinePage(TimelineOptions::load(m_settings), m_dialog);
    const auto unpin = [this] {
        for (SessionPage* session : m_window.pages())
            session->tools().unpinLanes();
    };
    connect(page, &TimelinePage::changed, this, [this](const TimelineOptions& options) {
        options.save(m_settings);
        for (SessionPage* session : m_window.pages())
            session->tools().setTimelineOptions(options);
    });
    connect(page, &TimelinePage::unpinWanted, this, unpin);
    m_dialog->addPage({[] { return tr("Timeline"); }, page,
                       [page, unpin] {
                           page->setOptions({});
                           unpin();
                       }});
}

void SettingsController::addDiscovery() {
    auto* page = new DiscoveryPage(discoveryDefaults(m_settings), m_dialog);
    connect(page, &DiscoveryPage::changed, this,
            [this](const profile::DiscoverySettings& defaults) { setDiscoveryDefaults(m_settings, defaults); });
    m_dialog->addPage({[] { return tr("Search for locks"); }, page, [page] { page->setSettings({}); }});
}

void SettingsController::addTray() {
    auto* page = new TrayPage(m_badge, m_dialog);
    m_dialog->addPage({[] { return tr("System tray"); }, page, [page] { page->reset(); }});
}

}  // namespace lockkeeper::ui

#include "moc_settingscontroller.cpp"
