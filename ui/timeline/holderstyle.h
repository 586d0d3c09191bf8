// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QBrush>
#include <QColor>

class QPalette;

namespace lockkeeper::ui {

// How the bar of a holder is drawn: the colour stands for the client, the pattern for the holder. The same in every run
// and on every machine.
struct HolderStyle {
    QColor fill;  // text in QPalette::Text reads well on it
    QColor outline;
    QBrush pattern;  // over `fill`
};

[[nodiscard]] HolderStyle styleOf(const HolderId& holder, const QPalette& palette);

}  // namespace lockkeeper::ui
