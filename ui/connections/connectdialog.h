// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/secretstore.h"
#include "profile/storedprofile.h"
#include "ui/base/fitteddialog.h"
#include "ui/connections/connectmessage.h"
#include "ui/connections/redissonfile.h"

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockkeeper::ui {

class AddressFields;
class DumpFields;
class InlineMessage;
class KnownConnections;
class LockFields;
class SavedFields;
class SecretFields;

// Asks for a server and stays open until the connection is there, or the user gives up. Passwords are used and
// forgotten, unless the user has them kept in the system's keychain.
class ConnectDialog final : public FittedDialog {
    Q_OBJECT
public:
    // All outlive the dialog.
    ConnectDialog(KnownConnections& known, profile::SecretStore& secrets, FileThread& files, QWidget* parent = nullptr);
    ~ConnectDialog() override;

    // Fills in an earlier connection, to be edited. Its password is not filled in again.
    void setProfile(const profile::ConnectionProfile& profile);
    // Fills in a saved connection, to be edited, or a recent one, to be saved.
    void setStored(const profile::StoredProfile& stored);
    void askForRedissonFile();
    // Fills in what a Redisson configuration says, asks for its variables, and shows what is left out or wrong.
    void openRedissonFile(const QString& path);
    // The state of the connection that connectRequested() asked for; closes the dialog when it is there. Each attempt
    // begins with Connecting: what comes before that is about an earlier one.
    void follow(const ConnectionStatus& status);
    // The state of the connection that testRequested() asked for; the dialog stays open.
    void followTest(const ConnectionStatus& status);
    // The label of the connection that the dialog has made.
    [[nodiscard]] profile::ProfileLabel label() const;

Q_SIGNALS:
    // testRequested: connect to learn whether it works, then disconnect. testEnded: followTest() needs no further
    // status.
    void testRequested(const lockkeeper::profile::ConnectionProfile& profile);
    void testEnded();
    void connectRequested(const lockkeeper::profile::ConnectionProfile& profile);
    // The user gave up while connecting.
    void connectCancelled();
    // The connection is made, and the user wants this secret kept, or no longer kept.
    void keepPasswordWanted(const lockkeeper::profile::SecretKey& key, const QByteArray& password);
    void forgetPasswordWanted(const lockkeeper::profile::SecretKey& key);

public Q_SLOTS:
    void reject() override;

private:
    enum class State { Editing, Requested, Connecting, Testing };

    void retranslate();
    void makeFields();
    void makeLayout(profile::SecretStore& secrets);
    void startConnecting();
    void startTest();
    void save();
    // What was entered; nothing if it is wrong: then the dialog shows what is wrong.
    [[nodiscard]] std::optional<profile::ConnectionProfile> checked();
    [[nodiscard]] bool isNameFree();
    void showMistake(ConnectMessage::Mistake mistake);
    [[nodiscard]] bool isToBeSaved() const;
    [[nodiscard]] bool asksForSecrets() const;
    [[nodiscard]] profile::StoredProfile stored(const profile::ConnectionProfile& profile) const;
    void setState(State state);
    void showConnecting(const profile::ConnectionProfile& profile);
    void showMessage();
    void clearMessage();
    // A password in the address is moved to its own field, where nobody reads it.
    void hidePassword();
    // Shows the fields of the secrets that the address uses.
    void showSecretFields();
    // Fills in what the keychain has for the profile, if the user has typed nothing yet.
    void lookUpSecrets();
    void sayWhatToKeep();
    void useFile(const RedissonFile::Reading& reading);
    [[nodiscard]] Result<profile::ConnectionProfile> entered() const;

    KnownConnections& m_known;
    State m_state = State::Editing;
    profile::ConnectionProfile m_requested;  // without its secrets
    profile::StoredProfile m_edited;         // its id is that of the saved connection, also of a new one
    ConnectMessage::Subject m_subject;
    QFormLayout* m_form;
    QLabel* m_writerCaption;
    QLineEdit* m_writer;
    AddressFields* m_address = nullptr;
    SecretFields* m_secrets = nullptr;
    RedissonFile m_file;
    QCheckBox* m_keep;
    QCheckBox* m_readOnly;
    LockFields* m_locks;
    DumpFields* m_dumps;
    SavedFields* m_saved;
    InlineMessage* m_message;
    QPushButton* m_redisson;
    QPushButton* m_test;
    QPushButton* m_save;
    QPushButton* m_connect;
    QPushButton* m_cancel;
};

}  // namespace lockkeeper::ui
