// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profilelabel.h"

#include <QColor>
#include <QIcon>

namespace lockkeeper::ui {

// The background that a label is shown on, in every theme. Invalid if it has none: no environment and no color of its
// own.
[[nodiscard]] QColor labelColor(const profile::ProfileLabel& label);
// A square of that color; null without one.
[[nodiscard]] QIcon labelIcon(const profile::ProfileLabel& label);

}  // namespace lockkeeper::ui
