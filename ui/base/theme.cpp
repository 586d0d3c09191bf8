// SPDX-License-Identifier: Apache-2.0
#include "ui/base/theme.h"

#include <QApplication>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleOption>

namespace lockkeeper::ui {

namespace {

struct Colors {
    QRgb window;
    QRgb base;
    QRgb alternate;
    QRgb button;
    QRgb text;
    QRgb placeholder;
    QRgb disabled;
    QRgb highlight;
    QRgb link;
    QRgb toolTip;
};

// Fusion draws the frame of a check box or radio button darker than the window: on a dark one nobody sees it.
class ThemeStyle final : public QProxyStyle {
public:
    ThemeStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("fusion"))) {}

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        const bool isRound = element == PE_IndicatorRadioButton;
        const bool isBox = element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck;
        if ((!isRound && !isBox) || option->palette.color(QPalette::Window).lightness() > darkest)
            return;
        const QRect frame = option->rect.adjusted(0, 0, -1, -1);
        painter->save();
        painter->setPen(option->palette.color(QPalette::PlaceholderText));
        painter->setBrush(Qt::NoBrush);
        painter->setRenderHint(QPainter::Antialiasing, isRound);
        if (isRound)
            painter->drawEllipse(frame);
        else
            painter->drawRect(frame);
        painter->restore();
    }

private:
    static constexpr int darkest = 127;  // of a window that is dark
};

constexpr Colors lightColors{0xfff2f4f6, 0xffffffff, 0xfff6f8fa, 0xffe9ecef, 0xff1c2127,
                             0xff69717a, 0xff8b939c, 0xff1f66ad, 0xff1a5fa8, 0xfffdfdf5};
constexpr Colors darkColors{0xff282b30, 0xff1d1f23, 0xff232629, 0xff353940, 0xffe6e8ea,
                            0xff9aa1a9, 0xff7f868e, 0xff2b6cb0, 0xff79b8f7, 0xff3a3f46};

QPalette paletteOf(const Colors& colors) {
    QPalette palette(QColor::fromRgb(colors.button), QColor::fromRgb(colors.window));
    palette.setColor(QPalette::Base, QColor::fromRgb(colors.base));
    palette.setColor(QPalette::AlternateBase, QColor::fromRgb(colors.alternate));
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(role, QColor::fromRgb(colors.text));
    palette.setColor(QPalette::BrightText, Qt::white);
    palette.setColor(QPalette::ToolTipBase, QColor::fromRgb(colors.toolTip));
    palette.setColor(QPalette::PlaceholderText, QColor::fromRgb(colors.placeholder));
    palette.setColor(QPalette::Highlight, QColor::fromRgb(colors.highlight));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, QColor::fromRgb(colors.link));
    palette.setColor(QPalette::LinkVisited, QColor::fromRgb(colors.link));
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, QColor::fromRgb(colors.disabled));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor::fromRgb(colors.button));
    return palette;
}

}  // namespace

void applyTheme(QApplication& application, Theme theme) {
    if (!dynamic_cast<ThemeStyle*>(QApplication::style()))
        QApplication::setStyle(new ThemeStyle);
    switch (theme) {
        case Theme::System:
            application.setPalette(QPalette());
            return;
        case Theme::Light:
            application.setPalette(paletteOf(lightColors));
            return;
        case Theme::Dark:
            application.setPalette(paletteOf(darkColors));
            return;
    }
}

QString toString(Theme theme) {
    switch (theme) {
        case Theme::System:
            return QStringLiteral("system");
        case Theme::Light:
            return QStringLiteral("light");
        case Theme::Dark:
            return QStringLiteral("dark");
    }
    return {};
}

Theme themeFromString(const QString& word) {
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
        if (word == toString(theme))
            return theme;
    }
    return Theme::System;
}

}  // namespace lockkeeper::ui
