#include "ui/window/connectiondesk.h"

#include "ui/dialogs/connectdialog.h"
#include "ui/message/messagebar.h"

namespace lockkeeper::ui {

ConnectionDesk::ConnectionDesk(Engine& engine, QSettings& settings, MessageBar& messages, QWidget& window)
    : QObject(&window),
      m_engine(engine),
      m_settings(settings),
      m_messages(messages),
      m_window(window),
      m_names(settings) {}

void ConnectionDesk::connectTo(const profile::ConnectionProfile& profile) {
    m_target = profile;
    m_engine.connectTo(profile, m_names.open(profile.display()));
}

void ConnectionDesk::connectToDemo(redis::AccessMode access) {
    m_target = access;
    m_names.close();
    m_engine.connectToDemo(access);
}

void ConnectionDesk::reconnect() {
    if (const auto* profile = std::get_if<profile::ConnectionProfile>(&m_target))
        connectTo(profile::ConnectionProfile(*profile));
    else if (const auto* access = std::get_if<redis::AccessMode>(&m_target))
        connectToDemo(redis::AccessMode(*access));
}

void ConnectionDesk::openDialog() {
    if (m_dialog)
        return;
    m_dialog = new ConnectDialog(m_settings, m_secrets, &m_window);
    m_dialog->setObjectName(QStringLiteral("connectDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (const auto* profile = std::get_if<profile::ConnectionProfile>(&m_target))
        m_dialog->setProfile(*profile);
    connect(m_dialog, &ConnectDialog::connectRequested, this, &ConnectionDesk::connectTo);
    connect(m_dialog, &ConnectDialog::connectCancelled, &m_engine, &Engine::disconnectFromServer);
    connect(m_dialog, &ConnectDialog::keepPasswordWanted, this, [this](const QString& url, const QByteArray& password) {
        m_secrets.store(url, password).then([this](const Result<Done>& stored) { tellKeychainFailure(stored); });
    });
    connect(m_dialog, &ConnectDialog::forgetPasswordWanted, this, [this](const QString& url) {
        m_secrets.forget(url).then([this](const Result<Done>& forgotten) { tellKeychainFailure(forgotten); });
    });
    m_dialog->open();
}

void ConnectionDesk::follow(const ConnectionStatus& status) {
    if (m_dialog)
        m_dialog->follow(status);
}

// The store's jobs end with it, and it ends with this desk.
void ConnectionDesk::tellKeychainFailure(const Result<Done>& result) {
    if (!result)
        m_messages.post({Tone::Warning, tr("The keychain did not take the wish: %1").arg(result.error().text)});
}

}  // namespace lockkeeper::ui

#include "moc_connectiondesk.cpp"
