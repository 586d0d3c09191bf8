// SPDX-License-Identifier: Apache-2.0
#include "ui/detail/wrappedtext.h"

#include <QAbstractTextDocumentLayout>
#include <QResizeEvent>
#include <QTextBlock>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int narrowest = 5;  // heights of a line
constexpr int keptLines = 4;  // of a place that was used; more would look like a fault

}  // namespace

WrappedText::WrappedText(int maximumLines, QWidget* parent) : QPlainTextEdit(parent), m_maximumLines(maximumLines) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    document()->setDocumentMargin(0);
    // It is part of the page it stands on, not a field to type into.
    viewport()->setAutoFillBackground(false);
    fitHeight();
}

void WrappedText::setText(const QString& text) {
    if (text == toPlainText())
        return;
    setPlainText(text);
    fitHeight();
}

QSize WrappedText::sizeHint() const {
    return {QPlainTextEdit::sizeHint().width(), height()};
}

QSize WrappedText::minimumSizeHint() const {
    return {fontMetrics().height() * narrowest, height()};
}

void WrappedText::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        m_mostLines = 1;
    fitHeight();
}

void WrappedText::forgetHeight() {
    m_mostLines = 1;
    fitHeight();
}

// A block is broken into lines when somebody asks where it is.
int WrappedText::lines() const {
    int lines = 0;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        (void)document()->documentLayout()->blockBoundingRect(block);
        lines += block.layout()->lineCount();
    }
    return lines;
}

void WrappedText::fitHeight() {
    const int needed = lines();
    const QMargins margins = contentsMargins();
    // A bar that comes and goes changes the width, and the lines were broken for another one then.
    setVerticalScrollBarPolicy(needed > m_maximumLines ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    const int shown = std::clamp(needed, m_mostLines, m_maximumLines);
    m_mostLines = std::min(shown, keptLines);
    setFixedHeight(shown * fontMetrics().lineSpacing() + margins.top() +
                   margins.bottom() + 2);
}

}  // namespace lockkeeper::ui

#include "moc_wrappedtext.cpp"
