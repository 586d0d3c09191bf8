// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/holderstyle.h"

#include "ui/look/tone.h"

#include <QPalette>

#include <array>

namespace lockkeeper::ui {

namespace {

constexpr int hues = 12;
constexpr double fillShare = 0.38;
constexpr double patternShare = 0.52;
constexpr double outlineShare = 0.85;
// Not the backward diagonal: that says "not watched".
constexpr std::array<Qt::BrushStyle, 6> patterns = {Qt::NoBrush,    Qt::FDiagPattern,  Qt::HorPattern,
                                                    Qt::VerPattern, Qt::Dense6Pattern, Qt::CrossPattern};

}  // namespace

HolderStyle styleOf(const HolderId& holder, const QPalette& palette) {
    // Not qHash(): that may differ between versions of Qt and kinds of processors.
    const int hue = qChecksum(holder.client().bytes()) % hues * 360 / hues;
    const size_t pattern = qChecksum(holder.bytes()) % patterns.size();
    const QColor base = palette.color(QPalette::Base);
    const QColor color = QColor::fromHsl(hue, 190, 120);
    return {mixed(base, color, fillShare), mixed(base, color, outlineShare),
            QBrush(mixed(base, color, patternShare), patterns[pattern])};
}

}  // namespace lockkeeper::ui
