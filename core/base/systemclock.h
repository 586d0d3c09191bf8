// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/timerqueue.h"

#include <QObject>
#include <QTimer>

namespace lockkeeper {

// The real Clock: one QTimer serves all timers, with a resolution of one millisecond.
class LOCKKEEPER_EXPORT SystemClock final : public QObject, public Clock {
    Q_OBJECT
public:
    explicit SystemClock(QObject* parent = nullptr);

    [[nodiscard]] SteadyTime now() const override;
    [[nodiscard]] WallTime wallNow() const override;
    [[nodiscard]] TimerId schedule(SteadyTime when, std::function<void()> handler) override;
    void cancel(TimerId timer) override;

private:
    void arm(SteadyTime now);
    void runDue();

    TimerQueue m_queue;
    QTimer m_timer;
    SteadyTime m_armedFor = SteadyTime::max();
};

}  // namespace lockkeeper
