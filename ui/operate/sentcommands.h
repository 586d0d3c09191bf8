// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"

namespace lockkeeper::ui {

// What will be sent to the server for this change, and what the script does there. A Redis command a line, with names
// as redis-cli would show them. now: as the server's clock is believed to be.
[[nodiscard]] QString sentCommandsText(const monitor::LockSnapshot& confirmed, const control::LockChange& change,
                                       WallTime now);

}  // namespace lockkeeper::ui
