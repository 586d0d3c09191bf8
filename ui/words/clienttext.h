// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/clientrow.h"

#include <QString>

namespace lockkeeper::ui {

// What it did and with which lock: "it acquired orders:42".
[[nodiscard]] QString signText(const monitor::LastSign& sign);
// The same in a cell of a table, with the time and without the lock: "renewed 16:18:39"; empty if none was seen.
[[nodiscard]] QString shortSignText(const monitor::LastSign& sign, WallTime now);
// Which program made it, as far as its id shows.
[[nodiscard]] QString programText(const ClientId& client);
// "0.3"; empty if it is not known.
[[nodiscard]] QString renewalRateText(const monitor::ClientRow& client);

}  // namespace lockkeeper::ui
