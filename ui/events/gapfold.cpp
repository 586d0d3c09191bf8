// SPDX-License-Identifier: Apache-2.0
#include "ui/events/gapfold.h"

namespace lockkeeper::ui {

std::optional<monitor::LockEvent> GapFold::pass(const monitor::LockEvent& event) {
    if (event.type != monitor::EventType::NotWatched || event.lock.name.isEmpty())
        return event;
    const WallTime unwatchedSince = event.at - event.gap;
    if (unwatchedSince > m_began) {
        m_began = event.at;
        m_passed = 0;
    }
    ++m_passed;
    if (m_passed <= mostOfOneGap)
        return event;
    return m_passed == mostOfOneGap + 1 ? std::optional(monitor::notWatchedSince(unwatchedSince, event.at)) : std::nullopt;
}

}  // namespace lockkeeper::ui
