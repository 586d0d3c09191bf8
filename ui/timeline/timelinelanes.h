// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timelinehistory.h"
#include "ui/timeline/timerange.h"

#include <QSet>

namespace lockkeeper::ui {

// Locks that get a lane before those that are only busy, in this order.
struct LaneRequests {
    QList<LockName> pinned;
    std::optional<LockName> selected;
    QSet<LockName> diagnosed;
    QSet<LockName> contended;
};

// What lanes there are now, from the top.
struct PresentLanes {
    // InPlace: the reader points at them, so none of them is replaced or moved. Lasting: none of them is replaced, as
    // long as there is room; those of `requests` that an operator has to see come before them.
    enum class Order { Free, Lasting, InPlace };

    std::vector<LockName> names;
    Order order = Order::Free;
};

// Which locks get a lane, from the top: those of `requests`, then the busiest in the range, as many as are in sight;
// then others that are busy or held. Within each of these groups a lane that is there already stays before a new one,
// and it stays among the busiest until another one is clearly busier. At most `most`; only locks of which something is
// known.
[[nodiscard]] std::vector<LockName> chooseLanes(const TimelineHistory& history, const TimeRange& range,
                                                const LaneRequests& requests, const PresentLanes& present,
                                                size_t inSight, size_t most);

}  // namespace lockkeeper::ui
