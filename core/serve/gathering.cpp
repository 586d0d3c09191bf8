// SPDX-License-Identifier: Apache-2.0
#include "serve/gathering.h"

#include <algorithm>

namespace lockkeeper::serve {

void Gathering::note(SteadyTime now) {
    m_first = m_first.value_or(now);
    m_newest = now;
}

void Gathering::add(const CaseEvent& event, SteadyTime now) {
    note(now);
    if (m_gathered.named.size() < mostNamed)
        m_gathered.named.push_back(event);
    else if (event.phase == NoticeChange::Phase::Ended)
        ++m_gathered.moreEnded;
    else
        ++m_gathered.moreBegun;
}

void Gathering::addCount(qint64 begun, SteadyTime now) {
    if (begun == 0)
        return;
    note(now);
    m_gathered.moreBegun += begun;
}

std::optional<SteadyTime> Gathering::nextDue() const {
    if (!m_first)
        return std::nullopt;
    const SteadyTime gathered = std::min(*m_first + longest, m_newest + quiet);
    return m_sent ? std::max(gathered, *m_sent + interval) : gathered;
}

std::optional<Gathered> Gathering::take(SteadyTime now) {
    const std::optional<SteadyTime> due = nextDue();
    if (!due || now < *due)
        return std::nullopt;
    m_sent = now;
    return takeAll();
}

std::optional<Gathered> Gathering::takeAll() {
    if (!m_first)
        return std::nullopt;
    m_first.reset();
    return std::exchange(m_gathered, {});
}

}  // namespace lockkeeper::serve
