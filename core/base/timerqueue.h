// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <optional>
#include <vector>

namespace lockkeeper {

// The ordered list of pending timers that every Clock keeps. It does not know the current time. Every command adds a
// timer, which is almost always removed before it is due, so adding and removing must be very cheap.
class LOCKKEEPER_EXPORT TimerQueue {
public:
    Clock::TimerId add(SteadyTime when, std::function<void()> handler);
    void remove(Clock::TimerId timer);
    [[nodiscard]] std::optional<SteadyTime> earliest() const;
    // Removes and returns the earliest handler that is due at `now`; empty if none is. Handlers may add and remove
    // timers.
    [[nodiscard]] std::function<void()> takeDue(SteadyTime now);

private:
    // Slots are reused; the generation distinguishes a timer from earlier ones in the same slot.
    struct Slot {
        std::function<void()> handler;
        quint32 generation = 0;
        bool used = false;
    };
    struct Entry {
        SteadyTime when;
        quint64 order;
        Clock::TimerId timer;
    };

    static bool isLater(const Entry& a, const Entry& b);
    [[nodiscard]] Clock::TimerId takeSlot(std::function<void()> handler);
    [[nodiscard]] Slot* slotOf(Clock::TimerId timer);
    [[nodiscard]] std::function<void()> freeSlot(Clock::TimerId timer);
    void dropRemoved();

    std::vector<Entry> m_heap;  // the earliest is in front and is never a removed one; removed ones are dropped when
                                // they reach the front
    std::vector<Slot> m_slots;
    std::vector<quint32> m_freeSlots;
    quint64 m_lastOrder = 0;
};

}  // namespace lockkeeper
