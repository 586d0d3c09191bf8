// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/exitcode.h"
#include "monitor/model/aliasof.h"

namespace lockkeeper::recording {
class RecordingFile;
struct OpenProblem;
struct RecordingStatus;
}  // namespace lockkeeper::recording

namespace lockkeeper::app {

// `replay`: prints what `watch` printed while it recorded, or saves a part of the recording. Needs no event loop and no
// server.
[[nodiscard]] ExitCode runReplay(const Arguments& arguments, const monitor::AliasOf& aliasOf);

// Why a file does not open as a recording, in sentences for stderr.
[[nodiscard]] QString openProblemWords(const QString& path, const recording::OpenProblem& problem);
// Why the recording has ended early; empty if it has ended in order, or still runs.
[[nodiscard]] QString recordingEndWords(const recording::RecordingStatus& status);

}  // namespace lockkeeper::app
