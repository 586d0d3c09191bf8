// SPDX-License-Identifier: Apache-2.0
#include "ui/window/notices/badgedicon.h"

#include <QPainter>

namespace lockkeeper::ui {

namespace {

// This color reads well on any desktop, light or dark.
constexpr QColor badgeColor(0xc6, 0x28, 0x28);
constexpr int smallest = 16;

QString countOn(int count, int side) {
    const int most = side <= smallest ? 9 : 99;
    return count > most ? QStringLiteral("%1+").arg(most) : QString::number(count);
}

void paintBadge(QPixmap& pixmap, int count) {
    const int side = pixmap.width();
    const QString text = countOn(count, side);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const double height = side * 0.56;
    const double width =
        std::min<double>(side, std::max(height, height * 0.62 * static_cast<double>(text.size()) + height * 0.3));
    const QRectF place(side - width, side - height, width, height);
    painter.setPen(Qt::NoPen);
    painter.setBrush(badgeColor);
    painter.drawRoundedRect(place, height / 2, height / 2);
    QFont font = painter.font();
    font.setBold(true);
    font.setPixelSize(std::max(6, static_cast<int>(height * 0.75)));
    painter.setFont(font);
    painter.setPen(Qt::white);
    painter.drawText(place, static_cast<int>(Qt::AlignCenter), text);
}

}  // namespace

QIcon badgedIcon(const QIcon& icon, int count) {
    if (count <= 0)
        return icon;
    QIcon badged;
    for (const int side : {smallest, 24, 32, 48, 64, 128}) {
        QPixmap pixmap = icon.pixmap(QSize(side, side), 1.0);
        paintBadge(pixmap, count);
        badged.addPixmap(pixmap);
    }
    return badged;
}

}  // namespace lockkeeper::ui
