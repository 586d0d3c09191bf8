// SPDX-License-Identifier: Apache-2.0
#include "ui/base/sparkline.h"

#include "ui/base/helptip.h"
#include "ui/base/tonecolors.h"
#include "ui/words/locktext.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace lockkeeper::ui {

namespace {

constexpr int padding = 6;
constexpr double valueScale = 1.5;  // of the usual font

QFont valueFont(const QWidget& widget) {
    QFont font = widget.font();
    font.setPointSizeF(font.pointSizeF() * valueScale);
    font.setBold(true);
    return font;
}

}  // namespace

Sparkline::Sparkline(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void Sparkline::describe(const QString& title, const QString& help) {
    m_title = title;
    setToolTip(helpTip(help));
    setWhatsThis(helpTip(help));
    nameValue();
    updateGeometry();
    update();
}

void Sparkline::show(const QString& value, std::vector<std::optional<double>> values, size_t most) {
    if (value == m_value && values == m_values && most == m_most)
        return;
    m_value = value;
    m_values = std::move(values);
    m_most = most;
    nameValue();
    update();
}

void Sparkline::nameValue() {
    if (m_value.isEmpty())
        return;
    setAccessibleName(tr("%1: %2, at most %3", "a figure, its value now, and its highest value of the last minutes")
                          .arg(m_title, m_value, numberText(std::llround(highest()))));
}

double Sparkline::highest() const {
    double highest = 0;
    for (const std::optional<double>& value : m_values)
        highest = std::max(highest, value.value_or(0));
    return highest;
}

QSize Sparkline::sizeHint() const {
    const int line = fontMetrics().height();
    return {std::max(fontMetrics().horizontalAdvance(m_title) + 2 * padding, 9 * line), 5 * line};
}

QSize Sparkline::minimumSizeHint() const {
    const int line = fontMetrics().height();
    return {6 * line, 4 * line};
}

void Sparkline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(mixed(palette().color(QPalette::Base), palette().color(QPalette::Text), 0.2));
    painter.setBrush(palette().base());
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const QRect inner = rect().adjusted(padding, padding - 2, -padding, -padding);
    const QFont font = valueFont(*this);
    const int valueWidth = QFontMetrics(font).horizontalAdvance(m_value);
    const int valueHeight = QFontMetrics(font).height();
    // In a narrow panel the value is below the title.
    const bool isBeside = fontMetrics().horizontalAdvance(m_title) + padding + valueWidth <= inner.width();
    const QRect title(inner.topLeft(), QSize(inner.width(), isBeside ? valueHeight : fontMetrics().height()));
    const QRect value(isBeside ? title.topLeft() : title.bottomLeft(), QSize(inner.width(), valueHeight));
    painter.setPen(toneColor(palette(), Tone::Quiet));
    painter.drawText(title, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                     fontMetrics().elidedText(m_title, Qt::ElideRight, inner.width()));
    painter.setPen(palette().color(QPalette::Text));
    painter.setFont(font);
    painter.drawText(value, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), m_value);
    paintLine(painter, QRectF(inner.left(), value.bottom() + 2, inner.width(), inner.bottom() - value.bottom() - 2));
}

// The width stands for the last minutes: a short history does not begin at the left edge.
void Sparkline::paintLine(QPainter& painter, const QRectF& place) const {
    if (place.height() < 4 || m_values.empty())
        return;
    const double scale = place.height() / std::max(highest(), 1.0);
    const double width = place.width() / static_cast<double>(std::max<size_t>(m_most - 1, 1));
    const double first = place.right() - width * static_cast<double>(m_values.size() - 1);
    const QColor color = toneColor(palette(), Tone::Info);
    painter.setPen(QPen(color, 1.5));
    QPolygonF stretch;
    const auto paintStretch = [&] {
        if (stretch.isEmpty())
            return;
        QColor fill = color;
        fill.setAlphaF(0.15F);
        QPainterPath below;
        below.addPolygon(stretch);
        below.lineTo(stretch.last().x(), place.bottom());
        below.lineTo(stretch.first().x(), place.bottom());
        painter.fillPath(below, fill);
        painter.drawPolyline(stretch);
        stretch.clear();
    };
    for (size_t i = 0; i < m_values.size(); ++i) {
        if (m_values[i])
            stretch << QPointF(first + width * static_cast<double>(i), place.bottom() - *m_values[i] * scale);
        else
            paintStretch();
    }
    paintStretch();
}

}  // namespace lockkeeper::ui

#include "moc_sparkline.cpp"
