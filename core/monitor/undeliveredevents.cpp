// SPDX-License-Identifier: Apache-2.0
#include "monitor/undeliveredevents.h"

#include "monitor/model/nameweight.h"

#include <iterator>
#include <utility>

namespace lockkeeper::monitor {

void UndeliveredEvents::add(LockEvent event) {
    m_weight += weightOf(event.lock.name);
    while (!m_events.empty() && m_weight > m_limit) {
        m_weight -= weightOf(m_events.front().lock.name);
        m_events.pop_front();
        ++m_dropped;
    }
    m_events.push_back(std::move(event));
}

std::vector<LockEvent> UndeliveredEvents::take() {
    std::vector<LockEvent> events(std::make_move_iterator(m_events.begin()), std::make_move_iterator(m_events.end()));
    m_events.clear();
    m_weight = 0;
    return events;
}

}  // namespace lockkeeper::monitor
