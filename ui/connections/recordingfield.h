// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/recordingstatus.h"

namespace lockkeeper::ui {

class StatusField;

// What it is, for screen readers and What's This; to be repeated when the language changes.
void describeRecordingField(StatusField& field);
// That a session is recorded, and the size of the file; nothing if it is not.
void showRecording(StatusField& field, const recording::RecordingStatus& status);

}  // namespace lockkeeper::ui
