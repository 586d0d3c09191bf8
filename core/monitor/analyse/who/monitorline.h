// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArrayList>

#include <chrono>
#include <optional>

namespace lockkeeper::monitor {

// One line of MONITOR: who sent which command. `1700000000.123456 [0 127.0.0.1:53422] "EVALSHA" "..." "UUID:THREAD"`
struct LOCKKEEPER_MONITOR_EXPORT MonitorLine {
    QByteArray
        address;  // as the server writes it: "10.0.0.7:53422", "[::1]:53422", "unix:/path", "lua" from within a script
    QByteArrayList arguments;           // the command's name first; exactly the bytes that were sent
    std::chrono::microseconds time{0};  // since 1970, by the server's clock
    int database = 0;
    bool isWhole = true;  // the line was not cut off within its arguments, and nothing else follows

    // Whether a script sent the command, not a client.
    [[nodiscard]] bool isOfScript() const { return address == "lua"; }

    // Nothing if this is not a line of MONITOR, or if it has more arguments than a client of a lock ever sends. For a
    // line that was cut off, the complete arguments only.
    [[nodiscard]] static std::optional<MonitorLine> parse(QByteArrayView line);

    friend bool operator==(const MonitorLine&, const MonitorLine&) = default;
};

// The time at the begin of a line of MONITOR, since 1970; nothing if there is none.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<std::chrono::microseconds> monitorTimeIn(QByteArrayView line);

// Whether the line is a script that its sender runs as this client: acquire, renew, release. A client that breaks a
// lock also sends the holder's id, and a client that watches a lock subscribes to channels with such ids; neither line
// counts.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool actsAs(const ClientId& client, const MonitorLine& line);

}  // namespace lockkeeper::monitor
