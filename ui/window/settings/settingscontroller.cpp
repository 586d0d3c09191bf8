// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/settingscontroller.h"

#include "ui/connections/discoverydefaults.h"
#include "ui/timeline/timelineoptions.h"
#include "ui/window/notices/noticecontroller.h"
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

SettingsController::SettingsController(const SettingsSubjects& subjects, QWidget& window)
    : QObject(&window), m_subjects(subjects), m_window(window) {}

void SettingsController::open(const FrontSession& front, Subject subject) {
    if (!m_dialog) {
        m_dialog = new SettingsDialog(&m_window);
        m_dialog->setObjectName(QStringLiteral("settingsDialog"));
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        addPages(front);
        m_dialog->open();
    }
    if (subject == Subject::Notices)
        m_dialog->showPageWith(QStringLiteral("noticeForm"));
    else if (subject == Subject::History)
        m_dialog->showPageWith(QStringLiteral("historyPage"));
}

void SettingsController::addPages(const FrontSession& front) {
    auto* look = new AppearancePage(m_subjects.appearance, m_dialog);
    m_dialog->addPage({[] { return tr("Appearance and clock"); }, look, [this] { m_subjects.appearance.reset(); }});
    addArrangement();
    addTimeline();
    addDiscovery();
    auto* tray = new TrayPage(m_subjects.badge, m_dialog);
    m_dialog->addPage({[] { return tr("System tray"); }, tray, [tray] { tray->reset(); }});
    m_dialog->addPage({[] { return tr("Names of clients"); }, new AliasPage(m_subjects.names, m_dialog), {}});
    NoticeForm* notices = front.notices.makeForm(m_dialog);
    m_dialog->addPage({[] { return tr("Notifications"); }, notices, [notices] { notices->setSettings({}); }});
    HistoryPage* history = m_subjects.retention.makePage(front.status, m_dialog);
    m_dialog->addPage({[] { return tr("History on disk"); }, history, [history] { history->reset(); }});
}

void SettingsController::addArrangement() {
    auto* page = new ArrangementPage(m_dialog);
    connect(page, &ArrangementPage::resetWanted, this, &SettingsController::arrangementResetWanted);
    m_dialog->addPage({[] { return tr("Panels and columns"); }, page, [this] { Q_EMIT arrangementResetWanted(); }});
}

void SettingsController::addTimeline() {
    auto* page = new TimelinePage(TimelineOptions::load(m_subjects.settings), m_dialog);
    connect(page, &TimelinePage::changed, this, [this](const TimelineOptions& options) {
        options.save(m_subjects.settings);
        Q_EMIT timelineOptionsChanged(options);
    });
    connect(page, &TimelinePage::unpinWanted, this, &SettingsController::lanesUnpinWanted);
    m_dialog->addPage({[] { return tr("Timeline"); }, page,
                       [this, page] {
                           page->setOptions({});
                           Q_EMIT lanesUnpinWanted();
                       }});
}

void SettingsController::addDiscovery() {
    auto* page = new DiscoveryPage(discoveryDefaults(m_subjects.settings), m_dialog);
    connect(page, &DiscoveryPage::changed, this, [this](const profile::DiscoverySettings& defaults) {
        setDiscoveryDefaults(m_subjects.settings, defaults);
    });
    m_dialog->addPage({[] { return tr("Search for locks"); }, page, [page] { page->setSettings({}); }});
}

}  // namespace lockkeeper::ui

#include "moc_settingscontroller.cpp"
