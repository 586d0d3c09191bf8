// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/labmessages.h"

#include <algorithm>
#include <set>

namespace lockkeeper::ui {

namespace {

std::optional<int> laneOf(const lab::LabFrame& frame, const lab::ActorName& name) {
    const auto found = std::ranges::find(frame.actors, name, &lab::LabActor::name);
    return found == frame.actors.end() ? std::nullopt : std::optional(static_cast<int>(found - frame.actors.begin()));
}

}  // namespace

std::vector<LabMessage> messagesOf(const LabRecording& recording) {
    std::set<LabMessage> messages;
    for (const lab::WireLine& line : recording.lines()) {
        if (line.receivers.empty() || line.frame >= recording.size())
            continue;
        const lab::LabFrame& frame = recording.at(line.frame);
        const std::optional<int> from = laneOf(frame, line.actor);
        for (const lab::ActorName& receiver : line.receivers) {
            if (const std::optional<int> to = laneOf(frame, receiver); to && to != from)
                messages.insert({line.frame, from, *to});
        }
    }
    return {messages.begin(), messages.end()};
}

}  // namespace lockkeeper::ui
