// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "profile/secretstore.h"

#include <QDialog>

#include <variant>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockkeeper::ui {

class InlineMessage;
class RecentServers;
struct Message;

// Asks for a server and stays open until the connection is there, or the user gives up. Passwords are used and
// forgotten, unless the user has them kept in the system's keychain.
class ConnectDialog final : public QDialog {
    Q_OBJECT
public:
    // Both outlive the dialog.
    ConnectDialog(RecentServers& recent, profile::SecretStore& secrets, QWidget* parent = nullptr);
    ~ConnectDialog() override;

    // To edit what was connected to before. The password is not filled in again.
    void setProfile(const profile::ConnectionProfile& profile);
    // The state of the connection that connectRequested() asked for; closes the dialog when it is there. Each attempt
    // begins with Connecting: what comes before that is about an earlier one.
    void follow(const ConnectionStatus& status);

Q_SIGNALS:
    void connectRequested(const lockkeeper::profile::ConnectionProfile& profile);
    // The user gave up while connecting.
    void connectCancelled();
    // Connected, and the user wants the password kept, or no longer.
    void keepPasswordWanted(const lockkeeper::profile::SecretKey& key, const QByteArray& password);
    void forgetPasswordWanted(const lockkeeper::profile::SecretKey& key);

public Q_SLOTS:
    void reject() override;

private:
    enum class State { Editing, Requested, Connecting };

    void retranslate();
    void makeFields();
    void makeLayout();
    void startConnecting();
    void setState(State state);
    void showMessage();
    void clearMessage();
    [[nodiscard]] Message message() const;
    // A password in the address is moved to its own field, where nobody reads it.
    void hidePassword();
    // Fills in what the keychain has for the profile, if the user has typed nothing yet.
    void lookUpPassword();
    void sayWhatToKeep();
    [[nodiscard]] Result<profile::ConnectionProfile> entered() const;

    RecentServers& m_recent;
    profile::SecretStore& m_secrets;
    profile::ProfileId m_keptFor;  // whose password came out of the keychain
    State m_state = State::Editing;
    profile::ConnectionProfile m_requested;  // without its password
    // What the message is about, if anything: an address that cannot be used, or the connection.
    std::variant<std::monostate, Error, ConnectionStatus> m_subject;
    QLabel* m_urlCaption;
    QLabel* m_userCaption;
    QLabel* m_passwordCaption;
    QLabel* m_examples;
    QComboBox* m_url;
    QLineEdit* m_user;
    QLineEdit* m_password;
    QCheckBox* m_keep;
    QCheckBox* m_readOnly;
    InlineMessage* m_message;
    QPushButton* m_connect;
    QPushButton* m_cancel;
};

}  // namespace lockkeeper::ui
