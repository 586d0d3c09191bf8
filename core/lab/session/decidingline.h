// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArrayList>

#include <optional>
#include <vector>

namespace lockkeeper::lab {

// Whether all that a script has called is known, or further calls may follow those that are.
enum class CallsKnown { All, PerhapsNotTheLast };

// The line of an own script that gave its answer, without the blanks around it; nothing if it is not certain. MONITOR
// shows what a script called, and no reply. So the script is run here, without a server, with replies that lead every
// way: one that calls the same as the server's script may be the one that it took, and all such ways must end at the
// same line. Nothing also if the script may have ended because the server refused its last call, or one more.
//
// command: EVAL or EVALSHA with its arguments. source: of its script; for another one than an own script the answer may
// be wrong. calls: its commands, in order. PerhapsNotTheLast: the ways that go on behind them count, too, so the answer
// is nothing, or the right line. All, where some are missing: as well, unless the script has a line for a refused call.
//
// The script gets no function that reaches out of it, 4 MB, and 500,000 instructions. Thread: any.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<QByteArray> decidingLine(
    const QByteArrayList& command, const QByteArray& source, const std::vector<QByteArrayList>& calls,
    CallsKnown known = CallsKnown::All);

}  // namespace lockkeeper::lab
