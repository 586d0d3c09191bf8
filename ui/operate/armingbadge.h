// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "ui/base/ticker.h"

#include <QWidget>

namespace lockkeeper::ui {

class Badge;

// Whether the connection in front may write, and for how long; a click arms or disarms it. Wakes once a second, and
// only while it is in sight and counts down.
class ArmingBadge final : public QWidget {
    Q_OBJECT
public:
    explicit ArmingBadge(QWidget* parent = nullptr);

    // To be called again when the language changes.
    void set(const ConnectionStatus& status, const Arming& arming, Clock& clock);
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool isCounting() const { return m_ticker && m_ticker->state() == Ticker::State::Running; }

Q_SIGNALS:
    void clicked();

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void refresh();
    void refreshTicker();

    ConnectionStatus m_status;
    Arming m_arming;
    Clock* m_clock = nullptr;
    Ticker* m_ticker = nullptr;  // made with the clock
    Badge* m_badge;
};

// The color of the badge while an armed connection has no color of its own.
[[nodiscard]] QColor armedColor();

}  // namespace lockkeeper::ui
