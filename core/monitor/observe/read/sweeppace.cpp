#include "monitor/observe/read/sweeppace.h"

#include <algorithm>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

// However little of a call seems to be the server's own work, so much of it counts: round trips vary.
constexpr int leastShareOfCall = 8;
// A call is to be paid for by a pause so short: longer calls find no more keys in the same time, and hold others up for
// longer. Timers are not much finer.
constexpr std::chrono::nanoseconds shortPause = 500us;
// Taking a command and answering it costs a server about so much, whatever it is; of a short call that is most.
constexpr std::chrono::nanoseconds costOfAnyCall = 50us;
// Who comes once in so many times behind a long call hardly minds.
constexpr int rarely = 100;
constexpr quint64 callsPerMeasure = 256;

}  // namespace

SweepPace::SweepPace(std::optional<qint64> keys, std::chrono::nanoseconds roundTrip, int serverShare)
    : m_keys(keys),
      m_small(keys && *keys < smallKeyspace),
      m_roundTrip(roundTrip),
      m_serverShare(std::clamp(serverShare, 1, 100)) {}

bool SweepPace::isMeasuring() const {
    return m_calls % callsPerMeasure == 0;
}

// Most of the time until the next sweep nothing is scanned: then few long calls are better than many.
bool SweepPace::isSoonOver() const {
    const std::chrono::nanoseconds least = startToStart / rarely;
    return m_keys && static_cast<double>(*m_keys) * m_costOfKey <= static_cast<double>(least.count());
}

int SweepPace::count() const {
    if (!isPaced() || isMeasuring() || isSoonOver())
        return mostKeys;
    // The further away the server is, the more a call may do: there are fewer of them.
    const std::chrono::nanoseconds mayTake = (shortPause + m_roundTrip) * m_serverShare / (100 - m_serverShare);
    const double keys = static_cast<double>(mayTake.count()) / std::max(m_costOfKey, 1.0);
    return static_cast<int>(std::clamp(keys, double{fewestKeys}, double{mostKeys}));
}

std::chrono::nanoseconds SweepPace::pauseAfter(std::chrono::nanoseconds call) {
    if (!isPaced())
        return 0ns;
    const std::chrono::nanoseconds least = call / leastShareOfCall;
    std::chrono::nanoseconds serversPart = std::max(call - m_roundTrip, least);
    if (isMeasuring()) {
        learn(serversPart);
    } else {
        // A short call takes as long as this machine lets it: what is beyond the keys' own cost is hardly the server's.
        const std::chrono::nanoseconds expected(static_cast<qint64>(m_costOfKey * count()));
        serversPart = std::min(serversPart, std::max(expected, least)) + std::min(m_roundTrip, costOfAnyCall);
    }
    ++m_calls;
    return serversPart * (100 - m_serverShare) / m_serverShare;
}

// Whatever disturbs a measure makes it longer: the shorter one is believed at once, a longer one by and by.
void SweepPace::learn(std::chrono::nanoseconds serversPart) {
    const double cost = static_cast<double>(serversPart.count()) / mostKeys;
    m_costOfKey = m_calls == 0 ? cost : std::min(cost, 2 * m_costOfKey);
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
