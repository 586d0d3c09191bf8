// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>

namespace lockkeeper {

// Notices that this program was suspended, as while its machine sleeps: a timer that runs every few seconds is late by
// a clock that continues meanwhile. Thread: the clock's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT SleepWatch final : public QObject {
    Q_OBJECT
public:
    static constexpr Milliseconds interval{5000};
    // A machine under load is also late; and after a short sleep the connections still receive what happened.
    static constexpr Milliseconds tolerance{10000};

    explicit SleepWatch(Clock& clock, QObject* parent = nullptr);
    ~SleepWatch() override;

Q_SIGNALS:
    // The program was suspended for about this time.
    void slept(lockkeeper::Milliseconds time);

private:
    void schedule();

    Clock& m_clock;
    Clock::TimerId m_timer = Clock::TimerId::None;
};

}  // namespace lockkeeper
