// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QSpinBox;

namespace lockkeeper::ui {

class Appearance;

// The page of the settings for theme, font and clock.
class AppearancePage final : public QWidget {
    Q_OBJECT
public:
    // appearance outlives it.
    explicit AppearancePage(Appearance& appearance, QWidget* parent = nullptr);

private:
    void makeFields();
    void followFields();
    void retranslate();
    // Shows the values of the Appearance, which the menu can change, too.
    void refresh();

    Appearance& m_appearance;
    QLabel* m_themeLabel;
    QComboBox* m_theme;
    QLabel* m_fontLabel;
    QSpinBox* m_font;
    QLabel* m_zoneLabel;
    QComboBox* m_zone;
    QLabel* m_zoneMeaning;
};

}  // namespace lockkeeper::ui
