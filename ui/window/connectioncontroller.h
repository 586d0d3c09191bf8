// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sessionlink.h"
#include "profile/secretstore.h"
#include "ui/connections/knownconnections.h"

#include <QObject>
#include <QPointer>
#include <QSet>

namespace lockkeeper::ui {

class ConnectDialog;
class MainWindow;
class SessionPage;

// The dialog in which the user says where to connect, and the connections that are known: opens them, gives the
// connection to a page of the window, lets the dialog follow what becomes of it there, and hands passwords to the
// keychain.
class ConnectionController final : public QObject {
    Q_OBJECT
public:
    // All outlive it. The window owns the dialog.
    ConnectionController(Engine& engine, QSettings& settings, profile::ProfileStore& profiles, const Clock& clock,
                         MainWindow& window);

    [[nodiscard]] KnownConnections& known() noexcept { return m_known; }
    // page: whose connection is edited or tried again; null: the window chooses a page once the user connects.
    void openDialog(SessionPage* page);
    // Opens the file in the dialog, because the user must be asked for the file's variables.
    void openRedissonFile(const QString& path);
    // Opens a file that the user chooses in the same way.
    void askForRedissonFile();
    // Opens the connection with its secrets from the keychain; in the dialog, if they are asked for each time.
    // Several calls while the keychain waits for its user open it once.
    void open(const profile::StoredProfile& stored);
    void edit(const profile::StoredProfile& stored);
    void duplicate(const profile::StoredProfile& stored);
    // Removes the connection and its secrets.
    void remove(const profile::StoredProfile& stored);
    // The pages or their states have changed.
    void showPhases();

private:
    void makeDialog();
    void followTests();
    void relabelPages();
    void connectTo(const profile::ConnectionProfile& profile);
    void cancel();
    void follow(SessionPage& page);
    void reportKeychainFailure(const Result<Done>& result);
    void reportFileFailure(const Error& error);

    Engine& m_engine;
    MainWindow& m_window;
    KnownConnections m_known;
    profile::SecretStore m_secrets;
    SessionLink m_test;  // of a connection that is tested in the dialog
    QPointer<ConnectDialog> m_dialog;
    QSet<profile::ProfileId> m_opening;  // whose secrets are being read
    QPointer<SessionPage> m_page;        // of the dialog's attempt
    QMetaObject::Connection m_attempt;   // what the dialog follows of it
};

}  // namespace lockkeeper::ui
