// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/blindspots.h"

namespace lockkeeper::monitor {

QList<BlindSpot> blindSpotsOf(const MonitorStats& stats) {
    if (stats.observation == ObservationMode::None)
        return {};
    QList<BlindSpot> spots;
    const bool polls = stats.observation == ObservationMode::Polling;
    spots += polls ? BlindSpot::BetweenPolls : BlindSpot::FastChanges;
    if (!polls && !stats.noticesFairQueues)
        spots += BlindSpot::FairQueues;
    if (!stats.noticesNewNames)
        spots += BlindSpot::UnknownNames;
    return spots;
}

}  // namespace lockkeeper::monitor
