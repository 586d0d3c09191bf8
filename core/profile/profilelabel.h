// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QString>

namespace lockkeeper::profile {

// How important the locks of a server are.
enum class Environment { None, Development, Staging, Production };

// OfEnvironment: each environment has a color of its own.
enum class LabelColor { OfEnvironment, Grey, Green, Teal, Blue, Purple, Orange, Red };

// How the user recognises a saved connection, wherever it is shown.
struct ProfileLabel {
    QString name;
    Environment environment = Environment::None;
    LabelColor color = LabelColor::OfEnvironment;

    friend bool operator==(const ProfileLabel&, const ProfileLabel&) = default;
};

// The word in the file of profiles and in the audit, such as "production"; empty for None.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString wordFor(Environment environment);

}  // namespace lockkeeper::profile
