// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/clients/clientcolors.h"
#include "ui/timeline/lanegeometry.h"
#include "ui/timeline/timelinelayout.h"
#include "ui/words/holderaliases.h"
#include "ui/words/programnames.h"

#include <QFontMetrics>
#include <QPalette>

class QPainter;

namespace lockkeeper::ui {

enum class LaneRank { Other, Selected };

struct PaintedLane {
    LockName name;
    LaneRank rank = LaneRank::Other;
    bool isPinned = false;
    LaneGeometry geometry;
};

// How holders and locks are shown. Outlive the painter.
struct HolderLooks {
    const ClientColors& colors;
    const HolderAliases& aliases;
    const ProgramNames& names;
};

// Draws lanes that have a geometry already. All colors come from the palette.
class TimelinePainter {
public:
    // Both outlive it; layout: of the whole.
    TimelinePainter(QPainter& painter, const QPalette& palette, const QFontMetrics& metrics, TimelineLayout layout,
                    const HolderLooks& holders);

    void paintAxis(const TimeRange& range);
    void paintLane(int index, const PaintedLane& lane);
    // Below the names of the lanes, where nothing else is.
    void paintLaneCount(int shown, int all);
    void paintPresent(const TimeRange& range, WallTime now);
    // A line through all lanes, with its time on the axis.
    void paintCrosshair(const TimeRange& range, WallTime at, const QString& time);
    // The name of a lane in so many lines of this width; in the middle of it dots stand for what has no room.
    [[nodiscard]] static QStringList nameLines(const QFontMetrics& metrics, const QString& name, int width, int most);
    // Paints a mark as it stands in a lane, for a legend.
    static void paintSample(QPainter& painter, const QPalette& palette, MarkKind kind, const QRectF& box);
    static void paintGap(QPainter& painter, const QPalette& palette, const QRect& place);
    static void paintOverdue(QPainter& painter, const QPalette& palette, const QRect& place);

private:
    void paintName(int index, const PaintedLane& lane);
    void paintGaps(int index, const LaneGeometry& geometry);
    void paintBar(int index, const Bar& bar, int tracks);
    void paintBarText(int index, const Bar& bar, int tracks);
    void paintLease(int index, const LaneGeometry& geometry);
    void paintWaiters(int index, const LaneGeometry& geometry);
    void paintMark(int index, const Mark& mark);
    void paintOverdue(int index, const LaneGeometry& geometry);
    void paintLabels(int index, const LaneGeometry& geometry);
    [[nodiscard]] QRect placeOf(int index, const Bar& bar, int tracks) const;
    [[nodiscard]] QColor toned(double share) const;

    QPainter& m_painter;
    const QPalette& m_palette;
    QFontMetrics m_metrics;
    TimelineLayout m_layout;
    HolderLooks m_holders;
};

}  // namespace lockkeeper::ui
