// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/connectionprofile.h"

#include <QObject>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace lockkeeper::ui {

// The fields of a dialog for the address of a server and the user there. Thread: the GUI's.
class AddressFields final : public QObject {
    Q_OBJECT
public:
    // recentUrls: offered in the list, newest first. The form gets the fields as its next rows, and outlives them.
    AddressFields(const QStringList& recentUrls, QFormLayout& form, QWidget& dialog);

    void setEnabled(bool enabled);
    void focus();
    // Fills in the address without its password.
    void set(const profile::ConnectionProfile& profile);
    // The profile of the typed address, or of the usual address if nothing was typed. A user in the user field
    // replaces the one of the address.
    [[nodiscard]] Result<profile::ConnectionProfile> entered() const;
    // A password in the address is taken out of it, and its user goes to the user's field. Empty if there is none.
    [[nodiscard]] QByteArray takePassword();

Q_SIGNALS:
    // The user has edited one of the fields.
    void edited();
    // The address has changed, by the user or by set().
    void addressChanged();
    // The address is typed, or was chosen from the list.
    void addressEntered();

private:
    void retranslate();

    QLabel* m_urlCaption;
    QLabel* m_userCaption;
    QLabel* m_examples;
    QComboBox* m_url;
    QLineEdit* m_user;
};

}  // namespace lockkeeper::ui
