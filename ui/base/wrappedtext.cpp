// SPDX-License-Identifier: Apache-2.0
#include "ui/base/wrappedtext.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QResizeEvent>
#include <QStyle>
#include <QTextBlock>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int narrowest = 5;  // heights of a line
constexpr int keptLines = 4;  // of a place that was used; more would look like a fault
constexpr int markSize = 14;
constexpr int markRoom = markSize + 4;

}  // namespace

WrappedText::WrappedText(int maximumLines, QWidget* parent)
    : QPlainTextEdit(parent), m_markArea(new QWidget(this)), m_maximumLines(maximumLines) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    document()->setDocumentMargin(0);
    // The text is part of the page it stands on, not a field to type into.
    viewport()->setAutoFillBackground(false);
    m_markArea->installEventFilter(this);
    m_markArea->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_markArea->hide();
    connect(this, &QPlainTextEdit::updateRequest, m_markArea, qOverload<>(&QWidget::update));
    fitHeight();
}

void WrappedText::setText(const QString& text) {
    if (text == toPlainText())
        return;
    setPlainText(text);
    fitHeight();
}

void WrappedText::setMarks(const QList<int>& marks, MarkIcon icon) {
    if (marks == m_marks && icon == m_markIcon)
        return;
    m_markIcon = icon;
    m_marks = marks;
    const bool areAny = !m_marks.isEmpty();
    m_markArea->setVisible(areAny);
    setViewportMargins(areAny ? markRoom : 0, 0, 0, 0);
    placeMarks();
    m_markArea->update();
}

void WrappedText::placeMarks() {
    m_markArea->setGeometry(contentsRect().left(), contentsRect().top(), markRoom, contentsRect().height());
}

void WrappedText::paintMarks() const {
    QPainter painter(m_markArea);
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
        if (place.top() > m_markArea->height())
            return;
        const int mark = m_marks.value(block.blockNumber(), -1);
        const int top = static_cast<int>(place.top()) + (fontMetrics().lineSpacing() - markSize) / 2;
        if (mark >= 0)
            m_markIcon(mark).paint(&painter, 0, top, markSize, markSize);
    }
}

bool WrappedText::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_markArea && event->type() == QEvent::Paint)
        paintMarks();
    return QPlainTextEdit::eventFilter(watched, event);
}

QSize WrappedText::sizeHint() const {
    return {QPlainTextEdit::sizeHint().width(), height()};
}

QSize WrappedText::minimumSizeHint() const {
    return {fontMetrics().height() * narrowest, height()};
}

void WrappedText::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeMarks();
    // The scroll bar of the page comes and goes with what stands on the page, also below this text: such a change of
    // the width does not come from the user. The event is the viewport's, which also changes when marks come and go.
    if (width() > m_fittedWidth + style()->pixelMetric(QStyle::PM_ScrollBarExtent)) {
        m_mostLines = 1;
        m_fittedWidth = width();
    }
    m_fittedWidth = std::min(m_fittedWidth, width());
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
    // A scroll bar that comes and goes changes the width, and the lines were broken for the former width.
    setVerticalScrollBarPolicy(needed > m_maximumLines ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    const int shown = std::clamp(needed, m_mostLines, m_maximumLines);
    m_mostLines = std::min(shown, keptLines);
    setFixedHeight(shown * fontMetrics().lineSpacing() + margins.top() + margins.bottom() + 2);
}

}  // namespace lockkeeper::ui

#include "moc_wrappedtext.cpp"
