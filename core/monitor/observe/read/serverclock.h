// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArrayView>

#include <optional>

namespace lockkeeper::monitor {

// The server's clock in the answer to INFO.
struct ServerTime {
    std::chrono::microseconds time{};  // since the epoch, or since the server's start
    std::chrono::microseconds step{};  // the server's clock is shown in steps of this

    friend bool operator==(const ServerTime&, const ServerTime&) = default;
};

// Nothing if the answer contains no time.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<ServerTime> parseServerTime(QByteArrayView info);

// Whether the server's clock, by which leases end, keeps pace with the steady clock of this program. It jumps when it
// is set, and after its machine has stood still. A value.
class LOCKKEEPER_MONITOR_EXPORT ServerClock {
public:
    // askedAt, answeredAt: the time was read between these two.
    void note(const ServerTime& time, SteadyTime askedAt, SteadyTime answeredAt);
    // Whether it has kept pace from then until the last reading. False if it was not read before then.
    [[nodiscard]] bool hasKeptPaceSince(SteadyTime since) const;
    // When the last reading was asked for; SteadyTime::min() if there was none.
    [[nodiscard]] SteadyTime readAt() const { return m_last ? m_last->askedAt : SteadyTime::min(); }

private:
    struct Reading {
        ServerTime server;
        SteadyTime askedAt;
        SteadyTime answeredAt;
    };

    [[nodiscard]] static bool keepPace(const Reading& before, const Reading& after);

    std::optional<Reading> m_last;
    SteadyTime m_even = SteadyTime::max();  // it has kept pace since then
};

}  // namespace lockkeeper::monitor
