#pragma once

#include "ui/timeline/timelinehistory.h"
#include "ui/timeline/timerange.h"

namespace lockkeeper::ui {

// Which locks get a lane, from the top: the selected one, the pinned ones, then the busiest in the range, by name so
// that they do not change places often. At most `room`; only locks of which something is known.
[[nodiscard]] std::vector<LockName> chooseLanes(const TimelineHistory& history, const TimeRange& range,
                                                const std::optional<LockName>& selected,
                                                const QList<LockName>& pinned, size_t room);

}  // namespace lockkeeper::ui
