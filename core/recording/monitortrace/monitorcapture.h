// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"
#include "recording/monitortrace/tracenotes.h"

#include <QString>

#include <memory>
#include <optional>

namespace lockkeeper::recording {

// Asks a session to run MONITOR for a short time. Request it only when the user wants it and knows its cost.
struct CaptureRequest {
    LockName lock;  // at its master; empty: at the first one
    QString server;
    Milliseconds limit{30'000};
};

// What came of it: a recording, of which nothing is left but what is about locks.
struct MonitorCapture {
    std::shared_ptr<const QByteArray> recording;  // null: it failed, or there was nothing
    TraceNotes notes;
    std::optional<Error> error{};
};

}  // namespace lockkeeper::recording
