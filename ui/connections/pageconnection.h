// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/sessionlink.h"
#include "profile/profilelabel.h"
#include "ui/connections/namememory.h"

#include <optional>
#include <variant>

class QSettings;

namespace lockkeeper::ui {

// What a page last connected to, or tried to: nothing yet, a server of the user's, or the demo with this access.
using PageTarget = std::variant<std::monostate, profile::ConnectionProfile, redis::AccessMode>;

// How a page connects its session: to what, under which label, and with the names of locks that are remembered for it.
class PageConnection {
public:
    // Both outlive it.
    PageConnection(SessionLink& link, QSettings& settings) : m_link(link), m_settings(settings), m_names(settings) {}

    // label: of a saved connection.
    void open(const profile::ConnectionProfile& profile, const profile::ProfileLabel& label);
    void openDemo(redis::AccessMode access);
    void openReplay();
    // The saved connection has another name, color or environment now.
    void setLabel(const profile::ProfileLabel& label) { m_label = label; }
    // Opens the same target again.
    void reopen();

    [[nodiscard]] const PageTarget& target() const noexcept { return m_target; }
    [[nodiscard]] const profile::ProfileLabel& label() const noexcept { return m_label; }
    // The profile of the server, as it is opened; the default profile for any other target.
    [[nodiscard]] profile::ConnectionProfile profile() const;
    // The same connection to the master of the replica, or to the whole Cluster of the node; nothing if there is none.
    [[nodiscard]] std::optional<profile::ConnectionProfile> atMaster(const QString& master) const;
    [[nodiscard]] std::optional<profile::ConnectionProfile> asCluster() const;
    [[nodiscard]] NameMemory& names() noexcept { return m_names; }

private:
    SessionLink& m_link;
    QSettings& m_settings;
    NameMemory m_names;
    PageTarget m_target;
    profile::ProfileLabel m_label;
};

}  // namespace lockkeeper::ui
