// SPDX-License-Identifier: Apache-2.0
#include "ui/look/flowlayout.h"

#include <QWidget>

#include <algorithm>

namespace lockkeeper::ui {

FlowLayout::FlowLayout(int gap) : m_gap(gap) {}

FlowLayout::~FlowLayout() {
    qDeleteAll(m_items);
}

void FlowLayout::addItem(QLayoutItem* item) {
    m_items.append(item);
}

int FlowLayout::count() const {
    return static_cast<int>(m_items.size());
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return m_items.value(index);
}

QLayoutItem* FlowLayout::takeAt(int index) {
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const {
    return arrange(QRect(0, 0, width, 0), Arrange::Measure);
}

QSize FlowLayout::sizeHint() const {
    QSize size(0, 0);
    for (const QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize one = item->sizeHint();
        size = QSize(size.width() + (size.width() > 0 ? m_gap : 0) + one.width(), std::max(size.height(), one.height()));
    }
    return size;
}

QSize FlowLayout::minimumSize() const {
    QSize size(0, 0);
    for (const QLayoutItem* item : m_items) {
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    }
    return size;
}

void FlowLayout::setGeometry(const QRect& place) {
    QLayout::setGeometry(place);
    arrange(place, Arrange::Move);
}

int FlowLayout::arrange(const QRect& place, Arrange what) const {
    QPoint next = place.topLeft();
    int lineHeight = 0;
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint().boundedTo(QSize(std::max(place.width(), 1), QLAYOUTSIZE_MAX));
        if (next.x() > place.left() && next.x() + size.width() > place.left() + place.width()) {
            next = QPoint(place.left(), next.y() + lineHeight + m_gap);
            lineHeight = 0;
        }
        if (what == Arrange::Move)
            item->setGeometry(QRect(next, size));
        next.rx() += size.width() + m_gap;
        lineHeight = std::max(lineHeight, size.height());
    }
    return next.y() + lineHeight - place.top();
}

}  // namespace lockkeeper::ui
