#include "monitor/blindspots.h"

namespace lockkeeper::monitor {

QList<BlindSpot> blindSpotsOf(ObservationMode source) {
    switch (source) {
        case ObservationMode::None:
            return {};
        case ObservationMode::Tracking:
            return {BlindSpot::FastChanges, BlindSpot::UnknownNames};
        case ObservationMode::KeyspaceEvents:
            return {BlindSpot::FastChanges, BlindSpot::FairQueues, BlindSpot::UnknownNames};
        case ObservationMode::Polling:
            return {BlindSpot::BetweenPolls, BlindSpot::UnknownNames};
    }
    return {};
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
