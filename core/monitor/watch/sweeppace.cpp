#include "monitor/watch/sweeppace.h"

#include <algorithm>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

// However little of a call seems to be the server's own work, so much of it counts: round trips vary.
constexpr int leastShareOfCall = 8;

}  // namespace

SweepPace::SweepPace(std::optional<qint64> keys, std::chrono::nanoseconds roundTrip, int serverShare)
    : m_small(keys && *keys < smallKeyspace), m_roundTrip(roundTrip), m_serverShare(std::clamp(serverShare, 1, 100)) {}

std::chrono::nanoseconds SweepPace::pauseAfter(std::chrono::nanoseconds call) const {
    if (m_small)
        return 0ns;
    const std::chrono::nanoseconds serversPart = std::max(call - m_roundTrip, call / leastShareOfCall);
    return serversPart * (100 - m_serverShare) / m_serverShare;
}

double scannedShare(const QByteArray& cursor) {
    quint64 number = cursor.toULongLong();
    double share = 0;
    for (double weight = 0.5; number != 0; weight /= 2) {
        share += number & 1U ? weight : 0;
        number >>= 1U;
    }
    return share;
}

}  // namespace lockkeeper::monitor
