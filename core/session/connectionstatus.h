// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/error.h"
#include "profile/profileid.h"

#include <QMetaType>
#include <QString>

#include <optional>

namespace lockkeeper {

enum class ConnectionPhase {
    Disconnected,  // nothing was asked for, or the user disconnected
    Connecting,    // first attempt under way
    Connected,
    Reconnecting,  // was connected, is not now; keeps trying by itself. What is on screen is old
    Failed         // the first attempt failed; nothing is being tried
};

// How a session and its server stand. Immutable value.
struct ConnectionStatus {
    ConnectionPhase phase = ConnectionPhase::Disconnected;
    // These two stay when the session is disconnected.
    profile::ProfileId profile;  // whose history this is; empty for the demo, whose past is not kept
    QString server;              // "host:port/db", without secrets; "demo" if isDemo
    bool isDemo = false;
    bool isRecording = false;    // a replay: what was seen then, without a server. Never live
    // "host:port" of the present master, where it is not always the same server; of a replica its master, if it names one
    QString master;
    bool isReplica = false;      // the server takes no writes
    bool isClusterNode = false;  // the one server that is watched is a node of a Cluster: the others are not watched
    QString serverVersion;       // "7.0.15"; empty when not known
    bool readOnly = false;
    bool pinned = false;         // certificates are compared with pinned ones, and not verified otherwise
    std::optional<Error> error;  // why Failed or Reconnecting
    WallTime lastHeard{};        // Reconnecting: up to when the screen is true
    // Reconnecting: when the next attempt begins, by the engine's clock; nothing while one is under way
    std::optional<SteadyTime> nextAttempt;

    friend bool operator==(const ConnectionStatus&, const ConnectionStatus&) = default;
};

// How an operation is answered that names no open session.
[[nodiscard]] inline Error notConnected() {
    return Error(ErrorCode::ConnectionLost, Cause::NotConnected);
}

}  // namespace lockkeeper

Q_DECLARE_METATYPE(lockkeeper::ConnectionStatus)
