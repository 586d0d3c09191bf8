// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArrayView>

#include <optional>

namespace lockkeeper::monitor {

// What the answer to INFO says about the clients of this server.
struct ServerFigures {
    std::optional<quint64> noScriptErrors;  // since its start; nothing: the server does not count them (before 6.2)
    std::optional<int> replicas;            // connected; nothing: it is a replica itself

    std::optional<quint64> swaps;           // calls of SWAPDB since its start
    std::optional<qint64> commandsPerSecond;

    friend bool operator==(const ServerFigures&, const ServerFigures&) = default;
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT ServerFigures parseServerFigures(QByteArrayView info);

}  // namespace lockkeeper::monitor
