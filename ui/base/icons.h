// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/words/tone.h"

#include <QIcon>

namespace lockkeeper::ui {

// One of resources/icons/NAME.svg, a shape of one color, drawn in the application palette's color for that tone each
// time it is painted: sharp at any scale, and right in a light and a dark theme. Own icons, not the desktop theme's:
// those are drawn for the desktop's palette and vanish on ours when the user chose the other one.
[[nodiscard]] QIcon icon(const QString& name, Tone tone = Tone::Normal);
// The program's own icon, in its own colors.
[[nodiscard]] QIcon applicationIcon();

}  // namespace lockkeeper::ui
