// SPDX-License-Identifier: Apache-2.0
#include "ui/base/tallarea.h"

#include <QApplication>
#include <QEvent>
#include <QLayout>
#include <QScreen>
#include <QStyle>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int leastLines = 6;

}  // namespace

TallArea::TallArea(QWidget& content, QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setWidget(&content);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        if (now && widget()->isAncestorOf(now))
            ensureWidgetVisible(now);
    });
}

void TallArea::setUsualWidth(int lineHeights) {
    m_usualWidth = lineHeights;
    updateGeometry();
}

void TallArea::measure() {
    widget()->layout()->activate();
    updateGeometry();
}

// Includes room for the scroll bar, so that nothing moves to the side when it appears.
QSize TallArea::sizeHint() const {
    return widget()->sizeHint().expandedTo({leastWidth(), 0}) + QSize(barWidth(), 0);
}

QSize TallArea::minimumSizeHint() const {
    return {leastWidth() + barWidth(),
            std::min(widget()->minimumSizeHint().height(), leastLines * fontMetrics().height())};
}

int TallArea::heightForWidth(int width) const {
    QLayout& layout = *widget()->layout();
    return layout.hasHeightForWidth() ? layout.totalHeightForWidth(width - barWidth()) : widget()->sizeHint().height();
}

bool TallArea::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return QScrollArea::event(event);
}

int TallArea::leastWidth() const {
    const int onScreen = screen()->availableSize().width() * 9 / 10;  // the rest is for margins and the frame
    return std::max(widget()->minimumSizeHint().width(), std::min(m_usualWidth * fontMetrics().height(), onScreen));
}

int TallArea::barWidth() const {
    return style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
}

}  // namespace lockkeeper::ui

#include "moc_tallarea.cpp"
