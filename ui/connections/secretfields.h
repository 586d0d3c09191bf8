// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/connectionprofile.h"
#include "profile/secretstore.h"

#include <QObject>

#include <array>

class QFormLayout;
class QLabel;
class QLineEdit;

namespace lockkeeper::ui {

// The fields of a dialog for the secrets of a connection. Those that the keychain has are filled in, unless the user
// has typed others, and are removed when the address becomes another server's. Thread: the GUI's.
class SecretFields final : public QObject {
    Q_OBJECT
public:
    // What becomes of a secret's entry in the keychain: stored, or removed if it is empty.
    struct Change {
        profile::SecretKey key;
        QByteArray secret;
    };

    // Both outlive it; the form gets the fields as its next rows.
    SecretFields(profile::SecretStore& secrets, QFormLayout& form, QWidget& dialog);

    void setEnabled(bool enabled);
    void focusPassword();
    // Shows the fields of the secrets that the profile uses; the field of the password is always shown.
    void showThoseOf(const Result<profile::ConnectionProfile>& profile);
    void setPassword(const QByteArray& password);
    // Fills in the secrets of a file. The entries of the keychain do not change.
    void set(const profile::ConnectionProfile& profile);
    // Fills in what the keychain has for the profile, and removes what it had for another address.
    void lookUp(const profile::ConnectionProfile& profile);
    // Removes what the keychain had for another address.
    void leaveOthers(const profile::ConnectionProfile& profile);
    // Fills in the profile's secrets, as they were entered.
    void applyTo(profile::ConnectionProfile& profile) const;
    // The changes for the keychain: secrets that were entered are stored if they are to be kept; otherwise those that
    // came from the keychain are removed.
    [[nodiscard]] QList<Change> changes(const profile::ConnectionProfile& profile, bool isToBeKept) const;
    // The changes for the keychain if the profile keeps no secret in it.
    [[nodiscard]] static QList<Change> removals(const profile::ConnectionProfile& profile);

Q_SIGNALS:
    // The user has edited a secret.
    void edited();
    // The keychain had a secret.
    void found();

private:
    struct Field {
        QLabel* caption;
        QLineEdit* edit;
        profile::SecretKey (*key)(const profile::ConnectionProfile&);
        bool (*isFor)(const profile::ConnectionProfile&);
        profile::ProfileId keptFor;  // whose entry the keychain has
        profile::ProfileId address;  // of the text, if the keychain had it
    };

    void retranslate();
    void lookUp(Field& field, const profile::ConnectionProfile& profile);

    profile::SecretStore& m_secrets;
    QFormLayout& m_form;
    profile::ProfileId m_wanted;  // whose secrets were looked up last
    std::array<Field, 5> m_fields;
    Field& m_password = m_fields[0];
    Field& m_keyPassphrase = m_fields[1];
    Field& m_sentinelPassword = m_fields[2];
    Field& m_writingPassword = m_fields[3];
    Field& m_dumpPassword = m_fields[4];
};

}  // namespace lockkeeper::ui
