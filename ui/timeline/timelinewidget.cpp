// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinewidget.h"

#include "ui/base/helptip.h"
#include "ui/base/retranslating.h"
#include "ui/base/tonecolors.h"
#include "ui/timeline/timelinewords.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyleOptionFocusRect>
#include <QToolTip>

#include <cmath>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr Milliseconds frame = 100ms;
constexpr Milliseconds laneRest = 1s;
constexpr double zoomStep = 1.5;
constexpr double panStep = 0.1;
constexpr double wheelNotch = 120;
constexpr qsizetype longestTimelineTip = 400;  // characters
constexpr int edgeShare =
    20;  // one part in so many of the whole is left free beside it, so that the first mark is visible

}  // namespace

TimelineWidget::TimelineWidget(const TimelineHistory& history, const ViewTime& time, Clock& clock, QWidget* parent)
    : QWidget(parent),
      m_history(history),
      m_time(time),
      m_restTimer(clock, [this] { rest(); }),
      m_ticker(clock, frame),
      m_lanes(history, *this) {
    m_range = TimeRange{WallTime{}, WallTime{} + m_options.span}.endingAt(present());
    setFocusPolicy(Qt::StrongFocus);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setMouseTracking(true);
    connect(&m_lanes.scrollBar(), &QScrollBar::valueChanged, this, qOverload<>(&QWidget::update));
    connect(&m_ticker, &Ticker::ticked, this, &TimelineWidget::tick);
    keepTranslated(*this, [this] { retranslate(); });
}

WallTime TimelineWidget::present() const {
    const WallTime moment = m_time.wallMoment();
    return moment == WallTime{} ? m_time.wallNow() : moment;
}

QSize TimelineWidget::sizeHint() const {
    return {800, 4 * TimelineLayout::lowestLane + TimelineLayout::axisHeight};
}

QSize TimelineWidget::minimumSizeHint() const {
    return {240, TimelineLayout::lowestLane + TimelineLayout::axisHeight};
}

// ---- what is shown ----

void TimelineWidget::moveOn() {
    if (m_flow == Flow::Following)
        m_range = m_range.endingAt(present());
}

void TimelineWidget::refresh() {
    moveOn();
    const bool rested = present() - m_lanes.chosenAt() >= laneRest || present() < m_lanes.chosenAt();
    if (m_lanes.isEmpty())
        m_lanes.want(LaneStack::Choice::Free);
    else if (rested && isAtRest())
        chooseLanes();
    update();
}

// No lane is replaced while the pointer is on them.
void TimelineWidget::chooseLanes() {
    m_lanes.want(m_isPointedAt ? LaneStack::Choice::InPlace : LaneStack::Choice::Free);
}

void TimelineWidget::setSelected(const std::optional<LockName>& name) {
    if (name == m_lanes.requests().selected)
        return;
    m_lanes.requests().selected = name;
    chooseLanes();
    update();
    Q_EMIT selectedChanged();
}

void TimelineWidget::setUrgent(const QSet<LockName>& diagnosed, const QSet<LockName>& contended) {
    if (diagnosed == m_lanes.requests().diagnosed && contended == m_lanes.requests().contended)
        return;
    m_lanes.requests().diagnosed = diagnosed;
    m_lanes.requests().contended = contended;
    refresh();
}

void TimelineWidget::setMarkedTime(const std::optional<WallTime>& at) {
    m_markedTime = at;
    update();
}

void TimelineWidget::setAliases(const HolderAliases& aliases) {
    m_aliases = aliases;
    update();
}

void TimelineWidget::setNames(const ProgramNames& names) {
    m_names = names;
    update();
}

void TimelineWidget::setPinned(const QList<LockName>& names) {
    m_lanes.requests().pinned = names;
    chooseLanes();
    update();
    Q_EMIT pinnedChanged();
}

void TimelineWidget::setOptions(const TimelineOptions& options) {
    const TimelineOptions before = std::exchange(m_options, options);
    m_lanes.setOptions(options);
    if (options.span != before.span)
        zoom(static_cast<double>(options.span.count()) / static_cast<double>(toMilliseconds(m_range.length()).count()),
             m_range.at(0.5));
    m_lanes.want(LaneStack::Choice::Free);
    update();
}

void TimelineWidget::setFlow(Flow flow) {
    if (flow == m_flow)
        return;
    m_flow = flow;
    refresh();
    Q_EMIT flowChanged(flow);
}

void TimelineWidget::setRange(const TimeRange& range) {
    m_range = range;
    if (m_lanes.isEmpty())
        m_lanes.want(LaneStack::Choice::Free);
    m_restTimer.start(laneRest);
    update();
}

void TimelineWidget::rest() {
    if (isAtRest())
        chooseLanes();
    update();
}

void TimelineWidget::zoom(double factor, WallTime fixed) {
    setRange(m_range.zoomed(factor, m_flow == Flow::Following ? m_range.to : fixed));
}

void TimelineWidget::pan(double share) {
    setRange({m_range.at(share), m_range.at(1 + share)});
    setFlow(Flow::Still);
}

void TimelineWidget::zoomIn() {
    zoom(1 / zoomStep, m_range.at(0.5));
}

void TimelineWidget::zoomOut() {
    zoom(zoomStep, m_range.at(0.5));
}

void TimelineWidget::showAll() {
    const WallTime to = present();
    const WallTime from = m_history.oldest().value_or(to - m_options.span);
    const TimeRange all{std::min(from, to - TimeRange::shortest), to};
    setRange(all.zoomed(1, to));
    m_lanes.want(LaneStack::Choice::Free);
}

void TimelineWidget::showAllOf(const LockName& name) {
    const std::optional<LaneHistory> lane = m_history.lane(name);
    if (!lane)
        return;
    const TimeRange all = lane->extent(present());
    const auto margin = std::max<WallTime::duration>(all.length() / edgeShare, TimeRange::shortest);
    const bool isHeld = !lane->open.isEmpty();
    setRange(TimeRange{all.from - margin, isHeld ? all.to : all.to + margin}.zoomed(1, all.to));
    if (!isHeld)
        setFlow(Flow::Still);
}

void TimelineWidget::retranslate() {
    setAccessibleName(tr("Timeline of locks"));
    describe();
    update();
}

void TimelineWidget::describe() {
    setAccessibleDescription(m_lanes.isEmpty() ? emptyTimelineText(m_time)
                                               : tr("%Ln lock(s), a lane each; %1 to %2.", nullptr, m_lanes.count())
                                                     .arg(clockText(m_range.from, m_time.wallNow()),
                                                          clockText(m_range.to, m_time.wallNow())));
}

bool TimelineWidget::timeChangesPicture() const {
    const bool presentInSight = m_flow == Flow::Following || m_range.contains(present());
    return m_time.isLive() && presentInSight && m_lanes.reachPresent();
}

void TimelineWidget::tick() {
    if (!isVisible() || window()->isMinimized()) {
        m_ticker.set(Ticker::State::Idle);
        return;
    }
    // With a wide range most ticks move nothing by as much as a column.
    const double moved = m_range.endingAt(present()).fraction(m_range.to);
    if (m_flow == Flow::Still || (1 - moved) * m_lanes.places().columns() >= 1)
        refresh();
}

bool TimelineWidget::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text =
        m_lanes.spotAt(help->pos()).text(TimelineWords(present(), m_time.wallNow(), m_aliases), m_names);
    QToolTip::showText(help->globalPos(), helpTip(shortened(text, longestTimelineTip)), this);
    return true;
}

void TimelineWidget::paintEvent(QPaintEvent*) {
    moveOn();
    if (m_lanes.layOut({m_range, present(), m_time.wallNow()}))
        describe();
    QPainter painter(this);
    if (m_lanes.isEmpty()) {
        painter.setPen(toneColor(palette(), Tone::Quiet));
        painter.drawText(rect().adjusted(12, 0, -12, 0), static_cast<int>(Qt::AlignCenter | Qt::TextWordWrap),
                         emptyTimelineText(m_time));
    } else {
        TimelinePainter timeline(painter, palette(), fontMetrics(), m_lanes.places(), {*m_colors, m_aliases, m_names});
        timeline.paintAxis(m_range);
        timeline.paintLaneCount(m_lanes.count(), static_cast<int>(m_history.lanes().size()));
        const std::span<const PaintedLane> lanes = m_lanes.inSight();
        for (size_t i = 0; i < lanes.size(); ++i)
            timeline.paintLane(static_cast<int>(i), lanes[i]);
        timeline.paintPresent(m_range, present());
        for (const std::optional<WallTime>& at : {m_markedTime, m_crosshair})
            if (at)
                timeline.paintCrosshair(m_range, *at, preciseClockText(*at, m_time.wallNow()));
    }
    if (hasFocus()) {
        QStyleOptionFocusRect option;
        option.initFrom(this);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
    }
    // Each change of the picture causes a paint, so it is enough to check here.
    m_ticker.set(timeChangesPicture() ? Ticker::State::Running : Ticker::State::Idle);
}

void TimelineWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    chooseLanes();
    m_lanes.fitScrollBar();
}

void TimelineWidget::enterEvent(QEnterEvent* event) {
    QWidget::enterEvent(event);
    m_isPointedAt = true;
}

void TimelineWidget::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_isPointedAt = false;
    m_crosshair.reset();
    Q_EMIT crosshairMoved(m_crosshair);
    chooseLanes();
    update();
}

void TimelineWidget::pointAt(const QPoint& position) {
    const int column = m_lanes.places().columnAt(position.x());
    const bool isOverLanes = column >= 0 && column < m_lanes.places().columns();
    m_crosshair = isOverLanes ? std::optional(m_range.at(static_cast<double>(column) / m_lanes.places().columns()))
                              : std::nullopt;
    Q_EMIT crosshairMoved(m_crosshair);
    update();
}

void TimelineWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        update();
}

// ---- mouse and keys ----

void TimelineWidget::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    const bool sideways = std::abs(turned.x()) > std::abs(turned.y());
    if (!sideways && m_lanes.places().columnAt(qRound(event->position().x())) < 0) {
        m_lanes.scrollBy(turned.y() < 0 ? 1 : -1);
        return event->accept();
    }
    if (sideways || event->modifiers().testFlag(Qt::ShiftModifier)) {
        pan(-panStep * (sideways ? turned.x() : turned.y()) / wheelNotch);
    } else {
        const int column = m_lanes.places().columnAt(qRound(event->position().x()));
        zoom(std::pow(zoomStep, -turned.y() / wheelNotch),
             m_range.at(static_cast<double>(std::max(column, 0)) / std::max(m_lanes.places().columns(), 1)));
    }
    event->accept();
}

void TimelineWidget::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        m_drag = Drag{event->pos(), m_range, false};
    QWidget::mousePressEvent(event);
    event->accept();
}

void TimelineWidget::mouseMoveEvent(QMouseEvent* event) {
    pointAt(event->pos());
    if (!m_drag)
        return;
    const int moved = event->pos().x() - m_drag->from.x();
    if (!m_drag->moving && std::abs(moved) < QApplication::startDragDistance())
        return;
    m_drag->moving = true;
    setCursor(Qt::ClosedHandCursor);
    setFlow(Flow::Still);
    const double share = -static_cast<double>(moved) / std::max(m_lanes.places().columns(), 1);
    setRange({m_drag->range.at(share), m_drag->range.at(1 + share)});
}

void TimelineWidget::mouseReleaseEvent(QMouseEvent* event) {
    const std::optional<Drag> drag = std::exchange(m_drag, std::nullopt);
    unsetCursor();
    if (!drag)
        return;
    m_restTimer.start(laneRest);
    if (!drag->moving)
        click(event->pos());
}

void TimelineWidget::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoomIn();
        case Qt::Key_Minus:
            return zoomOut();
        case Qt::Key_Left:
            return pan(-panStep);
        case Qt::Key_Right:
            return pan(panStep);
        case Qt::Key_Up:
            return m_lanes.scrollBy(-1);
        case Qt::Key_Down:
            return m_lanes.scrollBy(1);
        case Qt::Key_PageUp:
            return m_lanes.scrollByPages(-1);
        case Qt::Key_PageDown:
            return m_lanes.scrollByPages(1);
        case Qt::Key_Home:
            setRange(m_range.moved(m_history.oldest().value_or(m_range.from) - m_range.from));
            return setFlow(Flow::Still);
        case Qt::Key_End:
            return setFlow(Flow::Following);
        case Qt::Key_Space:
            return setFlow(m_flow == Flow::Following ? Flow::Still : Flow::Following);
        default:
            QWidget::keyPressEvent(event);
    }
}

// When opened by key, the menu is about the selected lock.
void TimelineWidget::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const QPoint position = byKey ? m_lanes.showSelected() : event->pos();
    // Copied: a receiver of the signal may change the lanes.
    if (const LaneSpot spot = m_lanes.spotAt(position); spot.lane)
        Q_EMIT menuWanted(LockName(spot.lane->name), mapToGlobal(position));
}

void TimelineWidget::click(const QPoint& position) {
    const LaneSpot spot = m_lanes.spotAt(position);
    if (!spot.lane)
        return;
    // Copied: a receiver of the signals may change the lanes.
    const LockName name = spot.lane->name;
    const std::optional<WallTime> at = spot.event();
    Q_EMIT lockChosen(name);
    if (at)
        Q_EMIT eventChosen(name, *at);
}

}  // namespace lockkeeper::ui

#include "moc_timelinewidget.cpp"
