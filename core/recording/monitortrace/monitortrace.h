// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "lockkeeper_monitor_export.h"
#include "recording/monitortrace/tracenotes.h"

#include <QIODevice>

#include <functional>
#include <memory>
#include <stop_token>

namespace lockkeeper::recording {

// How a long text is read.
struct TraceProgress {
    std::stop_token stop{};
    std::function<void(int percent)> progressed{};  // on this thread; may be empty
};

// A recording that was made of a text. It is in memory if it is small, and in a temporary file otherwise, which is
// removed with this object.
struct TraceRecording {
    std::unique_ptr<QIODevice> recording;  // open, at its begin; null: the text has nothing of MONITOR or redis-cli
    TraceNotes notes;
};

// Reads the whole text in blocks. server: shown as the server's name. stateAt: the time of what redis-cli has shown,
// which has no time itself. Errors: Storage, if the text cannot be read or the temporary file cannot be written;
// Cancelled. Blocks until it is done.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<TraceRecording> recordTrace(QIODevice& text, const QString& server,
                                                                           WallTime stateAt,
                                                                           const TraceProgress& progress = {});

}  // namespace lockkeeper::recording
