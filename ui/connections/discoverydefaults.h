// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/connectionprofile.h"

class QSettings;

namespace lockkeeper::ui {

// How locks are searched for where the address of a connection says nothing about it.
[[nodiscard]] profile::DiscoverySettings discoveryDefaults(QSettings& settings);
void setDiscoveryDefaults(QSettings& settings, const profile::DiscoverySettings& defaults);
[[nodiscard]] profile::ConnectionProfile withDefaults(const profile::ConnectionProfile& profile,
                                                      const profile::DiscoverySettings& defaults);

}  // namespace lockkeeper::ui
