// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

namespace lockkeeper::monitor {

enum class HoldBegin : quint8 { Seen, NotSeen };

// What reads have shown about one hold of a lock. PresentHold keeps it up to date; all other users have copies.
struct Hold {
    SteadyTime since{};        // when it was first seen
    WallTime sinceWall{};      // the same moment by the wall clock at that time, which may have been set since
    SteadyTime lastRenewal{};  // valid if there are renewals
    Milliseconds peakTtl{0};   // the highest TTL seen: the full length of the TTL bar
    quint32 renewals = 0;
    HoldBegin begin = HoldBegin::Seen;  // NotSeen: held since then, or longer

    [[nodiscard]] bool isBeginSeen() const noexcept { return begin == HoldBegin::Seen; }
};

}  // namespace lockkeeper::monitor
