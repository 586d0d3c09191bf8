#pragma once

#include "engine/engine.h"
#include "profile/secretstore.h"
#include "ui/window/namememory.h"

#include <QObject>
#include <QPointer>

#include <variant>

class QSettings;
class QWidget;

namespace lockkeeper::ui {

class ConnectDialog;
class MessageBar;

// Where the window is connected to: takes the user's wish by dialog or command line, keeps it to try again or to edit,
// and what must outlive the session: passwords in the keychain, names of locks in the settings.
class ConnectionDesk final : public QObject {
    Q_OBJECT
public:
    // All outlive the desk. The window owns the dialog.
    ConnectionDesk(Engine& engine, QSettings& settings, MessageBar& messages, QWidget& window);

    // As from the command line: no dialog, unless it fails and the user wants to edit.
    void connectTo(const profile::ConnectionProfile& profile);
    void connectToDemo(redis::AccessMode access);
    // What was asked for last, once more.
    void reconnect();
    void openDialog();
    void follow(const ConnectionStatus& status);

    [[nodiscard]] NameMemory& names() noexcept { return m_names; }

private:
    void tellKeychainFailure(const Result<Done>& result);

    Engine& m_engine;
    QSettings& m_settings;
    MessageBar& m_messages;
    QWidget& m_window;
    profile::SecretStore m_secrets;
    NameMemory m_names;
    std::variant<std::monostate, profile::ConnectionProfile, redis::AccessMode> m_target;
    QPointer<ConnectDialog> m_dialog;
};

}  // namespace lockkeeper::ui
