// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

#include <QObject>

class QWidget;

namespace lockkeeper::ui {

// Writes what the window shows at this moment, at the screen's own resolution, as a PNG. False when the file cannot be
// written.
[[nodiscard]] bool saveScreenshot(QWidget& window, const QString& path);

// Says when there is something to take a picture of: some seconds after the first whole sweep, so that events and times
// have come in, or as soon as the connection has failed, or when neither happens for too long. Once.
class FirstSweepScreenshot final : public QObject {
    Q_OBJECT
public:
    // Both outlive this.
    FirstSweepScreenshot(Engine& engine, Clock& clock, QObject* parent = nullptr);
    ~FirstSweepScreenshot() override;

Q_SIGNALS:
    // The rows are there: the window may be brought into the state that the picture is to show.
    void nearlyDue();
    void due();

private:
    enum class State { Waiting, Swept, Done };

    void fireIn(Milliseconds delay);
    void swept();

    Clock& m_clock;
    State m_state = State::Waiting;
    Clock::TimerId m_timer = Clock::TimerId::None;
};

}  // namespace lockkeeper::ui
