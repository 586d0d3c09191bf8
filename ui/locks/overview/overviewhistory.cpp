// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/overview/overviewhistory.h"

namespace lockkeeper::ui {

qint64 OverviewHistory::stepOf(SteadyTime time) {
    return time.time_since_epoch() / step;
}

OverviewHistory::Entry OverviewHistory::following(const Entry& entry) {
    Entry next = entry;
    if (next)
        (*next)[static_cast<size_t>(Figure::HandOvers)] = 0;
    return next;
}

void OverviewHistory::note(SteadyTime now, const Figures& figures) {
    advanceTo(stepOf(now));
    m_entries.back() = figures;
    m_isInterrupted = false;
}

void OverviewHistory::advanceTo(qint64 present) {
    if (m_entries.empty() || present - m_last > static_cast<qint64>(steps)) {
        const Entry before = m_entries.empty() || m_isInterrupted ? Entry() : following(m_entries.back());
        const size_t kept = m_entries.empty() ? 1 : steps;
        m_entries.assign(kept, before);
        m_last = present;
        return;
    }
    for (; m_last < present; ++m_last)
        m_entries.push_back(m_isInterrupted ? Entry() : following(m_entries.back()));
    while (m_entries.size() > steps)
        m_entries.pop_front();
}

void OverviewHistory::interrupt() {
    m_isInterrupted = true;
}

void OverviewHistory::clear() {
    m_entries.clear();
    m_isInterrupted = false;
}

std::vector<std::optional<double>> OverviewHistory::series(Figure figure, SteadyTime now) const {
    OverviewHistory shown = *this;
    if (!m_entries.empty() && !m_isInterrupted)
        shown.advanceTo(stepOf(now));
    std::vector<std::optional<double>> values;
    for (const Entry& entry : shown.m_entries)
        values.push_back(entry ? std::optional((*entry)[static_cast<size_t>(figure)]) : std::nullopt);
    return values;
}

}  // namespace lockkeeper::ui
