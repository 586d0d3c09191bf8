// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/notice/noticepacing.h"

#include <algorithm>

namespace lockkeeper::monitor {

void NoticePacing::add(const std::vector<NoticeChange>& changes) {
    for (const auto& [phase, notice] : changes) {
        if (phase == NoticeChange::Phase::Ended)
            std::erase_if(m_waiting, [&ended = notice](const Notice& waiting) { return waiting.isAsOf(ended); });
        else if (m_waiting.size() < mostWaiting)
            m_waiting.push_back(notice);
        else
            ++m_uncounted;
    }
}

void NoticePacing::clear() {
    m_waiting.clear();
    m_uncounted = 0;
}

std::optional<SteadyTime> NoticePacing::nextDue(SteadyTime now) const {
    if (m_waiting.empty())
        return std::nullopt;
    return m_last ? std::max(now, *m_last + interval) : now;
}

std::optional<NoticeBundle> NoticePacing::take(SteadyTime now) {
    if (m_waiting.empty() || (m_last && now < *m_last + interval))
        return std::nullopt;
    NoticeBundle bundle;
    const size_t named = std::min(m_waiting.size(), mostNamed);
    bundle.named.assign(m_waiting.begin(), m_waiting.begin() + static_cast<qsizetype>(named));
    bundle.more = m_waiting.size() - named + m_uncounted;
    clear();
    m_last = now;
    return bundle;
}

}  // namespace lockkeeper::monitor
