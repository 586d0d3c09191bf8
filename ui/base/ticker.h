// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QObject>

namespace lockkeeper::ui {

// Ticks for as long as somebody needs repainting, and costs nothing otherwise.
class Ticker final : public QObject {
    Q_OBJECT
public:
    enum class State { Idle, Running };

    Ticker(Clock& clock, Milliseconds interval, QObject* parent = nullptr);
    ~Ticker() override;

    void set(State state);
    [[nodiscard]] State state() const noexcept {
        return m_timer == Clock::TimerId::None ? State::Idle : State::Running;
    }

Q_SIGNALS:
    void ticked();

private:
    void schedule();

    Clock& m_clock;
    Milliseconds m_interval;
    Clock::TimerId m_timer = Clock::TimerId::None;
};

}  // namespace lockkeeper::ui
