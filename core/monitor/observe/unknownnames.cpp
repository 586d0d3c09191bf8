// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/unknownnames.h"

#include "monitor/model/nameweight.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

constexpr qsizetype maxNames = 10000;
constexpr Milliseconds dismissedFor = 1s;

}  // namespace

UnknownNames::Report UnknownNames::count(const LockName& name, SteadyTime now) {
    forgetDismissed(now);
    const qsizetype weight = m_names.contains(name) ? 0 : weightOf(name);
    if (weight > 0 && m_weight + weight > maxNames)
        return Report::Repeated;
    m_weight += weight;
    return ++m_names[name].messages == 1 ? Report::First : Report::Repeated;
}

// A name that was taken and counted again meanwhile has another time, or none.
void UnknownNames::forgetDismissed(SteadyTime now) {
    while (!m_dismissed.empty() && m_dismissed.front().at + dismissedFor <= now) {
        const Dismissed old = std::move(m_dismissed.front());
        m_dismissed.pop_front();
        if (const auto unknown = m_names.constFind(old.name);
            unknown != m_names.cend() && unknown->dismissedAt == old.at)
            (void)take(old.name);
    }
}

int UnknownNames::take(const LockName& name) {
    const auto unknown = m_names.constFind(name);
    if (unknown == m_names.cend())
        return 0;
    const int messages = unknown->messages;
    m_weight -= weightOf(name);
    m_names.erase(unknown);
    return messages;
}

void UnknownNames::dismiss(const LockName& name, SteadyTime now) {
    const auto unknown = m_names.find(name);
    if (unknown == m_names.end())
        return;
    unknown->dismissedAt = now;
    m_dismissed.push_back({now, name});
}

void UnknownNames::clear() {
    m_names.clear();
    m_dismissed.clear();
    m_weight = 0;
}

}  // namespace lockkeeper::monitor
