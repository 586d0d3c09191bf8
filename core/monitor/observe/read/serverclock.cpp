// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/serverclock.h"

#include "monitor/model/snapshotcompare.h"
#include "redis/infofield.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;
using std::chrono::microseconds;

// Before Redis 7.0 only the age of the server shows its clock, in seconds of the clock of day.
std::optional<ServerTime> parseServerTime(QByteArrayView info) {
    if (const std::optional<QByteArrayView> time = redis::infoField("server_time_usec", info))
        return ServerTime{microseconds(time->toLongLong()), 1us};
    if (const std::optional<QByteArrayView> age = redis::infoField("uptime_in_seconds", info))
        return ServerTime{std::chrono::seconds(age->toLongLong()), 1s};
    return std::nullopt;
}

void ServerClock::note(const ServerTime& time, SteadyTime askedAt, SteadyTime answeredAt) {
    const Reading now{time, askedAt, answeredAt};
    if (!m_last || !keepPace(*m_last, now))
        m_even = answeredAt;
    m_last = now;
}

bool ServerClock::hasKeptPaceSince(SteadyTime since) const {
    return m_even <= since;
}

bool ServerClock::keepPace(const Reading& before, const Reading& after) {
    constexpr auto inaccuracy = 50ms;  // the server caches its clock for some ms
    const auto passed = after.server.time - before.server.time;
    const auto least = after.askedAt - before.answeredAt;
    const auto most = after.answeredAt - before.askedAt;
    const auto tolerance =
        inaccuracy + before.server.step + after.server.step + driftBetween(before.askedAt, after.answeredAt);
    return passed >= least - tolerance && passed <= most + tolerance;
}

}  // namespace lockkeeper::monitor
