// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/monitorbatch.h"
#include "profile/connectionprofile.h"
#include "profile/profilelabel.h"
#include "session/arming.h"

#include <QObject>
#include <QPointer>

#include <chrono>

namespace lockkeeper {
struct ConnectionStatus;
struct ServerChecked;
}  // namespace lockkeeper

class QWidget;

namespace lockkeeper::ui {

class ArmDialog;
class CheckDialog;
class RightsDialog;

// The dialogs of a session about what it may do: one arms it, one shows its rights, one what its server can do.
class ArmingDialogs final : public QObject {
    Q_OBJECT
public:
    explicit ArmingDialogs(QWidget& page);

    void openArm(const profile::ProfileLabel& label, const QString& server);
    void openRights(const profile::ConnectionProfile& profile, const ConnectionStatus& status,
                    const profile::ProfileLabel& label, const QString& server);
    // Begins the first check, too.
    void openCheck(const profile::ProfileLabel& label, const QString& server);
    void setStats(const std::optional<monitor::MonitorStats>& stats);
    void setArming(const Arming& arming);
    void setCheck(const ServerChecked& checked);
    void endCheck();
    // Why the session cannot be armed; empty: it can.
    void setRefusal(const QString& refusal);

Q_SIGNALS:
    void armWanted(std::chrono::minutes time);
    void checkWanted();

private:
    QWidget& m_page;
    std::optional<monitor::MonitorStats> m_stats;
    Arming m_arming;
    QPointer<ArmDialog> m_arm;
    QPointer<RightsDialog> m_rights;
    QPointer<CheckDialog> m_check;
};

}  // namespace lockkeeper::ui
