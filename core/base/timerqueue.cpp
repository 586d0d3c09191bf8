// SPDX-License-Identifier: Apache-2.0
#include "base/timerqueue.h"

#include <algorithm>
#include <tuple>

namespace lockkeeper {

namespace {

constexpr int generationBits = 32;
constexpr size_t fewEntries = 64;

// Slots count from 1, so that no timer equals Clock::TimerId::None.
Clock::TimerId timerOf(quint32 slot, quint32 generation) {
    return Clock::TimerId{(static_cast<quint64>(slot) + 1) << generationBits | generation};
}

quint64 slotNumber(Clock::TimerId timer) {
    return (static_cast<quint64>(timer) >> generationBits) - 1;
}

}  // namespace

bool TimerQueue::isLater(const Entry& a, const Entry& b) {
    return std::tie(a.when, a.order) > std::tie(b.when, b.order);
}

Clock::TimerId TimerQueue::add(SteadyTime when, std::function<void()> handler) {
    const Clock::TimerId timer = takeSlot(std::move(handler));
    m_heap.push_back(Entry{when, ++m_lastOrder, timer});
    std::ranges::push_heap(m_heap, isLater);
    return timer;
}

void TimerQueue::remove(Clock::TimerId timer) {
    if (!slotOf(timer))
        return;
    const std::function<void()> handler = freeSlot(timer);
    dropRemoved();
}

std::optional<SteadyTime> TimerQueue::earliest() const {
    if (m_heap.empty())
        return std::nullopt;
    return m_heap.front().when;
}

std::function<void()> TimerQueue::takeDue(SteadyTime now) {
    if (m_heap.empty() || m_heap.front().when > now)
        return {};
    std::function<void()> handler = freeSlot(m_heap.front().timer);
    dropRemoved();
    return handler;
}

Clock::TimerId TimerQueue::takeSlot(std::function<void()> handler) {
    if (m_freeSlots.empty()) {
        m_freeSlots.push_back(static_cast<quint32>(m_slots.size()));
        m_slots.emplace_back();
    }
    const quint32 number = m_freeSlots.back();
    m_freeSlots.pop_back();
    Slot& slot = m_slots[number];
    slot.handler = std::move(handler);
    slot.used = true;
    return timerOf(number, slot.generation);
}

TimerQueue::Slot* TimerQueue::slotOf(Clock::TimerId timer) {
    const quint64 number = slotNumber(timer);
    if (number >= m_slots.size())
        return nullptr;
    Slot& slot = m_slots[number];
    const bool isIts = slot.used && slot.generation == static_cast<quint32>(timer);
    return isIts ? &slot : nullptr;
}

std::function<void()> TimerQueue::freeSlot(Clock::TimerId timer) {
    Slot& slot = *slotOf(timer);
    slot.used = false;
    ++slot.generation;
    m_freeSlots.push_back(static_cast<quint32>(slotNumber(timer)));
    return std::exchange(slot.handler, nullptr);
}

void TimerQueue::dropRemoved() {
    const auto isRemoved = [this](const Entry& entry) { return slotOf(entry.timer) == nullptr; };
    while (!m_heap.empty() && isRemoved(m_heap.front())) {
        std::ranges::pop_heap(m_heap, isLater);
        m_heap.pop_back();
    }
    const size_t waiting = m_slots.size() - m_freeSlots.size();
    if (m_heap.size() <= fewEntries + 2 * waiting)
        return;
    std::erase_if(m_heap, isRemoved);
    std::ranges::make_heap(m_heap, isLater);
}

}  // namespace lockkeeper
