// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <string>
#include <string_view>

namespace lockkeeper::monitor {

// The line as the client has written it: without what mail programs, blogs and JSON make of it. Hyphens, quotes and
// blanks of typography become those of ASCII, invisible characters are removed, and in a line that looks like JSON the
// escapes are resolved; "\n" then becomes a line end, so one line may become several. Control characters are blanks,
// colors of a terminal, the sign of a quotation and what a container's log adds are removed.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::string plainLine(std::string_view line);

}  // namespace lockkeeper::monitor
