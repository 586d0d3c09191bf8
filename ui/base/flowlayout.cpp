// SPDX-License-Identifier: Apache-2.0
#include "ui/base/flowlayout.h"

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
    return heightOf(linesFor(width));
}

QSize FlowLayout::sizeHint() const {
    QSize size(0, 0);
    for (const QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize one = item->sizeHint();
        size =
            QSize(size.width() + (size.width() > 0 ? m_gap : 0) + one.width(), std::max(size.height(), one.height()));
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
    const std::vector<Line> lines = linesFor(place.width());
    int y = place.top() + std::max(0, (place.height() - heightOf(lines)) / 2);
    for (const Line& line : lines) {
        int x = place.left();
        for (QLayoutItem* item : line.items) {
            const QSize size = item->sizeHint().boundedTo(QSize(place.width(), line.size.height()));
            item->setGeometry(QRect(QPoint(x, y + (line.size.height() - size.height()) / 2), size));
            x += size.width() + m_gap;
        }
        y += line.size.height() + m_gap;
    }
}

std::vector<FlowLayout::Line> FlowLayout::linesFor(int width) const {
    std::vector<Line> lines;
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize size = item->sizeHint();
        if (lines.empty() || lines.back().size.width() + m_gap + size.width() > width)
            lines.push_back({});
        Line& line = lines.back();
        const int before = line.items.isEmpty() ? 0 : line.size.width() + m_gap;
        line.size = QSize(before + size.width(), std::max(line.size.height(), size.height()));
        line.items.append(item);
    }
    return lines;
}

int FlowLayout::heightOf(const std::vector<Line>& lines) const {
    int height = 0;
    for (const Line& line : lines)
        height += line.size.height() + (height > 0 ? m_gap : 0);
    return height;
}

}  // namespace lockkeeper::ui
