// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/labelcolor.h"

#include <QPixmap>

namespace lockkeeper::ui {

namespace {

using profile::Environment;
using profile::LabelColor;

LabelColor colorOf(Environment environment) {
    switch (environment) {
        case Environment::None:
            break;
        case Environment::Development:
            return LabelColor::Green;
        case Environment::Staging:
            return LabelColor::Orange;
        case Environment::Production:
            return LabelColor::Red;
    }
    return LabelColor::OfEnvironment;
}

// White text has a contrast of 4.5 and more on each.
QColor shown(LabelColor color) {
    switch (color) {
        case LabelColor::OfEnvironment:
            break;
        case LabelColor::Grey:
            return QColor::fromRgb(0x5f6770);
        case LabelColor::Green:
            return QColor::fromRgb(0x2e7d32);
        case LabelColor::Teal:
            return QColor::fromRgb(0x00747c);
        case LabelColor::Blue:
            return QColor::fromRgb(0x1f66ad);
        case LabelColor::Purple:
            return QColor::fromRgb(0x7b3fa0);
        case LabelColor::Orange:
            return QColor::fromRgb(0xad5200);
        case LabelColor::Red:
            return QColor::fromRgb(0xc0232c);
    }
    return {};
}

}  // namespace

QColor labelColor(const profile::ProfileLabel& label) {
    return shown(label.color == LabelColor::OfEnvironment ? colorOf(label.environment) : label.color);
}

QIcon labelIcon(const profile::ProfileLabel& label) {
    const QColor color = labelColor(label);
    if (!color.isValid())
        return {};
    constexpr int side = 32;
    QPixmap square(side, side);
    square.fill(color);
    return square;
}

}  // namespace lockkeeper::ui
