// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

class QWidget;

namespace lockkeeper::ui {

// Calls fit at once, and again each time the font of the widget changes while it lives: for sizes that depend on the
// font.
void keepFitted(QWidget& widget, std::function<void()> fit);
// A font so many times the size of that of the widget's parent, whatever size the user chooses.
void keepFontScaled(QWidget& widget, double factor);

}  // namespace lockkeeper::ui
