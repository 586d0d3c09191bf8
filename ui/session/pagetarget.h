// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/connectionprofile.h"

#include <variant>

namespace lockkeeper::ui {

// What a page last connected to, or tried to: nothing yet, a server of the user's, or the demo with this access.
using PageTarget = std::variant<std::monostate, profile::ConnectionProfile, redis::AccessMode>;

}  // namespace lockkeeper::ui
