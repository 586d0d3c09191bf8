// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/recordingstatus.h"

class QObject;

namespace lockkeeper::ui {

// A page whose session can be recorded into a file.
class Recordable {
public:
    virtual ~Recordable() = default;

    // Whether the page has a session now that can be recorded.
    [[nodiscard]] virtual bool canBeRecorded() const = 0;
    // The status of the present recording, or of the last one.
    [[nodiscard]] virtual const recording::RecordingStatus& recording() const = 0;
    virtual void record(const recording::RecordingRequest& request) = 0;
    virtual void stopRecording() = 0;
    // The page itself.
    [[nodiscard]] virtual QObject& asObject() = 0;
};

}  // namespace lockkeeper::ui
