// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinepainter.h"

#include "ui/base/tonecolors.h"
#include "ui/timeline/timelinewords.h"
#include "ui/words/locktext.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <array>
#include <limits>

namespace lockkeeper::ui {

namespace {

struct PainterText {
    Q_DECLARE_TR_FUNCTIONS(PainterText)
};

constexpr int shortHolder = 14;
constexpr int margin = 6;

// How the bar of a holder is drawn: the color stands for the client, the pattern for the thread and for the client
// among those of its color.
struct HolderStyle {
    QColor fill;  // text in QPalette::Text reads well on it
    QColor outline;
    QBrush pattern;  // over `fill`
};

constexpr double fillShare = 0.38;
constexpr double patternShare = 0.52;
constexpr double outlineShare = 0.85;
// Not the backward diagonal: that says "not watched".
constexpr std::array<Qt::BrushStyle, 6> patterns = {Qt::NoBrush,    Qt::FDiagPattern,  Qt::HorPattern,
                                                    Qt::VerPattern, Qt::Dense6Pattern, Qt::CrossPattern};

HolderStyle styleOf(const HolderId& holder, const QPalette& palette, const ClientColors& colors) {
    // Not qHash(): that may differ between versions of Qt and kinds of processors.
    const int shape = colors.of(holder.client()) / ClientColors::colors;
    const QByteArray thread = QByteArray::number(static_cast<qint64>(holder.thread()));
    const size_t pattern = (qChecksum(thread) + static_cast<size_t>(shape)) % patterns.size();
    const QColor base = palette.color(QPalette::Base);
    const QColor color = clientColor(palette, colors.of(holder.client()));
    return {mixed(base, color, fillShare), mixed(base, color, outlineShare),
            QBrush(mixed(base, color, patternShare), patterns[pattern])};
}

Tone toneOf(MarkKind kind) {
    switch (kind) {
        case MarkKind::Taken:
            return Tone::Good;
        case MarkKind::Lost:
            return Tone::Danger;
        case MarkKind::Doubtful:
            return Tone::Warning;
        case MarkKind::Left:
        case MarkKind::Renewed:
        case MarkKind::Count:
            break;
    }
    return Tone::Quiet;
}

// Each kind has a shape of its own, so that it is known without its color.
QPainterPath shapeOf(MarkKind kind, const QRectF& box) {
    QPainterPath path;
    switch (kind) {
        case MarkKind::Taken:  // points down, at the bar that begins
            path.addPolygon(QPolygonF({box.topLeft(), box.topRight(), QPointF(box.center().x(), box.bottom())}));
            break;
        case MarkKind::Left:  // points up, away from it
            path.addPolygon(QPolygonF({box.bottomLeft(), box.bottomRight(), QPointF(box.center().x(), box.top())}));
            break;
        case MarkKind::Lost:  // a cross
            path.moveTo(box.topLeft());
            path.lineTo(box.bottomRight());
            path.moveTo(box.topRight());
            path.lineTo(box.bottomLeft());
            return path;
        case MarkKind::Renewed:
            path.addEllipse(box.center(), box.width() / 4, box.width() / 4);
            return path;
        case MarkKind::Count:
            path.moveTo(box.center().x(), box.top() + 1);
            path.lineTo(box.center().x(), box.bottom() - 1);
            return path;
        case MarkKind::Doubtful:  // a diamond
            path.addPolygon(
                QPolygonF({QPointF(box.center().x(), box.top()), QPointF(box.right(), box.center().y()),
                           QPointF(box.center().x(), box.bottom()), QPointF(box.left(), box.center().y())}));
            break;
    }
    path.closeSubpath();
    return path;
}

bool isNamed(const Mark& mark) {
    return mark.kind != MarkKind::Renewed && mark.kind != MarkKind::Count;
}

// nearest: the first of the marks to the left, the nearest first. True if none of them that has a name reaches the
// column.
bool isFreeFrom(int column, std::vector<Mark>::const_reverse_iterator nearest,
                std::vector<Mark>::const_reverse_iterator end) {
    const auto named = std::find_if(nearest, end, isNamed);
    return named == end || named->column + TimelineLayout::markHeight / 2 < column;
}

// Short, so that the line of the lease has room beside it; the tool tip shows the whole.
QString barText(const Bar& bar, const HolderAliases& aliases) {
    const QString holder = shortened(aliases.display(bar.first.holder), shortHolder);
    return bar.first.mode == monitor::HoldMode::Exclusive
               ? holder
               : PainterText::tr("%1 (%2)").arg(holder, modeText(bar.first.mode));
}

// The text below the name.
QString noteOf(const PaintedLane& lane) {
    const bool pinned = lane.isPinned;
    const int waiters = lane.geometry.mostWaiters;
    if (waiters == 0)
        return pinned ? PainterText::tr("pinned") : QString();
    return pinned ? PainterText::tr("pinned, up to %Ln waiting", nullptr, waiters)
                  : PainterText::tr("up to %Ln waiting", nullptr, waiters);
}

}  // namespace

TimelinePainter::TimelinePainter(QPainter& painter, const QPalette& palette, const QFontMetrics& metrics,
                                 TimelineLayout layout, const HolderLooks& holders)
    : m_painter(painter), m_palette(palette), m_metrics(metrics), m_layout(layout), m_holders(holders) {}

QColor TimelinePainter::toned(double share) const {
    return mixed(m_palette.color(QPalette::Base), m_palette.color(QPalette::Text), share);
}

void TimelinePainter::paintAxis(const TimeRange& range) {
    const QRect axis = m_layout.axis();
    const int textWidth = m_metrics.horizontalAdvance(QStringLiteral("00:00:00.000")) + 3 * margin;
    const TimeTicks ticks = ticksIn(range, axis.width() / textWidth);
    for (const WallTime tick : ticks.times) {
        const int x = axis.left() + static_cast<int>(range.fraction(tick) * axis.width());
        m_painter.setPen(toned(0.12));
        m_painter.drawLine(x, 0, x, axis.top() + 3);
        m_painter.setPen(toneColor(m_palette, Tone::Quiet));
        const QRect place(x - textWidth / 2, axis.top() + 3, textWidth, axis.height() - 3);
        if (place.left() >= axis.left() - textWidth / 3 && place.right() <= axis.right() + margin)
            m_painter.drawText(place, static_cast<int>(Qt::AlignCenter), ticks.text(tick));
    }
}

void TimelinePainter::paintLaneCount(int shown, int all) {
    const QRect axis = m_layout.axis();
    const QRect place(margin, axis.top() + 3, m_layout.namesWidth() - 2 * margin, axis.height() - 3);
    m_painter.setPen(toneColor(m_palette, Tone::Quiet));
    m_painter.drawText(place, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                       m_metrics.elidedText(TimelineWords::lanes(shown, all), Qt::ElideRight, place.width()));
}

void TimelinePainter::paintLane(int index, const PaintedLane& lane) {
    m_painter.save();
    m_painter.setClipRect(m_layout.lane(index));
    for (const Bar& bar : lane.geometry.bars)
        paintBar(index, bar, lane.geometry.tracks);
    paintOverdue(index, lane.geometry);
    paintLease(index, lane.geometry);
    for (const Bar& bar : lane.geometry.bars)
        paintBarText(index, bar, lane.geometry.tracks);
    paintWaiters(index, lane.geometry);
    paintGaps(index, lane.geometry);
    for (const Mark& mark : lane.geometry.marks)
        paintMark(index, mark);
    paintLabels(index, lane.geometry);
    m_painter.restore();
    paintName(index, lane);
    m_painter.setPen(toned(0.15));
    const QRect whole = m_layout.lane(index);
    m_painter.drawLine(0, whole.bottom(), whole.right(), whole.bottom());
}

// The name takes two lines if there is room for them.
void TimelinePainter::paintName(int index, const PaintedLane& lane) {
    const QRect cell = m_layout.name(index);
    const bool selected = lane.rank == LaneRank::Selected;
    m_painter.fillRect(cell,
                       selected ? m_palette.brush(QPalette::Highlight) : m_palette.brush(QPalette::AlternateBase));
    const QColor text = m_palette.color(selected ? QPalette::HighlightedText : QPalette::Text);
    const QRect place = cell.adjusted(margin, 2, -margin, -2);
    const QString note = noteOf(lane);
    const int lines = place.height() / m_metrics.height() - (note.isEmpty() ? 0 : 1);
    m_painter.setPen(text);
    int top = place.top();
    for (const QString& line :
         nameLines(m_metrics, m_holders.names.shown(lane.name), place.width(), std::clamp(lines, 1, 2))) {
        m_painter.drawText(QRect(place.left(), top, place.width(), m_metrics.height()), static_cast<int>(Qt::AlignLeft),
                           line);
        top += m_metrics.height();
    }
    m_painter.setPen(selected ? text : toneColor(m_palette, Tone::Quiet));
    m_painter.drawText(place, static_cast<int>(Qt::AlignLeft | Qt::AlignBottom),
                       m_metrics.elidedText(note, Qt::ElideRight, place.width()));
}

QStringList TimelinePainter::nameLines(const QFontMetrics& metrics, const QString& name, int width, int most) {
    if (most < 2 || metrics.horizontalAdvance(name) <= width)
        return {metrics.elidedText(name, Qt::ElideMiddle, width)};
    qsizetype fits = 1;
    while (fits < name.size() && metrics.horizontalAdvance(name.first(fits + 1)) <= width)
        ++fits;
    // Breaks between words, if the rest has room.
    const auto isEndOfWord = [](QChar letter) { return QLatin1String(":/.-_} ").contains(letter); };
    for (qsizetype end = fits; end > 0; --end) {
        if (isEndOfWord(name[end - 1]) && metrics.horizontalAdvance(name.sliced(end)) <= width)
            return {name.first(end), name.sliced(end)};
    }
    return {name.first(fits), metrics.elidedText(name.sliced(fits), Qt::ElideMiddle, width)};
}

void TimelinePainter::paintGaps(int index, const LaneGeometry& geometry) {
    const QRect lane = m_layout.lane(index);
    for (const Columns& gap : geometry.gaps)
        paintGap(m_painter, m_palette, QRect(lane.left() + gap.left, lane.top(), gap.count(), lane.height()));
}

void TimelinePainter::paintGap(QPainter& painter, const QPalette& palette, const QRect& place) {
    painter.fillRect(place, palette.color(QPalette::AlternateBase));
    const QColor line = mixed(palette.color(QPalette::Base), palette.color(QPalette::Text), 0.3);
    painter.fillRect(place, QBrush(line, Qt::BDiagPattern));
}

void TimelinePainter::paintOverdue(int index, const LaneGeometry& geometry) {
    const QRect bars = m_layout.bars(index);
    for (const Columns& late : geometry.overdue)
        paintOverdue(m_painter, m_palette, QRect(bars.left() + late.left, bars.top(), late.count(), bars.height()));
}

// An overdue renewal is a shade over the bar, and a thick line below it.
void TimelinePainter::paintOverdue(QPainter& painter, const QPalette& palette, const QRect& place) {
    constexpr int lineHeight = 3;
    QColor shade = toneColor(palette, Tone::Warning);
    painter.fillRect(QRect(place.left(), place.bottom() - lineHeight + 1, place.width(), lineHeight), shade);
    shade.setAlpha(70);
    painter.fillRect(place, shade);
}

// Writes what changed the state of the lock behind its mark and those close to it (who is forced out is followed by
// who acquires), if the words meet no next mark except renewals; otherwise before the mark, under the same condition.
void TimelinePainter::paintLabels(int index, const LaneGeometry& geometry) {
    constexpr int close = 2 * TimelineLayout::markHeight;
    const QRect strip = m_layout.labels(index);
    QFont small = m_painter.font();
    small.setPixelSize(TimelineLayout::labelHeight - 3);
    const QFontMetrics metrics(small);
    m_painter.setFont(small);
    int first = strip.right() + 1;  // of the marks that are close to each other
    int last = std::numeric_limits<int>::max();
    int end = first;  // of the room behind them
    for (auto mark = geometry.marks.rbegin(); mark != geometry.marks.rend(); ++mark) {
        if (!isNamed(*mark))
            continue;
        const int center = strip.left() + mark->column;
        if (last - center > close) {
            end = first;
            last = center;
        }
        first = center - TimelineLayout::markHeight / 2;
        const QString text = TimelineWords::label(mark->last);
        if (text.isEmpty())
            continue;
        const int width = metrics.horizontalAdvance(text) + 4;
        int left = last + TimelineLayout::markHeight / 2 + 2;
        if (left + width > end) {
            left = first - 2 - width;
            if (left < strip.left() || !isFreeFrom(left - strip.left(), std::next(mark), geometry.marks.rend()))
                continue;
            first = left;
        }
        const QRect place(left, strip.top(), width, strip.height());
        m_painter.fillRect(place, m_palette.color(QPalette::Base));
        m_painter.setPen(toneColor(m_palette, toneOf(mark->kind)));
        m_painter.drawText(place, static_cast<int>(Qt::AlignCenter), text);
        end = left;
    }
}

QRect TimelinePainter::placeOf(int index, const Bar& bar, int tracks) const {
    const QRect track = m_layout.track(index, bar.track, tracks);
    return {track.left() + bar.columns.left, track.top(), bar.columns.count(), track.height() - 1};
}

void TimelinePainter::paintBar(int index, const Bar& bar, int tracks) {
    const QRect place = placeOf(index, bar, tracks);
    const bool crowd = bar.holds > 1;
    const HolderStyle style = styleOf(bar.first.holder, m_palette, m_holders.colors);
    m_painter.fillRect(place, crowd ? toned(0.35) : style.fill);
    if (!crowd)
        m_painter.fillRect(place, style.pattern);
    if (crowd || place.width() < 3)
        return;
    m_painter.setPen(style.outline);
    m_painter.drawRect(place.adjusted(0, 0, -1, -1));
    // A hold that goes on is open at its end.
    if (bar.isOpen)
        m_painter.fillRect(QRect(place.right(), place.top() + 1, 1, place.height() - 2), style.fill);
}

// On a plain background, so that neither the pattern nor the line of the lease crosses the text.
void TimelinePainter::paintBarText(int index, const Bar& bar, int tracks) {
    const QRect place = placeOf(index, bar, tracks);
    const QRect text = place.adjusted(margin / 2, 0, -margin / 2, 0);
    const QString shown = barText(bar, m_holders.aliases);
    const bool fits =
        text.width() > m_metrics.horizontalAdvance(shown) * 3 / 2 && text.height() >= m_metrics.height() - 2;
    if (bar.holds > 1 || !fits)
        return;
    const QRect words = m_metrics.boundingRect(text, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), shown);
    m_painter.fillRect(words.adjusted(-1, 0, 1, 0).intersected(place.adjusted(1, 1, -1, -1)),
                       styleOf(bar.first.holder, m_palette, m_holders.colors).fill);
    m_painter.setPen(m_palette.color(QPalette::Text));
    m_painter.drawText(text, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), shown);
}

void TimelinePainter::paintLease(int index, const LaneGeometry& geometry) {
    const QRect bars = m_layout.bars(index).adjusted(0, 2, 0, -3);
    const QColor color = toned(0.62);
    for (const Stroke& stroke : geometry.lease) {
        const int top = bars.bottom() - static_cast<int>(stroke.high * bars.height());
        const int bottom = bars.bottom() - static_cast<int>(stroke.low * bars.height());
        m_painter.fillRect(QRect(bars.left() + stroke.column, top, 1, bottom - top + 1), color);
    }
}

void TimelinePainter::paintWaiters(int index, const LaneGeometry& geometry) {
    const QRect place = m_layout.waiters(index);
    const QColor line = toneColor(m_palette, Tone::Info);
    const QColor area = mixed(m_palette.color(QPalette::Base), line, 0.25);
    for (const Stroke& stroke : geometry.waiters) {
        const int x = place.left() + stroke.column;
        const int top = place.bottom() - static_cast<int>(stroke.high * (place.height() - 2));
        const int bottom = place.bottom() - static_cast<int>(stroke.low * (place.height() - 2));
        m_painter.fillRect(QRect(x, bottom, 1, place.bottom() - bottom + 1), area);
        if (stroke.high > 0)
            m_painter.fillRect(QRect(x, top, 1, bottom - top + 1), line);
    }
}

void TimelinePainter::paintMark(int index, const Mark& mark) {
    const QRect marks = m_layout.marks(index);
    const QRectF box(marks.left() + mark.column - marks.height() / 2, marks.top(), marks.height(), marks.height());
    paintSample(m_painter, m_palette, mark.kind, box);
}

void TimelinePainter::paintSample(QPainter& painter, const QPalette& palette, MarkKind kind, const QRectF& box) {
    const QColor color = toneColor(palette, toneOf(kind));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, kind == MarkKind::Lost ? 2 : 1));
    painter.setBrush(kind == MarkKind::Left ? QBrush(palette.color(QPalette::Base)) : QBrush(color));
    painter.drawPath(shapeOf(kind, box.adjusted(0.5, 0.5, -0.5, -0.5)));
    painter.restore();
}

void TimelinePainter::paintPresent(const TimeRange& range, WallTime now) {
    if (!range.contains(now))
        return;
    const QRect axis = m_layout.axis();
    const int x = axis.left() + std::min(static_cast<int>(range.fraction(now) * axis.width()), axis.width() - 1);
    m_painter.setPen(toneColor(m_palette, Tone::Info));
    m_painter.drawLine(x, 0, x, axis.top());
}

void TimelinePainter::paintCrosshair(const TimeRange& range, WallTime at, const QString& time) {
    if (!range.contains(at))
        return;
    const QRect axis = m_layout.axis();
    const int x = axis.left() + std::min(static_cast<int>(range.fraction(at) * axis.width()), axis.width() - 1);
    m_painter.setPen(QPen(m_palette.color(QPalette::Text), 1, Qt::DashLine));
    m_painter.drawLine(x, 0, x, axis.top());
    const int width = m_metrics.horizontalAdvance(time) + 2 * margin;
    const QRect place(std::clamp(x - width / 2, axis.left(), std::max(axis.left(), axis.right() - width)),
                      axis.top() + 2, width, axis.height() - 2);
    m_painter.fillRect(place, m_palette.color(QPalette::Text));
    m_painter.setPen(m_palette.color(QPalette::Base));
    m_painter.drawText(place, static_cast<int>(Qt::AlignCenter), time);
}

}  // namespace lockkeeper::ui
