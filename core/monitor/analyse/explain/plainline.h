// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <string>
#include <string_view>

namespace lockkeeper::monitor {

// Whether the line looks like JSON, in which a backslash begins an escape.
[[nodiscard]] bool isEscaped(std::string_view line);
// How many bytes at the end of a piece of such a line begin an escape that the next piece continues.
[[nodiscard]] size_t openEscape(std::string_view piece);

// What a runtime of containers (CRI) has written of a line of the program. Last: it is complete with this one.
enum class ContainerPart { None, Partial, Last };
[[nodiscard]] ContainerPart containerPart(std::string_view line);
// Of a line with a part: a runtime may write lines of one stream between the parts of the other.
enum class ContainerStream { Output, Errors };
[[nodiscard]] ContainerStream containerStream(std::string_view line);
// Whether a container's log has its own time before the line, of either form.
[[nodiscard]] bool isOfContainer(std::string_view line);
// The part itself; of another line, the line without the sign of a quotation.
[[nodiscard]] std::string_view containerContent(std::string_view line);

// Whether the line has escapes. Unknown: the line itself shows it.
enum class Escapes { Unknown, Used };

// The line as the client has written it: without what mail programs, blogs and JSON make of it. Hyphens, quotes and
// blanks of typography become those of ASCII, invisible characters are removed, and in a line that looks like JSON the
// escapes are resolved; "\n" then becomes a line end, so one line may become several. Control characters are blanks,
// colors of a terminal, the sign of a quotation and what a container's log adds are removed.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::string plainLine(std::string_view line,
                                                              Escapes escapes = Escapes::Unknown);

}  // namespace lockkeeper::monitor
