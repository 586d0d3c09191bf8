// SPDX-License-Identifier: Apache-2.0
#include "ui/window/connectioncontroller.h"

#include "ui/dialogs/connectdialog.h"
#include "ui/message/messagebar.h"
#include "ui/session/sessionpage.h"
#include "ui/window/mainwindow.h"
#include "ui/words/causetext.h"

namespace lockkeeper::ui {

ConnectionController::ConnectionController(QSettings& settings, profile::ProfileStore& profiles, const Clock& clock,
                                           MainWindow& window)
    : QObject(&window), m_window(window), m_recent(settings, profiles, clock) {
    connect(&m_recent, &RecentServers::failed, this, &ConnectionController::reportFileFailure);
}

void ConnectionController::openDialog(SessionPage* page) {
    if (m_dialog)
        return;
    m_page = page;
    m_dialog = new ConnectDialog(m_recent, m_secrets, &m_window);
    m_dialog->setObjectName(QStringLiteral("connectDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (page) {
        if (const auto* profile = std::get_if<profile::ConnectionProfile>(&page->target()))
            m_dialog->setProfile(*profile);
    }
    connect(m_dialog, &ConnectDialog::connectRequested, this, &ConnectionController::connectTo);
    connect(m_dialog, &ConnectDialog::connectCancelled, this, &ConnectionController::cancel);
    connect(
        m_dialog, &ConnectDialog::keepPasswordWanted, this,
        [this](const profile::SecretKey& key, const QByteArray& password) {
            m_secrets.store(key, password).then([this](const Result<Done>& stored) { reportKeychainFailure(stored); });
        });
    connect(m_dialog, &ConnectDialog::forgetPasswordWanted, this, [this](const profile::SecretKey& key) {
        m_secrets.forget(key).then([this](const Result<Done>& forgotten) { reportKeychainFailure(forgotten); });
    });
    m_dialog->open();
}

void ConnectionController::openRedissonFile(const QString& path) {
    openDialog(nullptr);
    m_dialog->openRedissonFile(path);
}

void ConnectionController::connectTo(const profile::ConnectionProfile& profile) {
    SessionPage& page = m_page && m_page->isEnabled() ? *m_page : m_window.pageForConnection();
    m_page = &page;
    page.connectTo(profile);
    // After connectTo(): what the page reports until then is about the connection before.
    follow(page);
}

void ConnectionController::follow(SessionPage& page) {
    QObject::disconnect(m_attempt);
    m_attempt = connect(&page, &SessionPage::statusChanged, m_dialog, [this](const ConnectionStatus& status) { m_dialog->follow(status); });
}

void ConnectionController::cancel() {
    if (m_page)
        m_page->disconnectFromServer();
}

// The store's jobs end with it, and it ends with this controller.
void ConnectionController::reportKeychainFailure(const Result<Done>& result) {
    if (result)
        return;
    m_window.currentPage().messages().post([error = result.error()] {
        return Message{Tone::Warning, tr("The keychain refused the change: %1").arg(reasonText(error))};
    });
}

void ConnectionController::reportFileFailure(const Error& error) {
    m_window.currentPage().messages().post([error] {
        return Message{Tone::Warning, tr("Problem with the list of remembered servers: %1.").arg(reasonText(error))};
    });
}

}  // namespace lockkeeper::ui

#include "moc_connectioncontroller.cpp"
