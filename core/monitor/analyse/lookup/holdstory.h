// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/hold.h"
#include "monitor/model/lockevent.h"

#include <functional>
#include <vector>

namespace lockkeeper::monitor {

// How a hold ended, as far as it was watched.
enum class HoldEnd {
    StillHeld,   // as of the last event of the lock
    Released,    // a message was received: released, or forced by a client that publishes a message
    Expired,     // the lease was over
    Deleted,     // without a message, with TTL left: by hand, or evicted
    HandedOver,  // another holder followed at once, and a release or the end of the lease explains it
    TakenOver,   // another holder, but no release was seen
    Gone,        // it is not known how the hold ended
    NotWatched   // still held when watching ended
};

// One hold of one lock by one holder. A gap in watching splits a hold in two.
struct PastHold {
    LockName lock;
    Holder holder;  // with the highest reentry count seen
    WallTime from{};
    HoldBegin begin = HoldBegin::Seen;
    WallTime to{};  // not valid while still held
    HoldEnd end = HoldEnd::StillHeld;
    quint64 renewals = 0;
    std::optional<Milliseconds> lease = std::nullopt;  // the longest TTL seen; nothing if it never expires

    [[nodiscard]] bool isOpen() const noexcept { return end == HoldEnd::StillHeld; }
    // Whether the hold lasted at that moment, as far as it was watched.
    [[nodiscard]] bool covers(WallTime moment) const noexcept { return from <= moment && (isOpen() || moment < to); }
};

// Makes holds from events (oldest first), keeps the holds that `wanted` accepts, and sorts them by their begin.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<PastHold> holdStory(
    const std::vector<LockEvent>& events, const std::function<bool(const PastHold&)>& wanted);

}  // namespace lockkeeper::monitor
