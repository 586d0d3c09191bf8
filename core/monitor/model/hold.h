// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "monitor/model/rare.h"

#include <array>

namespace lockkeeper::monitor {

enum class HoldBegin : quint8 { Seen, NotSeen };

// The same holder with the same count was also seen before a time that was not watched. Whether it has released the
// lock and acquired it again in that time is not known.
struct SeenBefore {
    WallTime since{};  // or before
    WallTime unwatchedFrom{};
    WallTime unwatchedTo{};
    quint32 gaps = 1;  // in that time, which was watched between them

    friend bool operator==(const SeenBefore&, const SeenBefore&) = default;
};

// What reads have shown about one hold of a lock. PresentHold keeps it up to date; all other users have copies.
struct Hold {
    SteadyTime since{};        // when it was first seen
    WallTime sinceWall{};      // the same moment by the wall clock at that time, which may have been set since
    SteadyTime lastRenewal{};  // valid if there are renewals
    // How long before the last renewal the ones before it were, the latest first; zero: none, or not known. Few,
    // because each known lock keeps them.
    using Before = std::chrono::duration<quint32, std::milli>;
    std::array<Before, 3> earlierRenewals{};
    Milliseconds peakTtl{0};  // the highest TTL seen: the full length of the TTL bar
    quint32 renewals = 0;
    HoldBegin begin = HoldBegin::Seen;  // NotSeen: held since then, or longer
    Rare<SeenBefore> seenBefore;        // only for a hold whose begin was not seen

    [[nodiscard]] bool isBeginSeen() const noexcept { return begin == HoldBegin::Seen; }
};

}  // namespace lockkeeper::monitor
