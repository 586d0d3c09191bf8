// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "recording/record.h"

#include <optional>

namespace lockkeeper::recording {

// A scenario that was recorded with a real client of Redisson, in JSON: what each step left on the server, with the
// step's text as a caption. The file has no dates, no client ids and, if it is old, no times, so these are made up: see
// clienttrace.cpp.
struct ClientTrace {
    RecordingInfo info;
    std::vector<Record> records;
};

// Nothing if the text is not such a scenario. Of semaphores and latches it has those that clients wait for, as a server
// shows them.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<ClientTrace> clientTraceIn(const QByteArray& json);

// The bytes of a recording with these records.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray recordingOf(const ClientTrace& trace);

}  // namespace lockkeeper::recording
