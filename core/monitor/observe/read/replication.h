// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "topology/deployment.h"

#include <QByteArrayView>

#include <optional>

namespace lockkeeper::monitor {

// The server's place in replication by the answer to INFO. A field that the server does not report is empty or absent.
struct Replication {
    static constexpr int mostListed = 64;  // of a server's replicas

    bool isMaster = false;
    QByteArray runId;                   // of this server, since its start
    QByteArray replicationId;           // of the data: a master and its replicas have the same one
    std::optional<int> connected;       // replicas of this server
    QList<topology::Address> replicas;  // of the listed ones, those with an address

    friend bool operator==(const Replication&, const Replication&) = default;
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Replication parseReplication(QByteArrayView info);

}  // namespace lockkeeper::monitor
