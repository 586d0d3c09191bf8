#pragma once

#include "support/eventstory.h"

namespace lockkeeper::test {

// What tests of the timeline tell of: one lock, and who comes and goes, from this moment on.
inline const WallTime laneStart = WallTime(std::chrono::hours(1000));
inline const monitor::Holder alice = holder(clientA, 33);
inline const monitor::Holder bob = holder(clientB, 34);

inline EventStory story() {
    return EventStory("L", laneStart);
}

}  // namespace lockkeeper::test
