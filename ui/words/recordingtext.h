// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/recordingfile.h"
#include "recording/recordingstatus.h"
#include "ui/words/errortext.h"

namespace lockkeeper::ui {

// Why a file does not open as a recording.
[[nodiscard]] QString openProblemText(const QString& path, const recording::OpenProblem& problem);
// That the recording of a session has ended, and why.
[[nodiscard]] Message recordingEndMessage(const recording::RecordingStatus& status);

}  // namespace lockkeeper::ui
