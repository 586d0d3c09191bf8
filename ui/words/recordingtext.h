// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "recording/recordingfile.h"
#include "recording/recordingstatus.h"
#include "ui/words/errortext.h"

namespace lockkeeper::ui {

// Why a file does not open as a recording.
[[nodiscard]] QString openProblemText(const QString& path, const recording::OpenProblem& problem);
// That the recording of a session has ended, and why.
[[nodiscard]] Message recordingEndMessage(const recording::RecordingStatus& status);
// What became of a part that was to be saved.
[[nodiscard]] Message excerptMessage(const QString& path, const Result<recording::RecordingPhase>& saved);

}  // namespace lockkeeper::ui
