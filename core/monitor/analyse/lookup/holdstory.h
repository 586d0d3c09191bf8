#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/lockevent.h"

#include <functional>
#include <vector>

namespace lockkeeper::monitor {

// How a stay with a lock ended, as far as it was watched.
enum class HoldEnd {
    StillHeld,   // at the last word about the lock
    Released,    // a message was heard: given back, or forced by a client that tells the others
    Expired,     // the lease ran out
    Deleted,     // without a message and with time left: by hand, evicted, or a spin lock's release
    HandedOver,  // the next holder came at once, and a release or the lease's end explains it
    TakenOver,   // another holder, and no release was seen
    Gone,        // not seen how
    NotWatched   // still held when watching stopped
};

enum class HoldBegin { Seen, NotSeen };

// One holder's stay with one lock. What was not watched splits a stay in two.
struct PastHold {
    LockName lock;
    Holder holder;  // the highest count
    WallTime from{};
    HoldBegin begin = HoldBegin::Seen;
    WallTime to{};  // meaningful unless still held
    HoldEnd end = HoldEnd::StillHeld;
    quint64 renewals = 0;
    std::optional<Milliseconds> lease = std::nullopt;  // the longest TTL seen; nothing without expiry

    [[nodiscard]] bool isOpen() const noexcept { return end == HoldEnd::StillHeld; }
    // Whether it held the lock at that moment, as far as that was watched.
    [[nodiscard]] bool covers(WallTime moment) const noexcept { return from <= moment && (isOpen() || moment < to); }
};

// The stays of those holders that `wanted` names, made from events, oldest first; in the order of their beginnings.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<PastHold> holdStory(const std::vector<LockEvent>& events,
                                                                const std::function<bool(const PastHold&)>& wanted);

}  // namespace lockkeeper::monitor
