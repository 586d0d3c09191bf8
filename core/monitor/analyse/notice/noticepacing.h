// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/notice/noticewatch.h"

namespace lockkeeper::monitor {

// Notices to show together: the oldest by name, and the number of the others.
struct NoticeBundle {
    std::vector<Notice> named;
    quint64 more = 0;
};

// Limits notices to what a user can read: one bundle in ten seconds. A notice that ends before it is shown is dropped.
// Bounded: of a flood only the number is kept. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT NoticePacing {
public:
    static constexpr Milliseconds interval{10'000};
    static constexpr size_t mostNamed = 5;
    static constexpr size_t mostWaiting = 1000;

    void add(const std::vector<NoticeChange>& changes);
    void clear();
    // When the next bundle may be shown; nothing if there is none.
    [[nodiscard]] std::optional<SteadyTime> nextDue(SteadyTime now) const;
    // The next bundle, if one is due.
    [[nodiscard]] std::optional<NoticeBundle> take(SteadyTime now);

private:
    std::vector<Notice> m_waiting;  // oldest first
    quint64 m_uncounted = 0;        // number of further ones
    std::optional<SteadyTime> m_last;
};

}  // namespace lockkeeper::monitor
