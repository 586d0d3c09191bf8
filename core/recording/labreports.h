// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "recording/recordingfile.h"

#include <vector>

namespace lockkeeper::recording {

// What a recorded lab session has reported, and when.
struct LabReport {
    SteadyTime at{};
    lab::SharedLabUpdate update;
};

// All of them, up to the bounds of a lab session: what a file has beyond these is left out. Empty for other recordings.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<LabReport> labReportsIn(RecordingFile& file);

// Adds a report to `shown`, of which the last frame with its commands is kept: a recording that begins there begins with it.
void addTo(lab::LabUpdate& shown, const lab::LabUpdate& update);

}  // namespace lockkeeper::recording
