// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/nameschedule.h"

#include <algorithm>

namespace lockkeeper::monitor {

void NameSchedule::set(const LockName& name, std::optional<SteadyTime> when) {
    if (const auto before = m_times.constFind(name); before != m_times.cend()) {
        if (*before == when)
            return;
        m_inOrder.erase({*before, name});
        m_times.erase(before);
    }
    if (!when)
        return;
    m_times.insert(name, *when);
    m_inOrder.emplace(*when, name);
}

void NameSchedule::bringForward(const LockName& name, SteadyTime when) {
    set(name, std::min(m_times.value(name, when), when));
}

std::optional<SteadyTime> NameSchedule::earliest() const {
    return m_inOrder.empty() ? std::nullopt : std::optional(m_inOrder.begin()->first);
}

QList<LockName> NameSchedule::takeDue(SteadyTime now) {
    QList<LockName> due;
    while (!m_inOrder.empty() && m_inOrder.begin()->first <= now) {
        due.append(m_inOrder.begin()->second);
        set(due.last(), std::nullopt);
    }
    return due;
}

}  // namespace lockkeeper::monitor
