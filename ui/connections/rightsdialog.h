// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "profile/aclline.h"
#include "ui/base/fitteddialog.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QVBoxLayout;

namespace lockkeeper::ui {

class ConnectionBadge;

// What this connection may not do on its server, what that costs, and the rights that it needs, ready to be copied.
class RightsDialog final : public FittedDialog {
    Q_OBJECT
public:
    RightsDialog(const profile::ConnectionProfile& profile, const ConnectionStatus& status, QWidget* parent);

    void setConnection(const profile::ProfileLabel& label, const QString& server);
    // What was refused so far; nothing while it is not known.
    void setStats(const std::optional<monitor::MonitorStats>& stats);
    void setArming(const Arming& arming);

private:
    struct Shown {
        profile::AclLine acl;
        QLabel* caption;
        QPlainTextEdit* text;
        QPushButton* copy;
    };

    void addLine(const profile::AclLine& acl, QVBoxLayout& layout);
    void retranslate();
    [[nodiscard]] static QString captionOf(const profile::AclLine& acl, bool isOnly);

    std::optional<monitor::MonitorStats> m_stats;
    Arming m_arming;
    ConnectionBadge* m_connection;
    QLabel* m_missingCaption;
    QLabel* m_missing;
    QLabel* m_refusedCaption;  // to the user who writes
    QLabel* m_refused;
    QList<Shown> m_lines;
    QLabel* m_note;
};

}  // namespace lockkeeper::ui
