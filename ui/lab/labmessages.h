// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/lab/labrecording.h"

#include <compare>
#include <optional>
#include <vector>

namespace lockkeeper::ui {

// A message on a channel, from the actor that published it to another one that was subscribed. Actors are numbered in
// the order of the frames.
struct LabMessage {
    qsizetype frame = 0;      // the first one that shows it
    std::optional<int> from;  // nothing: by hand
    int to = 0;

    friend auto operator<=>(const LabMessage&, const LabMessage&) = default;
};

// In the order of the frames; several of the same actors in one frame count once.
[[nodiscard]] std::vector<LabMessage> messagesOf(const LabRecording& recording);

}  // namespace lockkeeper::ui
