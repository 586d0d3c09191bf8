// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/eventstory.h"

namespace lockkeeper::test {

// For tests of the timeline: the history of one lock and its holders, starting at this moment.
inline const WallTime laneStart = WallTime(std::chrono::hours(1000));
inline const monitor::Holder alice = holder(clientA, 33);
inline const monitor::Holder bob = holder(clientB, 34);

inline EventStory story() {
    return EventStory("L", laneStart);
}

}  // namespace lockkeeper::test
