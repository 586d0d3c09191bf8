// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/connectiondelegate.h"

#include "ui/base/badge.h"
#include "ui/base/tonecolors.h"
#include "ui/connections/connectionmodel.h"
#include "ui/connections/labelcolor.h"
#include "ui/connections/phaseicon.h"
#include "ui/words/environmenttext.h"

#include <QPainter>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int gap = 4;       // between cards
constexpr int padding = 10;  // inside a card
constexpr int barWidth = 6;
constexpr int phaseSize = 16;

QFont boldOf(QFont font) {
    font.setBold(true);
    return font;
}

void drawLine(QPainter& painter, const QRect& line, const QString& text, Qt::TextElideMode elide,
              Qt::Alignment alignment = Qt::AlignLeft) {
    painter.drawText(line, static_cast<int>(alignment | Qt::AlignVCenter) | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(text, elide, line.width()));
}

void drawHeading(QPainter& painter, const QStyleOptionViewItem& option, const QString& text) {
    painter.setFont(boldOf(option.font));
    // A heading is not enabled; its text must be read all the same.
    QPalette palette = option.palette;
    palette.setCurrentColorGroup(QPalette::Active);
    painter.setPen(toneColor(palette, Tone::Quiet));
    drawLine(painter, option.rect.adjusted(gap, padding, -gap, -gap), text, Qt::ElideRight);
}

// The left edge of what was drawn at the right end of the line.
int drawPill(QPainter& painter, const QRect& line, const QString& text, const QColor& color) {
    if (text.isEmpty())
        return line.right();
    const int width = painter.fontMetrics().horizontalAdvance(text) + 2 * padding;
    const QRect pill(line.right() - width, line.top(), width, line.height());
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(pill, gap, gap);
    painter.setPen(textColorOn(color));
    drawLine(painter, pill, text, Qt::ElideRight, Qt::AlignHCenter);
    return pill.left() - padding;
}

void drawFrame(QPainter& painter, const QStyleOptionViewItem& option, const QRect& card) {
    const QPalette& palette = option.palette;
    const QColor frame = mixed(palette.color(QPalette::Base), toneColor(palette, Tone::Quiet), 0.35);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter.setPen(isSelected ? QPen(palette.color(QPalette::Highlight), 2) : QPen(frame));
    painter.setBrush(palette.color(QPalette::AlternateBase));
    painter.drawRoundedRect(QRectF(card).adjusted(1, 1, -1, -1), gap, gap);
}

void drawServerAndUse(QPainter& painter, const QRect& line, const QString& server, const QString& use) {
    const int useWidth = std::min(painter.fontMetrics().horizontalAdvance(use) + gap, line.width() * 2 / 3);
    drawLine(painter, line.adjusted(line.width() - useWidth, 0, 0, 0), use, Qt::ElideRight, Qt::AlignRight);
    drawLine(painter, line.adjusted(0, 0, -useWidth - padding, 0), server, Qt::ElideMiddle);
}

}  // namespace

ConnectionDelegate::ConnectionDelegate(const ConnectionModel& model, QObject* parent)
    : QStyledItemDelegate(parent), m_model(model) {}

void ConnectionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (const profile::StoredProfile* stored = m_model.connection(index))
        drawCard(*painter, option, *stored);
    else
        drawHeading(*painter, option, index.data().toString());
    painter->restore();
}

void ConnectionDelegate::drawCard(QPainter& painter, const QStyleOptionViewItem& option,
                                  const profile::StoredProfile& stored) const {
    const QRect card = option.rect.adjusted(gap, gap / 2, -gap, -gap / 2);
    const QColor color = labelColor(stored.label);
    drawFrame(painter, option, card);
    if (color.isValid())
        painter.fillRect(QRect(card.left() + 2, card.top() + 2, barWidth, card.height() - 4), color);
    const QRect inside = card.adjusted(padding + barWidth, padding / 2, -padding, -padding / 2);
    const QRect first(inside.left(), inside.top(), inside.width(), inside.height() / 2);
    const QString server = stored.profile.display();
    painter.setFont(boldOf(option.font));
    const int nameEnd =
        drawPill(painter, first.adjusted(0, 1, 0, -1), environmentText(stored.label.environment), color);
    painter.setPen(option.palette.color(QPalette::Text));
    QRect name(first.topLeft(), QPoint(nameEnd, first.bottom()));
    if (const std::optional<ConnectionPhase> open = m_model.phase(stored)) {
        phaseIcon(*open).paint(&painter, QRect(name.left(), name.top(), phaseSize, name.height()));
        name.setLeft(name.left() + phaseSize + gap);
    }
    drawLine(painter, name, connectionName(stored.label, server), Qt::ElideMiddle);
    painter.setFont(option.font);
    painter.setPen(toneColor(option.palette, Tone::Quiet));
    drawServerAndUse(painter, inside.adjusted(0, first.height(), 0, 0),
                     stored.label.name.isEmpty() ? QString() : server, useText(stored));
}

QString ConnectionDelegate::useText(const profile::StoredProfile& stored) const {
    const std::optional<ConnectionPhase> open = m_model.phase(stored);
    const QString use = open ? ConnectionModel::openText(*open) : m_model.lastUseText(stored);
    return stored.profile.access == redis::AccessMode::ReadOnly ? tr("read-only, %1").arg(use) : use;
}

QSize ConnectionDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int line = option.fontMetrics.height();
    return m_model.connection(index) ? QSize(20 * line, 2 * (line + gap) + padding + gap)
                                     : QSize(20 * line, line + padding + 2 * gap);
}

}  // namespace lockkeeper::ui

#include "moc_connectiondelegate.cpp"
