// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>

namespace lockkeeper {

// Notices that this program stood still, as it does while its machine sleeps: a timer that runs every few seconds runs
// late, by a clock that goes on meanwhile. Thread: the clock's, which outlives it.
class LOCKKEEPER_MONITOR_EXPORT SleepWatch final : public QObject {
    Q_OBJECT
public:
    static constexpr Milliseconds interval{5000};
    // A machine under load is late, too; and after a short sleep the connections still have the news.
    static constexpr Milliseconds tolerance{10000};

    explicit SleepWatch(Clock& clock, QObject* parent = nullptr);
    ~SleepWatch() override;

Q_SIGNALS:
    // For about this long.
    void slept(lockkeeper::Milliseconds time);

private:
    void schedule();

    Clock& m_clock;
    Clock::TimerId m_timer = Clock::TimerId::None;
};

}  // namespace lockkeeper
