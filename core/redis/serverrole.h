// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "redis/respvalue.h"

#include <QList>
#include <QString>

#include <optional>

namespace lockkeeper::redis {

// A replica as its master sees it.
struct Replica {
    QString address;    // "host:port"
    qint64 behind = 0;  // bytes of changes that it has not confirmed yet; it confirms once a second

    friend bool operator==(const Replica&, const Replica&) = default;
};

// Whether a replica is connected to its master, and receives its changes.
enum class MasterLink { NotKnown, Up, Down };

// The place of a server in replication: its answer to ROLE, or to INFO replication.
struct LOCKKEEPER_EXPORT ServerRole {
    QByteArray name;  // as the server names it: "master", "slave", "sentinel"; empty if the reply has another form
    QList<Replica> replicas;  // of a master: those that are connected and in step; INFO does not fill it
    QString masterHost;       // of a replica; empty if it names none
    quint16 masterPort = 0;
    MasterLink masterLink = MasterLink::NotKnown;  // of a replica
    // By INFO, while the link is up: when the replica last received something from its master, in whole seconds,
    // rounded down. A master without changes says something every 10 s by default.
    std::optional<std::chrono::seconds> silence;

    [[nodiscard]] static ServerRole of(const RespValue& answer);
    [[nodiscard]] bool isMaster() const { return name == "master"; }
    [[nodiscard]] bool isReplica() const { return name == "slave"; }
    // Of a replica: "host:port" of its master; empty if it names none.
    [[nodiscard]] QString master() const;

    friend bool operator==(const ServerRole&, const ServerRole&) = default;
};

// Why a connection that wants a master does not use the server.
[[nodiscard]] LOCKKEEPER_EXPORT Error notMaster(const ServerRole& role);
// Why a replica without its master is not used. master: "host:port"; empty if not known.
[[nodiscard]] LOCKKEEPER_EXPORT Error masterLinkLost(const QString& master);

}  // namespace lockkeeper::redis
