// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QString>

namespace lockkeeper::platform {

// The user whose rights this program has, by the system's own list of users; a number if the list has no name for it.
// Blocks while the system asks a directory service. Portable: from the environment, else from the owner of the home
// folder.
[[nodiscard]] LOCKKEEPER_EXPORT QString userName();

}  // namespace lockkeeper::platform
