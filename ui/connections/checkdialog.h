// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "profile/profilelabel.h"
#include "ui/base/fitteddialog.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace lockkeeper::ui {

class ConnectionBadge;

// What the server does not have or refuses, and what locks cannot do because of it, with the evidence.
class CheckDialog final : public FittedDialog {
    Q_OBJECT
public:
    explicit CheckDialog(QWidget* parent);

    void setConnection(const profile::ProfileLabel& label, const QString& server);
    // Asks for a check. While one is under way it does nothing.
    void start();
    void setCheck(const ServerChecked& checked);
    // The session has closed: nothing answers a check that is under way.
    void end();

Q_SIGNALS:
    void checkWanted();

private:
    void retranslate();
    [[nodiscard]] QString resultText() const;

    bool m_isUnderWay = false;
    ServerChecked m_checked;
    ConnectionBadge* m_connection;
    QLabel* m_note;
    QPlainTextEdit* m_result;
    QPushButton* m_again;
    QPushButton* m_copy;
};

}  // namespace lockkeeper::ui
