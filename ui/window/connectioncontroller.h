// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "profile/secretstore.h"
#include "ui/dialogs/recentservers.h"

#include <QObject>
#include <QPointer>

namespace lockkeeper::ui {

class ConnectDialog;
class MainWindow;
class SessionPage;

// The dialog in which the user says where to connect: opens it, gives the connection to a page of the window, lets the dialog
// follow what becomes of it there, and hands passwords to the keychain.
class ConnectionController final : public QObject {
    Q_OBJECT
public:
    // All outlive it. The window owns the dialog.
    ConnectionController(QSettings& settings, profile::ProfileStore& profiles, const Clock& clock, MainWindow& window);

    // page: whose connection is edited or tried again; null: the window chooses a page once the user connects.
    void openDialog(SessionPage* page);
    // In the dialog, because the user must be asked for the file's variables.
    void openRedissonFile(const QString& path);

private:
    void connectTo(const profile::ConnectionProfile& profile);
    void cancel();
    void follow(SessionPage& page);
    void reportKeychainFailure(const Result<Done>& result);
    void reportFileFailure(const Error& error);

    MainWindow& m_window;
    RecentServers m_recent;
    profile::SecretStore m_secrets;
    QPointer<ConnectDialog> m_dialog;
    QPointer<SessionPage> m_page;       // of the dialog's attempt
    QMetaObject::Connection m_attempt;  // what the dialog follows of it
};

}  // namespace lockkeeper::ui
