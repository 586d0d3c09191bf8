// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelineoptions.h"

#include "ui/base/storedvalues.h"
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

TimelineOptions TimelineOptions::load(QSettings& settings) {
    TimelineOptions options;
    if (const std::optional<qint64> height = storedNumber(settings, heightKey, 0, static_cast<int>(LaneHeight::High)))
        options.laneHeight = static_cast<LaneHeight>(*height);
    if (storedSwitch(settings, lastingKey).value_or(false))
        options.order = PresentLanes::Order::Lasting;
    if (const std::optional<qint64> count = storedNumber(settings, countKey, fewestLanes, mostLanes))
        options.count = static_cast<int>(*count);
    if (const std::optional<qint64> span =
            storedNumber(settings, spanKey, TimeRange::shortest.count(), TimeRange::longest.count()))
        options.span = Milliseconds(*span);
    return options;
}

void TimelineOptions::save(QSettings& settings) const {
    settings.setValue(heightKey, static_cast<int>(laneHeight));
    settings.setValue(lastingKey, order == PresentLanes::Order::Lasting);
    settings.setValue(countKey, count);
    settings.setValue(spanKey, qint64{span.count()});
}

}  // namespace lockkeeper::ui
