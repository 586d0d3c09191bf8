#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/notice/noticewatch.h"

namespace lockkeeper::monitor {

// What is shown at once: the oldest by name, and how many there are besides.
struct NoticeBundle {
    std::vector<Notice> named;
    quint64 more = 0;
};

// So many notices at most as a reader can take in: one bundle in ten seconds. What ends before it was shown is not
// shown. Bounded: of a flood only the number is kept. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT NoticePacing {
public:
    static constexpr Milliseconds interval{10'000};
    static constexpr size_t mostNamed = 5;
    static constexpr size_t mostWaiting = 1000;

    void add(const std::vector<NoticeChange>& changes);
    void clear();
    // When the next bundle may be shown; nothing while there is none.
    [[nodiscard]] std::optional<SteadyTime> nextDue(SteadyTime now) const;
    // The bundle, if it is time for one.
    [[nodiscard]] std::optional<NoticeBundle> take(SteadyTime now);

private:
    std::vector<Notice> m_waiting;  // oldest first
    quint64 m_uncounted = 0;        // beyond those
    std::optional<SteadyTime> m_last;
};

}  // namespace lockkeeper::monitor
