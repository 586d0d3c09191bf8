// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "profile/dumpsettings.h"

#include <QGroupBox>

#include <optional>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace lockkeeper::ui {

// Fields for how to get a thread dump of a client; folded unless a way is set, or the user checks the box. The password
// is one of the SecretFields.
class DumpFields final : public QGroupBox {
    Q_OBJECT
public:
    explicit DumpFields(QWidget* parent = nullptr);

    void set(const profile::DumpSettings& dumps);
    // Sets what was entered; the password stays as it is. Folded: nothing is set.
    void applyTo(profile::DumpSettings& dumps) const;
    // What is wrong with it; nothing if it can be used.
    [[nodiscard]] std::optional<Error> mistake() const;

Q_SIGNALS:
    void edited();
    // The fields are shown or hidden.
    void folded();

private:
    void makeFields();
    void retranslate();
    void showFields();
    [[nodiscard]] profile::DumpWay way() const;

    struct TextField {
        QLabel* caption;
        QLineEdit* edit;
        profile::DumpWay way;
    };
    [[nodiscard]] TextField textField(const QString& name, profile::DumpWay way);

    QWidget* m_fields;
    QFormLayout* m_form;
    QLabel* m_wayCaption;
    QComboBox* m_way;
    TextField m_url;
    TextField m_user;
    TextField m_hosts;
    TextField m_login;
    QCheckBox* m_sudo;
    TextField m_pod;
    TextField m_namespace;
    TextField m_container;
};

}  // namespace lockkeeper::ui
