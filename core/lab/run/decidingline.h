// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArrayList>

#include <optional>
#include <vector>

namespace lockkeeper::lab {

// Whether the script consists only of files of the locks, as the scripts of core/locks do.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isOwnScript(const QByteArray& source);

// All: every call of the script is known. PerhapsNotTheLast: further calls may follow the known ones.
enum class CallsKnown { All, PerhapsNotTheLast };

// The line of an own script that decided its answer, without the blanks around it; nothing if it is not certain.
// MONITOR shows the calls of a script, but no replies. So the script is run here, without a server, with replies that
// lead to every possible path. A path with the same calls as on the server may be the path that the server took; all
// such paths must end at the same line. Also nothing if the script may have ended because the server refused its last
// call or a further one.
//
// command: EVAL or EVALSHA with its arguments. source: the script's text; for a script that is not an own script the
// answer may be wrong. calls: the script's calls, in order. With PerhapsNotTheLast, paths that continue after the known
// calls count, too, so the answer is nothing or the right line. With All and missing calls the same holds, unless the
// script has a line for a refused call.
//
// The script has no function that reaches outside of it, 4 MB, and 500,000 instructions. Thread: any.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<QByteArray> decidingLine(const QByteArrayList& command,
                                                                               const QByteArray& source,
                                                                               const std::vector<QByteArrayList>& calls,
                                                                               CallsKnown known = CallsKnown::All);

}  // namespace lockkeeper::lab
