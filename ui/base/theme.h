// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QApplication;

namespace lockkeeper::ui {

// System: the colors that the desktop gives to Qt programs.
enum class Theme { System, Light, Dark };

// Fusion everywhere, so that every desktop shows what was tested. Widgets follow at once.
void applyTheme(QApplication& application, Theme theme);

// The word that stands in the settings; any other word is System.
[[nodiscard]] QString toString(Theme theme);
[[nodiscard]] Theme themeFromString(const QString& word);

}  // namespace lockkeeper::ui
