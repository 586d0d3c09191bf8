// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelineoptions.h"

#include "ui/timeline/timelinelayout.h"

#include <QSettings>

namespace lockkeeper::ui {

namespace {

const auto heightKey = QStringLiteral("timeline/laneHeight");
const auto lastingKey = QStringLiteral("timeline/lastingLanes");
const auto countKey = QStringLiteral("timeline/lanes");
const auto spanKey = QStringLiteral("timeline/span");

}  // namespace

int TimelineOptions::lowestLane() const {
    switch (laneHeight) {
        case LaneHeight::Low:
            break;
        case LaneHeight::Medium:
            return 80;
        case LaneHeight::High:
            return TimelineLayout::highestLane;
    }
    return TimelineLayout::lowestLane;
}

TimelineOptions TimelineOptions::load(const QSettings& settings) {
    const TimelineOptions usual;
    TimelineOptions options;
    const int height = settings.value(heightKey, static_cast<int>(usual.laneHeight)).toInt();
    options.laneHeight = static_cast<LaneHeight>(std::clamp(height, 0, static_cast<int>(LaneHeight::High)));
    options.order = settings.value(lastingKey, false).toBool() ? PresentLanes::Order::Lasting : PresentLanes::Order::Free;
    options.count = std::clamp(settings.value(countKey, usual.count).toInt(), fewestLanes, mostLanes);
    const qint64 span = settings.value(spanKey, qint64{usual.span.count()}).toLongLong();
    options.span = std::clamp(Milliseconds(span), TimeRange::shortest, TimeRange::longest);
    return options;
}

void TimelineOptions::save(QSettings& settings) const {
    settings.setValue(heightKey, static_cast<int>(laneHeight));
    settings.setValue(lastingKey, order == PresentLanes::Order::Lasting);
    settings.setValue(countKey, count);
    settings.setValue(spanKey, qint64{span.count()});
}

}  // namespace lockkeeper::ui
