// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profilelabel.h"

namespace lockkeeper::ui {

// Empty for none.
[[nodiscard]] QString environmentText(profile::Environment environment);
[[nodiscard]] QString colorText(profile::LabelColor color);
// The name that the user gave the connection, else its server.
[[nodiscard]] QString connectionName(const profile::ProfileLabel& label, const QString& server);
// Environment, name and server, as far as there are any.
[[nodiscard]] QString connectionText(const profile::ProfileLabel& label, const QString& server);

}  // namespace lockkeeper::ui
