// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profilelabel.h"

#include <QWidget>

namespace lockkeeper::ui {

class Badge;

// Environment, name and server of a connection on the color of its label, for dialogs that write.
class ConnectionBadge final : public QWidget {
    Q_OBJECT
public:
    explicit ConnectionBadge(QWidget* parent = nullptr);

    void set(const profile::ProfileLabel& label, const QString& server);

private:
    void retranslate();

    profile::ProfileLabel m_label;
    QString m_server;
    Badge* m_badge;
};

}  // namespace lockkeeper::ui
