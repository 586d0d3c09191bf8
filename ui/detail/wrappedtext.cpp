#include "ui/detail/wrappedtext.h"

#include <QTextDocument>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int narrowest = 5;  // heights of a line

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
    fitHeight();
}

void WrappedText::fitHeight() {
    // A plain text document measures its height in lines.
    const int lines = std::clamp(static_cast<int>(document()->size().height()), 1, m_maximumLines);
    const QMargins margins = contentsMargins();
    setFixedHeight(lines * fontMetrics().lineSpacing() + margins.top() + margins.bottom() + 2);
}

}  // namespace lockkeeper::ui

#include "moc_wrappedtext.cpp"
