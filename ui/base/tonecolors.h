// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/words/tone.h"

#include <QColor>
#include <QPalette>

namespace lockkeeper::ui {

// A text and icon color that reads well (contrast of 4.5 and more) on the palette's Base and Window, light or dark.
[[nodiscard]] QColor toneColor(const QPalette& palette, Tone tone);
// A background for a bar of that tone, still close to Window, so that WindowText and toneColor() read well on it.
[[nodiscard]] QColor toneBackground(const QPalette& palette, Tone tone);

// `share` of `over` laid on `under`; 0 is all `under`.
[[nodiscard]] QColor mixed(const QColor& under, const QColor& over, double share);
// Contrast ratio after WCAG 2: 1 for equal colors, 21 for black on white.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

}  // namespace lockkeeper::ui
