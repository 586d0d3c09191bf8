// SPDX-License-Identifier: Apache-2.0
#include "ui/base/badge.h"

#include "ui/base/plainlabel.h"
#include "ui/base/tonecolors.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace lockkeeper::ui {

namespace {

constexpr qreal cornerRadius = 4;

}  // namespace

Badge::Badge(QWidget* parent) : QFrame(parent), m_text(plainLabel(this)) {
    m_text->setObjectName(QStringLiteral("badgeText"));
    // On a tool bar the text would have the color of button texts.
    m_text->setForegroundRole(QPalette::WindowText);
    QFont bold = m_text->font();
    bold.setBold(true);
    m_text->setFont(bold);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 2, 8, 2);
    layout->addWidget(m_text);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Maximum);
    hide();
}

void Badge::set(const QString& text, const QColor& background) {
    m_background = background;
    m_text->setText(text);
    QPalette colors;
    if (background.isValid())
        colors.setColor(QPalette::WindowText, textColorOn(background));
    m_text->setPalette(colors);
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    update();
}

QString Badge::text() const {
    return m_text->text();
}

void Badge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(m_background.isValid() ? QPen(Qt::NoPen) : QPen(toneColor(palette(), Tone::Quiet)));
    painter.setBrush(m_background.isValid() ? QBrush(m_background) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(frame, cornerRadius, cornerRadius);
}

QColor textColorOn(const QColor& background) {
    return contrast(background, Qt::white) >= contrast(background, Qt::black) ? Qt::white : Qt::black;
}

}  // namespace lockkeeper::ui

#include "moc_badge.cpp"
