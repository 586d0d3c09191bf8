// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "recording/record.h"

#include <optional>

namespace lockkeeper::recording {

// A scenario that was recorded at a real client of Redisson, in JSON: what each step left on the server, with its text as
// a caption. It has no dates, no client ids and, in older files, no times, so these are made up: see clienttrace.cpp.
struct ClientTrace {
    RecordingInfo info;
    std::vector<Record> records;
};

// Nothing if the text is no such scenario. Of semaphores and latches it has those that clients wait for, as a server shows
// them.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<ClientTrace> clientTraceIn(const QByteArray& json);

// The bytes of a recording with these records.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray recordingOf(const ClientTrace& trace);

}  // namespace lockkeeper::recording
