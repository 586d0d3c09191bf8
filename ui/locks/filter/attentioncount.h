// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/filter/lockfilter.h"
#include "ui/locks/model/lockwalk.h"

#include <optional>
#include <vector>

namespace lockkeeper::ui {

// Counts the locks that need attention, in several steps if that is asked for. Thread: the GUI's.
class AttentionCount {
public:
    static constexpr Milliseconds longHeld{10 * 60 * 1000};

    struct Wanted {
        LockFilter filter;
        bool isOfFaults = false;  // no lock without a diagnosis passes it
    };

    // locks: as for LockWalk.
    AttentionCount(const LockTableModel& locks, std::vector<Wanted> wanted)
        : m_locks(locks), m_walk(locks), m_wanted(std::move(wanted)), m_found(m_wanted.size()) {}

    void step(size_t count);
    [[nodiscard]] bool isDone() const noexcept { return m_walk.isDone(); }

    // Once it is done: how many locks pass each filter, in their order.
    [[nodiscard]] const std::vector<int>& found() const noexcept { return m_found; }
    // Time until another lock counts as held for long, if no lock changes; nothing: none will.
    [[nodiscard]] std::optional<Milliseconds> untilNextLongHeld() const noexcept { return m_untilNextLongHeld; }

private:
    void count(const LockWalk::Met& met);

    const LockTableModel& m_locks;
    LockWalk m_walk;
    std::vector<Wanted> m_wanted;
    std::vector<int> m_found;
    std::optional<Milliseconds> m_untilNextLongHeld;
};

}  // namespace lockkeeper::ui
