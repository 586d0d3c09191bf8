// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"

#include <QMetaType>
#include <QString>

#include <optional>

namespace lockkeeper::recording {

enum class Masking {
    Off,
    On  // names of locks, ids of clients and addresses are replaced, each by the same word everywhere in the file
};

// What to record, and where.
struct RecordingRequest {
    QString path;                         // of a file that does not exist yet
    qint64 limit = 1024LL * 1024 * 1024;  // bytes of the file; the recording ends before it gets larger
    Masking masking = Masking::Off;
};

enum class RecordingPhase {
    Off,
    Running,
    Stopped,       // on request, or with its session
    LimitReached,  // the file has its largest size; it is whole
    Failed         // the file cannot be written; it is whole up to the failure
};

// The state of a session's recording.
struct RecordingStatus {
    RecordingPhase phase = RecordingPhase::Off;
    QString path;
    qint64 bytes = 0;  // of the file; 0: nothing was written yet
    WallTime since{};
    std::optional<Error> error;  // Failed

    friend bool operator==(const RecordingStatus&, const RecordingStatus&) = default;
};

}  // namespace lockkeeper::recording

Q_DECLARE_METATYPE(lockkeeper::recording::RecordingStatus)
