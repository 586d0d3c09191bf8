// SPDX-License-Identifier: Apache-2.0
#include "ui/window/firstsweepscreenshot.h"

#include <QPixmap>
#include <QWidget>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds patience = 20s;
constexpr Milliseconds afterSweep = 5s;
constexpr Milliseconds afterFailure = 300ms;  // by then the message has been laid out

}  // namespace

bool saveScreenshot(QWidget& window, const QString& path) {
    return window.grab().save(path, "PNG");
}

FirstSweepScreenshot::FirstSweepScreenshot(Engine& engine, Clock& clock, QObject* parent)
    : QObject(parent), m_clock(clock) {
    engine.onReport<BatchReady>(this, [this](SessionId, const BatchReady& ready) {
        if (ready.batch->stats && ready.batch->stats->sweepsDone > 0)
            swept();
    });
    engine.onReport<ConnectionStatus>(this, [this](SessionId, const ConnectionStatus& status) {
        if (status.phase == ConnectionPhase::Failed)
            fireIn(afterFailure);
    });
    fireIn(patience);
}

FirstSweepScreenshot::~FirstSweepScreenshot() {
    m_clock.cancel(m_timer);
}

void FirstSweepScreenshot::swept() {
    if (m_state != State::Waiting)
        return;
    m_state = State::Swept;
    Q_EMIT nearlyDue();
    fireIn(afterSweep);
}

void FirstSweepScreenshot::fireIn(Milliseconds delay) {
    if (m_state == State::Done)
        return;
    m_clock.cancel(m_timer);
    m_timer = m_clock.schedule(m_clock.now() + delay, [this] {
        m_state = State::Done;
        Q_EMIT due();
    });
}

}  // namespace lockkeeper::ui

#include "moc_firstsweepscreenshot.cpp"
