// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArrayView>

#include <optional>

namespace lockkeeper::monitor {

// The figures in the answer to INFO about the clients of this server.
struct ServerFigures {
    std::optional<quint64> noScriptErrors;  // since its start; nothing: the server does not count them (before 6.2)
    std::optional<int> replicas;            // connected replicas; nothing: the server itself is a replica

    std::optional<quint64> swaps;  // calls of SWAPDB since its start
    std::optional<qint64> commandsPerSecond;

    friend bool operator==(const ServerFigures&, const ServerFigures&) = default;
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT ServerFigures parseServerFigures(QByteArrayView info);

}  // namespace lockkeeper::monitor
