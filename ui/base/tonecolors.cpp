// SPDX-License-Identifier: Apache-2.0
#include "ui/base/tonecolors.h"

#include <algorithm>
#include <cmath>

namespace lockkeeper::ui {

namespace {

// Enough for AA also on the tinted backgrounds.
constexpr double wantedContrast = 5.2;
constexpr double backgroundShare = 0.10;
constexpr int lightnessStep = 4;

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

QColor hueOf(Tone tone) {
    switch (tone) {
        case Tone::Good:
            return QColor::fromHsl(140, 150, 110);
        case Tone::Info:
            return QColor::fromHsl(210, 190, 120);
        case Tone::Warning:
            return QColor::fromHsl(35, 230, 110);
        case Tone::Danger:
            return QColor::fromHsl(4, 190, 120);
        case Tone::Normal:
        case Tone::Quiet:
            break;
    }
    return {};
}

double worstContrast(const QPalette& palette, const QColor& color) {
    return std::min(contrast(color, palette.color(QPalette::Base)), contrast(color, palette.color(QPalette::Window)));
}

// Lightens or darkens, away from the background, until the color can be read on it.
QColor readable(const QPalette& palette, QColor color) {
    const int step = palette.color(QPalette::Base).lightness() < 128 ? lightnessStep : -lightnessStep;
    int lightness = color.lightness();
    while (worstContrast(palette, color) < wantedContrast && lightness > 0 && lightness < 255) {
        lightness = std::clamp(lightness + step, 0, 255);
        color = QColor::fromHsl(color.hslHue(), color.hslSaturation(), lightness);
    }
    return color;
}

}  // namespace

QColor mixed(const QColor& under, const QColor& over, double share) {
    const auto channel = [share](float from, float to) { return static_cast<float>(from + (to - from) * share); };
    return QColor::fromRgbF(channel(under.redF(), over.redF()), channel(under.greenF(), over.greenF()),
                            channel(under.blueF(), over.blueF()));
}

double contrast(const QColor& a, const QColor& b) {
    // The list form: minmax of two temporaries would return references to them.
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

QColor toneColor(const QPalette& palette, Tone tone) {
    if (tone == Tone::Normal)
        return palette.color(QPalette::WindowText);
    if (tone == Tone::Quiet)
        return mixed(palette.color(QPalette::Window), palette.color(QPalette::WindowText), 0.72);
    return readable(palette, hueOf(tone));
}

QColor toneBackground(const QPalette& palette, Tone tone) {
    return mixed(palette.color(QPalette::Window), toneColor(palette, tone), backgroundShare);
}

}  // namespace lockkeeper::ui
