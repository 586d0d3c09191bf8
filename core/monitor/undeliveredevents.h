// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockevent.h"

#include <QtGlobal>

#include <deque>
#include <vector>

namespace lockkeeper::monitor {

// Events that wait to be taken, in their order. Bounded by weight, see weightOf(): the oldest are dropped and counted.
class UndeliveredEvents {
public:
    explicit UndeliveredEvents(size_t limit) : m_limit(static_cast<qsizetype>(limit)) {}

    void add(LockEvent event);
    [[nodiscard]] std::vector<LockEvent> take();
    [[nodiscard]] bool isEmpty() const noexcept { return m_events.empty(); }
    [[nodiscard]] quint64 dropped() const noexcept { return m_dropped; }

private:
    qsizetype m_limit;
    std::deque<LockEvent> m_events;
    qsizetype m_weight = 0;
    quint64 m_dropped = 0;
};

}  // namespace lockkeeper::monitor
