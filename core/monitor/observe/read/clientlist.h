// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArray>
#include <QList>

#include <optional>

namespace lockkeeper::monitor {

// One connection, as CLIENT LIST reports it. A field that a server does not report stays empty.
struct ClientListEntry {
    qint64 id = 0;
    QByteArray address;  // "10.0.0.7:53422"; on a Unix socket its path and ":0", the same for all connections
    QByteArray name;
    QByteArray user;
    QByteArray flags;                              // one letter each: M master, S replica, O monitor, P pub/sub, N none
    int subscriptions = 0;                         // channels, patterns and sharded channels together
    std::optional<int> shardedSubscriptions = {};  // nothing: the server does not report it (before 7.0.3)

    friend bool operator==(const ClientListEntry&, const ClientListEntry&) = default;
};

// Lines without an address are left out, unknown fields are skipped.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<ClientListEntry> parseClientList(QByteArrayView text);

}  // namespace lockkeeper::monitor
