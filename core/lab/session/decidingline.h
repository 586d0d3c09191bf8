// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArrayList>

#include <optional>
#include <vector>

namespace lockkeeper::lab {

// The line of a script that gave its answer, without the blanks around it; nothing if it is not certain. MONITOR shows
// what a script called, and no reply. So the script is run here, without a server, with all the replies that could
// matter: a way through it that calls the same as the server's script may be the one that it took, and all such ways
// must end at the same line.
//
// command: EVAL or EVALSHA with its arguments. source: of its script. calls: its commands, in order and all of them.
//
// The script may come from anybody, so it gets no function that reaches out of it. Thread: any. Bounded: some
// milliseconds, and 4 MB.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<QByteArray> decidingLine(
    const QByteArrayList& command, const QByteArray& source, const std::vector<QByteArrayList>& calls);

}  // namespace lockkeeper::lab
