// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"

#include <QList>

#include <optional>

namespace lockkeeper::monitor {

// Clients that wait for a lock, and since when. Each of them began after `earliest` and was there at `latest`. A count
// of subscribers names nobody: one client may have left and another come between two counts.
struct WaitingSince {
    int clients = 1;
    std::optional<WallTime> earliest;  // nothing: it may have waited before it was watched
    WallTime latest{};
    std::optional<HolderId> waiter;  // only the queue of a fair lock names them

    [[nodiscard]] bool isBeginSeen() const noexcept { return earliest.has_value(); }
    friend bool operator==(const WaitingSince&, const WaitingSince&) = default;
};

// How long clients waited until they had the lock, of the last waits that were seen from begin to end.
struct WaitTimes {
    // A wait is known by two bounds: reads and counts come a little after what they find, and a count names nobody.
    struct Length {
        Milliseconds atLeast{0};
        Milliseconds atMost{0};

        friend bool operator==(const Length&, const Length&) = default;
    };

    int waits = 0;                      // number of them, at most WaitMeter::mostKept
    std::optional<Length> median;       // nothing if there are too few
    std::optional<Length> ninetyNinth;  // 99 % of them took no longer
    Length longest;
    Milliseconds waited{0};  // all of them together, at least
    Milliseconds free{0};    // of that, at least this long the lock was free: nobody woke the waiter, or a dead head of
                             // the queue was before it

    friend bool operator==(const WaitTimes&, const WaitTimes&) = default;
};

// A wait that was seen from begin to end, when it has ended.
struct EndedWait {
    LockName lock;
    WaitTimes::Length length;
};

// Those who wait for a lock now, the longest first, and those who have waited. Most locks have neither.
struct Waits {
    QList<WaitingSince> present;
    std::optional<WaitTimes> past;

    [[nodiscard]] bool isEmpty() const { return present.isEmpty() && !past; }
    friend bool operator==(const Waits&, const Waits&) = default;
};

}  // namespace lockkeeper::monitor
