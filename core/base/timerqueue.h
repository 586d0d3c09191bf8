#pragma once

#include "base/clock.h"

#include <optional>
#include <vector>

namespace lockkeeper {

// The ordered list of pending timers that every Clock keeps; it knows no time of its own. Every command on its way has
// a timer that is almost always removed before it is due, so adding and removing must cost next to nothing.
class LOCKKEEPER_EXPORT TimerQueue {
public:
    Clock::TimerId add(SteadyTime when, std::function<void()> handler);
    void remove(Clock::TimerId timer);
    [[nodiscard]] std::optional<SteadyTime> earliest() const;
    // Takes the earliest handler that is due at `now`; empty when none is. Handlers may add and remove timers.
    [[nodiscard]] std::function<void()> takeDue(SteadyTime now);

private:
    // Used again and again; the generation tells a timer from those that had the slot before.
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

    std::vector<Entry> m_heap;  // the earliest in front, which is never a removed one; those go when they come up
    std::vector<Slot> m_slots;
    std::vector<quint32> m_freeSlots;
    quint64 m_lastOrder = 0;
};

}  // namespace lockkeeper
