#include "monitor/format/blindspots.h"

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

QString wordFor(ObservationMode source) {
    switch (source) {
        case ObservationMode::None:
            return QStringLiteral("none");
        case ObservationMode::Tracking:
            return QStringLiteral("tracking");
        case ObservationMode::KeyspaceEvents:
            return QStringLiteral("keyspace_events");
        case ObservationMode::Polling:
            return QStringLiteral("polling");
    }
    return {};
}

QString wordFor(BlindSpot spot) {
    switch (spot) {
        case BlindSpot::FastChanges:
            return QStringLiteral("fast_changes");
        case BlindSpot::FairQueues:
            return QStringLiteral("fair_queues");
        case BlindSpot::BetweenPolls:
            return QStringLiteral("between_polls");
        case BlindSpot::UnknownNames:
            return QStringLiteral("unknown_names");
    }
    return {};
}

}  // namespace lockkeeper::monitor
