// SPDX-License-Identifier: Apache-2.0
#include "ui/look/tallarea.h"

#include <QApplication>
#include <QEvent>
#include <QLayout>
#include <QStyle>

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

void TallArea::measure() {
    widget()->layout()->activate();
    updateGeometry();
}

// Includes room for the scroll bar, so that nothing moves to the side when it appears.
QSize TallArea::sizeHint() const {
    return widget()->sizeHint() + QSize(barWidth(), 0);
}

QSize TallArea::minimumSizeHint() const {
    return {widget()->minimumSizeHint().width() + barWidth(), std::min(widget()->minimumSizeHint().height(), leastLines * fontMetrics().height())};
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

int TallArea::barWidth() const {
    return style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
}

}  // namespace lockkeeper::ui

#include "moc_tallarea.cpp"
