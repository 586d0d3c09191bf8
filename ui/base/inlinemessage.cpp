// SPDX-License-Identifier: Apache-2.0
#include "ui/base/inlinemessage.h"

#include "ui/base/helptip.h"
#include "ui/base/iconlabel.h"
#include "ui/base/icons.h"
#include "ui/base/plainlabel.h"
#include "ui/base/tonecolors.h"
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
    m_whole = shortened(message.text, longestMessage);
    setAccessibleName(m_whole);
    showText();
    setVisible(!m_whole.isEmpty());
    // The size hint must be that of the new text at once.
    m_layout->activate();
    updateGeometry();
    update();
}

void InlineMessage::addButton(QAbstractButton* button) {
    m_layout->addWidget(button, 0, Qt::AlignVCenter);
}

void InlineMessage::setFolded(bool folded) {
    if (folded == m_isFolded)
        return;
    m_isFolded = folded;
    m_text->setWordWrap(!folded);
    // A line that is cut does not make the message wider.
    m_text->setSizePolicy(folded ? QSizePolicy::Ignored : QSizePolicy::Preferred, QSizePolicy::Preferred);
    showText();
    m_layout->activate();
    updateGeometry();
}

void InlineMessage::showText() {
    if (!m_isFolded) {
        m_text->setText(m_whole);
        m_text->setToolTip(helpTip(QString()));
        return;
    }
    QString line = m_whole;
    line.replace(u'\n', u' ');
    m_text->setText(m_text->fontMetrics().elidedText(line, Qt::ElideRight, m_text->width()));
    m_text->setToolTip(helpTip(m_whole));
}

void InlineMessage::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    m_layout->activate();
    if (m_isFolded)
        showText();
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
