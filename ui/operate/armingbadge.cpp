// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/armingbadge.h"

#include "ui/base/badge.h"
#include "ui/base/helptip.h"
#include "ui/words/armingtext.h"

#include <QHBoxLayout>
#include <QMouseEvent>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

// White text has a contrast of 4.5 and more on it.
QColor armedColor() {
    return QColor::fromRgb(0xad5200);
}

ArmingBadge::ArmingBadge(QWidget* parent) : QWidget(parent), m_badge(new Badge(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_badge);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Maximum);
}

void ArmingBadge::set(const ConnectionStatus& status, const Arming& arming, Clock& clock) {
    m_status = status;
    m_arming = arming;
    m_clock = &clock;
    if (!m_ticker) {
        m_ticker = new Ticker(clock, 1s, this);
        connect(m_ticker, &Ticker::ticked, this, &ArmingBadge::refresh);
    }
    m_badge->setToolTip(helpTip(armingToolTip(status, arming)));
    m_badge->setWhatsThis(m_badge->toolTip());
    refresh();
    refreshTicker();
}

QString ArmingBadge::text() const {
    return m_badge->text();
}

void ArmingBadge::refresh() {
    const QString text = armingBadgeText(m_status, m_arming, m_clock->now());
    const QColor color = m_arming.state == ArmingState::ReadOnly ? QColor() : armedColor();
    if (text != m_badge->text() || color != m_badge->background())
        m_badge->set(text, color);
}

void ArmingBadge::refreshTicker() {
    if (m_ticker)
        m_ticker->set(isVisible() && m_arming.until ? Ticker::State::Running : Ticker::State::Idle);
}

void ArmingBadge::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        Q_EMIT clicked();
}

void ArmingBadge::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_clock)
        refresh();
    refreshTicker();
}

void ArmingBadge::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    refreshTicker();
}

}  // namespace lockkeeper::ui

#include "moc_armingbadge.cpp"
