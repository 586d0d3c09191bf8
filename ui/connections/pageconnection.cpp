// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/pageconnection.h"

#include "ui/connections/discoverydefaults.h"

namespace lockkeeper::ui {

void PageConnection::open(const profile::ConnectionProfile& profile, const profile::ProfileLabel& label) {
    m_target = profile;
    m_label = label;
    m_link.connectTo(this->profile(), m_names.open(profile.id, profile.display()), label);
}

void PageConnection::openDemo(redis::AccessMode access) {
    m_target = access;
    m_label = {};
    m_names.close();
    m_link.connectToDemo(access);
}

void PageConnection::openReplay() {
    m_names.close();
    m_link.connectTo({}, {});
}

void PageConnection::reopen() {
    if (const auto* profile = std::get_if<profile::ConnectionProfile>(&m_target))
        open(profile::ConnectionProfile(*profile), profile::ProfileLabel(m_label));
    else if (const auto* access = std::get_if<redis::AccessMode>(&m_target))
        openDemo(redis::AccessMode(*access));
}

profile::ConnectionProfile PageConnection::profile() const {
    const auto* profile = std::get_if<profile::ConnectionProfile>(&m_target);
    return profile ? withDefaults(*profile, discoveryDefaults(m_settings)) : profile::ConnectionProfile();
}

std::optional<profile::ConnectionProfile> PageConnection::atMaster(const QString& master) const {
    const auto* replica = std::get_if<profile::ConnectionProfile>(&m_target);
    return replica ? replica->atServer(master) : std::nullopt;
}

std::optional<profile::ConnectionProfile> PageConnection::asCluster() const {
    const auto* node = std::get_if<profile::ConnectionProfile>(&m_target);
    return node ? node->asCluster() : std::nullopt;
}

}  // namespace lockkeeper::ui
