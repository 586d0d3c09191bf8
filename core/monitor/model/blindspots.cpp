#include "monitor/model/blindspots.h"

namespace lockkeeper::monitor {

QList<BlindSpot> blindSpotsOf(const MonitorStats& stats) {
    if (stats.observation == ObservationMode::None)
        return {};
    QList<BlindSpot> spots;
    const bool polls = stats.observation == ObservationMode::Polling;
    spots += polls ? BlindSpot::BetweenPolls : BlindSpot::FastChanges;
    if (!polls && !stats.hearsFairQueues)
        spots += BlindSpot::FairQueues;
    if (!stats.hearsNewNames)
        spots += BlindSpot::UnknownNames;
    return spots;
}

}  // namespace lockkeeper::monitor
