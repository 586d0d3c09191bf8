// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/lanegeometry.h"
#include "ui/words/holderaliases.h"
#include "ui/words/viewtime.h"

#include <QString>

namespace lockkeeper::ui {

// Texts about the parts of a timeline. present: up to when open holds are known to go on; today: for dates.
class TimelineWords {
public:
    TimelineWords(WallTime present, WallTime today, const HolderAliases& aliases = HolderAliases())
        : m_present(present), m_today(today), m_aliases(aliases) {}

    [[nodiscard]] QString bar(const Bar& bar) const;
    [[nodiscard]] QString mark(const Mark& mark) const;
    [[nodiscard]] QString gap() const;
    // What is in a column of a lane. Null: no such part is there.
    [[nodiscard]] QString at(const LaneGeometry& lane, int column, const Mark* mark, const Bar* bar) const;
    // What a transition is called in its lane; empty for events that are no more than marks.
    [[nodiscard]] static QString label(const Moment& moment);
    // That there are more locks than lanes; empty if there are not.
    [[nodiscard]] static QString lanes(int shown, int all);
    // What a mark stands for, for the legend.
    [[nodiscard]] static QString kind(MarkKind kind);

private:
    [[nodiscard]] QString begin(const Hold& hold) const;
    [[nodiscard]] QString length(const Bar& bar) const;

    WallTime m_present;
    WallTime m_today;
    HolderAliases m_aliases;
};

[[nodiscard]] QString emptyTimelineText(const ViewTime& time);

}  // namespace lockkeeper::ui
