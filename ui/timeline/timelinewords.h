#pragma once

#include "ui/time/viewtime.h"
#include "ui/timeline/lanegeometry.h"

#include <QString>

namespace lockkeeper::ui {

// Texts about the parts of a timeline. present: up to when open holds are known to go on; today: for dates.
class TimelineWords {
public:
    TimelineWords(WallTime present, WallTime today) : m_present(present), m_today(today) {}

    [[nodiscard]] QString bar(const Bar& bar) const;
    [[nodiscard]] QString mark(const Mark& mark) const;
    [[nodiscard]] QString gap() const;

private:
    [[nodiscard]] QString begin(const Hold& hold) const;
    [[nodiscard]] QString length(const Bar& bar) const;

    WallTime m_present;
    WallTime m_today;
};

[[nodiscard]] QString emptyTimelineText(const ViewTime& time);

}  // namespace lockkeeper::ui
