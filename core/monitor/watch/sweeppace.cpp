#include "monitor/watch/sweeppace.h"

#include <algorithm>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

constexpr int pausePerCall = 19;  // 1 : 19 is 5 %
// However little of a call seems to be the server's own work, so much of it counts: round trips vary.
constexpr int leastShareOfCall = 8;

}  // namespace

SweepPace::SweepPace(std::optional<qint64> keys, std::chrono::nanoseconds roundTrip)
    : m_small(keys && *keys < smallKeyspace), m_roundTrip(roundTrip) {}

std::chrono::nanoseconds SweepPace::pauseAfter(std::chrono::nanoseconds call) const {
    if (m_small)
        return 0ns;
    return pausePerCall * std::max(call - m_roundTrip, call / leastShareOfCall);
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
