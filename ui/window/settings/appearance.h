// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/theme.h"
#include "ui/words/clockzone.h"

#include <QObject>

class QSettings;

namespace lockkeeper::ui {

// Theme and font of the whole program, and in which zone it shows times. A change is applied to all windows and kept at
// once.
class Appearance final : public QObject {
    Q_OBJECT
public:
    static constexpr int smallestFont = 7;  // points
    static constexpr int largestFont = 28;

    // Applies what the settings have; they outlive it.
    explicit Appearance(QSettings& settings, QObject* parent = nullptr);

    [[nodiscard]] Theme theme() const noexcept { return m_theme; }
    // In points; 0: that of the desktop.
    [[nodiscard]] int fontSize() const noexcept { return m_fontSize; }
    [[nodiscard]] static ClockZone zone() { return clockZone(); }

    void setTheme(Theme theme);
    void setFontSize(int points);
    void setZone(ClockZone zone);
    void reset();

Q_SIGNALS:
    void changed();

private:
    void applyFont() const;

    QSettings& m_settings;
    Theme m_theme = Theme::System;
    int m_fontSize = 0;
};

}  // namespace lockkeeper::ui
