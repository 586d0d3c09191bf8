// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "recording/recordingfile.h"

#include <vector>

namespace lockkeeper::recording {

// A report of a recorded lab session, and its time.
struct LabReport {
    SteadyTime at{};
    lab::SharedLabUpdate update;
};

// All reports, up to the bounds of a lab session; further ones in a file are left out. Empty for other recordings.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<LabReport> labReportsIn(RecordingFile& file);

// Adds a report to `shown`, which keeps the last frame with its commands, so that a recording that begins at this time
// can begin with it.
void addTo(lab::LabUpdate& shown, const lab::LabUpdate& update);

}  // namespace lockkeeper::recording
