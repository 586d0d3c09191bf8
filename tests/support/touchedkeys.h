// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/snapshotcompare.h"
#include "support/snapshottime.h"

namespace lockkeeper::test {

// The server has reported a change of the lock, at the time of a snapshot, and so many messages of releases.
inline monitor::BetweenReads touched(Milliseconds when, int messages = 0) {
    monitor::BetweenReads between;
    between.touch = monitor::KeyTouch::Touched;
    between.touchedAt = at(when);
    between.messages = messages;
    return between;
}

}  // namespace lockkeeper::test
