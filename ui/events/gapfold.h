// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockevent.h"

namespace lockkeeper::ui {

// After a lost connection each held lock has a gap of its own. The log would hold nothing else: so of one gap only the first
// locks have a row each, and then one row stands for all the others. A value.
class GapFold {
public:
    static constexpr int mostOfOneGap = 200;

    // Of the next event: itself, the row for all others in its place, or nothing.
    [[nodiscard]] std::optional<monitor::LockEvent> pass(const monitor::LockEvent& event);

private:
    WallTime m_began{};  // the first of these events; the gap of one that belongs to it began before
    int m_passed = 0;
};

}  // namespace lockkeeper::ui
