// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/sweeppace.h"

#include <algorithm>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

// At least this fraction (1/8) of a call counts as the server's own work: round trips vary.
constexpr int leastShareOfCall = 8;
// A call should be so short that a pause of this length after it is enough. Longer calls find no more keys in the same
// time and delay other clients longer. Timers are hardly finer than this.
constexpr std::chrono::nanoseconds shortPause = 500us;
// A command that waits no longer than this is hardly delayed. Used for later sweeps, whose pauses are longer.
constexpr std::chrono::nanoseconds unnoticed = 50us;
// About what a server needs to receive and answer any command; the main part of a short call.
constexpr std::chrono::nanoseconds costOfAnyCall = 50us;
// It is acceptable that one command in this many waits behind a long call.
constexpr int rarely = 100;
constexpr quint64 callsPerMeasure = 256;

}  // namespace

SweepPace::SweepPace(std::optional<qint64> keys, std::chrono::nanoseconds roundTrip, int serverShare, Sweep sweep)
    : m_keys(keys),
      m_small(keys && *keys < smallKeyspace),
      m_roundTrip(roundTrip),
      m_serverShare(std::clamp(serverShare, 1, 100)),
      m_sweep(sweep) {}

bool SweepPace::isMeasuring() const {
    return m_calls % callsPerMeasure == 0;
}

// Whether the sweep needs only a small part of the time until the next one: a few long calls are then better than many.
bool SweepPace::isSoonOver() const {
    const std::chrono::nanoseconds least = startToStart / rarely;
    return m_keys && static_cast<double>(*m_keys) * m_costOfKey <= static_cast<double>(least.count());
}

int SweepPace::count() const {
    if (!isMeasured() || isMeasuring() || isSoonOver())
        return mostKeys;
    const double keys = static_cast<double>(longestCall().count()) / std::max(m_costOfKey, 1.0);
    return static_cast<int>(std::clamp(keys, double{fewestKeys}, double{mostKeys}));
}

// A distant server gets fewer calls, so each may be longer; its clients are used to longer round trips.
std::chrono::nanoseconds SweepPace::longestCall() const {
    const std::chrono::nanoseconds byShare = (shortPause + m_roundTrip) * m_serverShare / (100 - m_serverShare);
    return m_sweep == Sweep::First ? byShare : std::max({byShare, unnoticed, m_roundTrip});
}

std::chrono::nanoseconds SweepPace::pauseAfter(std::chrono::nanoseconds call, std::chrono::nanoseconds late) {
    if (!isPaced())
        return 0ns;
    const int scanned = count();
    if (!isMeasured())
        return std::chrono::nanoseconds(smallSweep) * scanned / smallKeyspace - call - late;
    const std::chrono::nanoseconds least = call / leastShareOfCall;
    std::chrono::nanoseconds serversPart = std::max(call - m_roundTrip, least);
    if (isMeasuring()) {
        learn(serversPart);
    } else {
        // The time of a short call depends on how slow this machine is: the part beyond the known cost of its keys is
        // hardly the server's work.
        const std::chrono::nanoseconds expected(static_cast<qint64>(m_costOfKey * scanned));
        serversPart = std::min(serversPart, std::max(expected, least)) + std::min(m_roundTrip, costOfAnyCall);
    }
    ++m_calls;
    const std::chrono::nanoseconds byShare = serversPart * (100 - m_serverShare) / m_serverShare;
    if (m_sweep == Sweep::First)
        return byShare;
    return std::max(byShare, std::chrono::nanoseconds(1s) * scanned / keysPerSecond - call - late);
}

// A disturbance makes a measurement longer, never shorter: so a lower cost is accepted at once, and a higher one only
// step by step.
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
