// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/armingdialogs.h"

#include "ui/connections/checkdialog.h"
#include "ui/connections/rightsdialog.h"
#include "ui/operate/armdialog.h"

namespace lockkeeper::ui {

ArmingDialogs::ArmingDialogs(QWidget& page) : QObject(&page), m_page(page) {}

void ArmingDialogs::openArm(const profile::ProfileLabel& label, const QString& server) {
    if (m_arm && m_arm->isVisible())
        return;
    m_arm = new ArmDialog(&m_page);
    m_arm->setObjectName(QStringLiteral("armDialog"));
    m_arm->setConnection(label, server);
    m_arm->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_arm, &ArmDialog::armWanted, this, &ArmingDialogs::armWanted);
    m_arm->open();
}

void ArmingDialogs::openRights(const profile::ConnectionProfile& profile, const ConnectionStatus& status,
                               const profile::ProfileLabel& label, const QString& server) {
    m_rights = new RightsDialog(profile, status, &m_page);
    m_rights->setObjectName(QStringLiteral("rightsDialog"));
    m_rights->setConnection(label, server);
    m_rights->setAttribute(Qt::WA_DeleteOnClose);
    m_rights->setStats(m_stats);
    m_rights->setArming(m_arming);
    m_rights->open();
}

void ArmingDialogs::openCheck(const profile::ProfileLabel& label, const QString& server) {
    if (m_check && m_check->isVisible())
        return;
    m_check = new CheckDialog(&m_page);
    m_check->setObjectName(QStringLiteral("checkDialog"));
    m_check->setConnection(label, server);
    m_check->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_check, &CheckDialog::checkWanted, this, &ArmingDialogs::checkWanted);
    m_check->open();
    m_check->start();
}

void ArmingDialogs::endCheck() {
    if (m_check)
        m_check->end();
}

void ArmingDialogs::setCheck(const ServerChecked& checked) {
    if (m_check)
        m_check->setCheck(checked);
}

void ArmingDialogs::setStats(const std::optional<monitor::MonitorStats>& stats) {
    m_stats = stats;
    if (m_rights && stats)
        m_rights->setStats(stats);
}

void ArmingDialogs::setArming(const Arming& arming) {
    m_arming = arming;
    if (m_rights)
        m_rights->setArming(arming);
}

void ArmingDialogs::setRefusal(const QString& refusal) {
    if (m_arm)
        m_arm->setRefusal(refusal);
}

}  // namespace lockkeeper::ui

#include "moc_armingdialogs.cpp"
