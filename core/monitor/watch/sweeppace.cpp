#include "monitor/watch/sweeppace.h"

#include <algorithm>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

// However little of a call seems to be the server's own work, so much of it counts: round trips vary.
constexpr int leastShareOfCall = 8;
// A timer is not finer. Calls that are paid for by a pause so short go as fast as calls of many keys do, and hold
// others up for less.
constexpr std::chrono::nanoseconds shortestPause = 1ms;
// How much one call teaches about the next.
constexpr double newestCall = 1.0 / 16;

}  // namespace

SweepPace::SweepPace(std::optional<qint64> keys, std::chrono::nanoseconds roundTrip, int serverShare)
    : m_small(keys && *keys < smallKeyspace), m_roundTrip(roundTrip), m_serverShare(std::clamp(serverShare, 1, 100)) {}

int SweepPace::count() const {
    if (!isPaced() || !m_costOfKey)
        return mostKeys;
    // The further away the server is, the more a call may do: there are fewer of them.
    const std::chrono::nanoseconds mayTake = (shortestPause + m_roundTrip) * m_serverShare / (100 - m_serverShare);
    const double keys = static_cast<double>(mayTake.count()) / std::max(*m_costOfKey, 1.0);
    return static_cast<int>(std::clamp(keys, double{fewestKeys}, double{mostKeys}));
}

std::chrono::nanoseconds SweepPace::pauseAfter(std::chrono::nanoseconds call) {
    if (!isPaced())
        return 0ns;
    const std::chrono::nanoseconds serversPart = std::max(call - m_roundTrip, call / leastShareOfCall);
    const double costOfKey = static_cast<double>(serversPart.count()) / count();
    m_costOfKey = m_costOfKey ? *m_costOfKey + (costOfKey - *m_costOfKey) * newestCall : costOfKey;
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
