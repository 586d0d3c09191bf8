// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/storedprofile.h"

#include <QGroupBox>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace lockkeeper::ui {

// The fields of a connection that is to be saved. A connection without a name is not saved.
class SavedFields final : public QGroupBox {
    Q_OBJECT
public:
    // groups: that exist already.
    explicit SavedFields(const QStringList& groups, QWidget* parent = nullptr);

    void set(const profile::StoredProfile& stored);
    // Puts the values of the fields into `stored`.
    void applyTo(profile::StoredProfile& stored) const;
    [[nodiscard]] QString name() const;
    [[nodiscard]] bool asksForSecrets() const;
    void focusName();

Q_SIGNALS:
    // The user has edited the name.
    void nameEdited();
    void asksForSecretsChanged(bool asks);

private:
    void retranslate();
    void makeFields();

    QLabel* m_nameCaption;
    QLabel* m_environmentCaption;
    QLabel* m_colorCaption;
    QLabel* m_groupCaption;
    QLabel* m_noteCaption;
    QLineEdit* m_name;
    QComboBox* m_environment;
    QComboBox* m_color;
    QComboBox* m_group;
    QLineEdit* m_note;
    QCheckBox* m_ask;
};

}  // namespace lockkeeper::ui
