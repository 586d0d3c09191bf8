// SPDX-License-Identifier: Apache-2.0
#include "ui/message/inlinemessage.h"

#include "ui/look/iconlabel.h"
#include "ui/look/icons.h"
#include "ui/look/plainlabel.h"
#include "ui/words/locktext.h"

#include <QAbstractButton>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace lockkeeper::ui {

namespace {

constexpr int edgeWidth = 4;
constexpr qsizetype longestMessage = 2000;  // characters: a server may answer with megabytes

QString iconName(Tone tone) {
    switch (tone) {
        case Tone::Good:
            return QStringLiteral("ok");
        case Tone::Warning:
            return QStringLiteral("warning");
        case Tone::Danger:
            return QStringLiteral("error");
        case Tone::Normal:
        case Tone::Quiet:
        case Tone::Info:
            break;
    }
    return QStringLiteral("info");
}

}  // namespace

InlineMessage::InlineMessage(QWidget* parent)
    : QFrame(parent), m_icon(new IconLabel(18, this)), m_text(plainLabel(this)), m_layout(new QHBoxLayout(this)) {
    m_text->setObjectName(QStringLiteral("messageText"));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_layout->setContentsMargins(edgeWidth + 8, 6, 8, 6);
    m_layout->setSpacing(8);
    m_layout->addWidget(m_icon, 0, Qt::AlignVCenter);
    m_layout->addWidget(m_text, 1);
    hide();
}

void InlineMessage::setMessage(const Message& message) {
    m_tone = message.tone;
    m_icon->setIcon(icon(iconName(message.tone), message.tone));
    const QString text = shortened(message.text, longestMessage);
    m_text->setText(text);
    setAccessibleName(text);
    setVisible(!text.isEmpty());
    // The size hint must be that of the new text at once.
    m_layout->activate();
    updateGeometry();
    update();
}

void InlineMessage::addButton(QAbstractButton* button) {
    m_layout->addWidget(button, 0, Qt::AlignVCenter);
}

QString InlineMessage::text() const {
    return m_text->text();
}

void InlineMessage::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        update();
}

void InlineMessage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), toneBackground(palette(), m_tone));
    painter.fillRect(QRect(0, 0, edgeWidth, height()), toneColor(palette(), m_tone));
}

}  // namespace lockkeeper::ui

#include "moc_inlinemessage.cpp"
