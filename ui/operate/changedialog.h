// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profilelabel.h"
#include "ui/base/fitteddialog.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockkeeper::ui {

class ConnectionBadge;
struct NameProof;

// A dialog that asks before something of others is changed. It shows where that is, takes the reason, and on production
// the typed name of what is changed, and says what is missing. Enter never presses its button.
class ChangeDialog : public FittedDialog {
    Q_OBJECT
public:
    // Where it is. On production the name must be typed.
    void setConnection(const profile::ProfileLabel& label, const QString& server);

protected:
    // names: the beginning of the object names of its widgets.
    ChangeDialog(const QString& names, QWidget* parent);

    // Says what is missing, if anything. Called when a field or the connection has changed.
    virtual void showMissing() = 0;
    // The rows of the name and of the reason.
    void addFields(QFormLayout& form);
    // With both buttons.
    [[nodiscard]] QWidget* buttonBox();
    // The order of the Tab key: these, the fields and buttons, and those after them.
    void orderTabs(const QList<QWidget*>& before, const QList<QWidget*>& after = {});
    void retranslateFields();
    // placeholder: if the name itself can be typed.
    void askFor(const NameProof& proof, const QString& placeholder);
    // Why the typed name and the reason do not suffice; empty if they do. typeName: says that the name must be typed.
    [[nodiscard]] QString missingInFields(const NameProof& proof, const QString& typeName) const;
    [[nodiscard]] QString trimmedReason() const;

    ConnectionBadge* m_connection;
    QLabel* m_nameCaption;
    QLineEdit* m_name;
    QLineEdit* m_reason;
    QLabel* m_missing;
    QPushButton* m_button;  // makes the change
    QPushButton* m_cancel;
    QString m_server;

private:
    QLabel* m_reasonCaption;
    bool m_isProduction = false;
};

}  // namespace lockkeeper::ui
