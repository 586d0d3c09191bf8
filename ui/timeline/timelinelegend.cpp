// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinelegend.h"

#include "ui/base/retranslating.h"
#include "ui/base/tonecolors.h"
#include "ui/timeline/timelinepainter.h"
#include "ui/timeline/timelinewords.h"

#include <QPainter>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

constexpr int signWidth = 44;
constexpr int legendMargin = 8;

// These signs follow the kinds of marks.
enum Sign { HoldSign = markKinds, CrowdSign, LeaseSign, OverdueSign, WaitersSign, GapSign, PresentSign, CrosshairSign };

}  // namespace

TimelineLegend::TimelineLegend(QWidget* parent) : QFrame(parent, Qt::Popup) {
    setObjectName(QStringLiteral("timelineLegendPopup"));
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setAttribute(Qt::WA_DeleteOnClose);
    keepTranslated(*this, [this] { retranslate(); });
}

void TimelineLegend::retranslate() {
    setAccessibleName(tr("Legend of the timeline"));
    setAccessibleDescription(meanings().join(QStringLiteral("; ")));
    adjustSize();
    update();
}

QStringList TimelineLegend::meanings() {
    QStringList all;
    for (int kind = 0; kind < markKinds; ++kind)
        all << TimelineWords::kind(static_cast<MarkKind>(kind));
    return all << tr("A hold: color and pattern stand for the holder, open at its end while it goes on")
               << tr("Several holds that are too short to be told apart") << tr("What is left of the lease")
               << tr("A renewal is overdue") << tr("Clients that wait") << tr("Not watched: nothing is known")
               << tr("The present") << tr("The time under the pointer, in the events too");
}

QSize TimelineLegend::sizeHint() const {
    int widest = 0;
    const QStringList all = meanings();
    for (const QString& meaning : all)
        widest = std::max(widest, fontMetrics().horizontalAdvance(meaning));
    const int line = fontMetrics().height() + 6;
    return {signWidth + widest + 3 * legendMargin, static_cast<int>(all.size()) * line + 2 * legendMargin};
}

void TimelineLegend::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    QPainter painter(this);
    const int line = fontMetrics().height() + 6;
    const QStringList all = meanings();
    for (int sign = 0; sign < all.size(); ++sign) {
        const int top = legendMargin + sign * line;
        paintSign(painter, sign, QRect(legendMargin, top + 2, signWidth - legendMargin, line - 4));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRect(legendMargin + signWidth, top, width() - signWidth - 2 * legendMargin, line),
                         static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), all[sign]);
    }
}

void TimelineLegend::paintSign(QPainter& painter, int sign, const QRect& place) const {
    const QColor text = palette().color(QPalette::Text);
    const QColor hold = mixed(palette().color(QPalette::Base), clientColor(palette(), 0), 0.38);
    if (sign < markKinds) {
        QRectF box(0, 0, TimelineLayout::markHeight, TimelineLayout::markHeight);
        box.moveCenter(QRectF(place).center());
        return TimelinePainter::paintSample(painter, palette(), static_cast<MarkKind>(sign), box);
    }
    switch (static_cast<Sign>(sign)) {
        case HoldSign:
            return painter.fillRect(place, hold);
        case CrowdSign:
            return painter.fillRect(place, mixed(palette().color(QPalette::Base), text, 0.35));
        case LeaseSign:
            painter.fillRect(place, hold);
            painter.setPen(mixed(palette().color(QPalette::Base), text, 0.62));
            return painter.drawLine(place.topLeft(), place.bottomRight());
        case OverdueSign:
            painter.fillRect(place, hold);
            return TimelinePainter::paintOverdue(painter, palette(), place);
        case WaitersSign:
            return painter.fillRect(place.adjusted(0, place.height() / 2, 0, 0),
                                    mixed(palette().color(QPalette::Base), toneColor(palette(), Tone::Info), 0.4));
        case GapSign:
            return TimelinePainter::paintGap(painter, palette(), place);
        case PresentSign:
            return painter.fillRect(QRect(place.center().x(), place.top(), 1, place.height()),
                                    toneColor(palette(), Tone::Info));
        case CrosshairSign:
            painter.setPen(QPen(text, 1, Qt::DashLine));
            return painter.drawLine(place.center().x(), place.top(), place.center().x(), place.bottom());
    }
}

}  // namespace lockkeeper::ui

#include "moc_timelinelegend.cpp"
