// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

namespace lockkeeper::ui {

// The moment that the screen speaks of: now while connected, and the last word of the server once it is not. Everything
// that shows a time left or an age asks here, so that no part of the window counts on while another stands still.
// Thread: the GUI's.
class ViewTime {
public:
    explicit ViewTime(const Clock& clock) : m_clock(clock) {}

    void follow(const ConnectionStatus& status);

    [[nodiscard]] bool isLive() const noexcept { return m_live; }
    [[nodiscard]] SteadyTime moment() const { return m_live ? m_clock.now() : m_lastHeardSteady; }
    [[nodiscard]] WallTime wallMoment() const { return m_live ? m_clock.wallNow() : m_lastHeard; }
    // The wall clock itself, whether live or not: "today" for formatting.
    [[nodiscard]] WallTime wallNow() const { return m_clock.wallNow(); }

private:
    const Clock& m_clock;
    bool m_live = false;
    WallTime m_lastHeard{};
    SteadyTime m_lastHeardSteady{};
};

}  // namespace lockkeeper::ui
