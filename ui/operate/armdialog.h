// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profilelabel.h"
#include "ui/base/fitteddialog.h"

#include <chrono>

class QButtonGroup;
class QLabel;
class QPushButton;

namespace lockkeeper::ui {

class ConnectionBadge;

// Asks for how long a connection may write.
class ArmDialog final : public FittedDialog {
    Q_OBJECT
public:
    explicit ArmDialog(QWidget* parent = nullptr);

    void setConnection(const profile::ProfileLabel& label, const QString& server);
    // Why it cannot be armed now; empty when it can.
    void setRefusal(const QString& refusal);

Q_SIGNALS:
    void armWanted(std::chrono::minutes time);

private:
    void retranslate();
    void makeTimes();
    void makeLayout();
    [[nodiscard]] std::chrono::minutes chosen() const;

    QString m_name;  // of the connection
    QString m_refusal;
    ConnectionBadge* m_connection;
    QLabel* m_what;
    QButtonGroup* m_times;  // their ids are minutes
    QLabel* m_why;
    QPushButton* m_arm;
};

}  // namespace lockkeeper::ui
