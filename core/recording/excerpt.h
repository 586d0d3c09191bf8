// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "recording/recordingfile.h"
#include "recording/recordingstatus.h"

#include <functional>
#include <stop_token>

namespace lockkeeper::recording {

// Saves what the recording shows from one time to another as a recording of its own. It begins with the state at the
// first time; what earlier records showed, such as since when a lock is held, is lost. request: the path, the largest
// size, and whether it is masked; a masked recording stays masked. If the time is too long for the size, only the first
// part is saved: LimitReached. After a stop the file is removed: Cancelled. Blocks until it is done. progressed: called
// on this thread with the percentage of the time up to the end of the part that was read, when it has grown.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<RecordingPhase> saveExcerpt(
    RecordingFile& file, const RecordingRequest& request, std::optional<WallTime> from, std::optional<WallTime> to,
    const std::stop_token& stop = {}, const std::function<void(int)>& progressed = {});

}  // namespace lockkeeper::recording
