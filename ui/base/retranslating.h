// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

class QWidget;

namespace lockkeeper::ui {

// Calls setTexts at once, and again each time the language changes while the widget lives. A parent is called before
// its children. Every class with visible texts sets all of them in one private retranslate(), and its constructor ends
// its set-up with keepTranslated(*this, [this] { retranslate(); }).
void keepTranslated(QWidget& widget, std::function<void()> setTexts);

}  // namespace lockkeeper::ui
