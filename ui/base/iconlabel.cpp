// SPDX-License-Identifier: Apache-2.0
#include "ui/base/iconlabel.h"

#include <QPainter>

namespace lockkeeper::ui {

IconLabel::IconLabel(int side, QWidget* parent) : QWidget(parent), m_side(side) {
    setFixedSize(side, side);
}

void IconLabel::setIcon(const QIcon& icon) {
    m_icon = icon;
    update();
}

void IconLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    m_icon.paint(&painter, rect());
}

}  // namespace lockkeeper::ui

#include "moc_iconlabel.cpp"
