// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/storedprofile.h"

#include <optional>

namespace lockkeeper::app {

// A server that a service watches.
struct WatchedTarget {
    QString name;  // without a user and secrets
    profile::ConnectionProfile profile;
    std::optional<profile::StoredProfile> saved{};  // of --profile
    bool isDemo = false;                            // profile says nothing then
};

}  // namespace lockkeeper::app
