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
    Disconnected,  // nothing was requested, or the user disconnected
    Connecting,    // first attempt under way
    Connected,
    Reconnecting,  // was connected, and keeps trying; the shown state is old
    Failed         // the first attempt failed; nothing is being tried
};

// The state of a session's connection to its server. Immutable value.
struct ConnectionStatus {
    ConnectionPhase phase = ConnectionPhase::Disconnected;
    // The next two fields stay when the session is disconnected.
    profile::ProfileId profile;  // the profile of the history; empty for the demo, whose past is not kept
    QString server;              // "host:port/db", without secrets; "demo" if isDemo
    bool isDemo = false;
    bool isRecording = false;  // a replay: what was seen at that time, without a server. Never live
    // "host:port" of the present master, where it may change; for a replica its master, if the replica names one
    QString master;
    bool isReplica = false;      // the server accepts no writes
    bool isClusterNode = false;  // the single watched server is a node of a Cluster: the other nodes are not watched
    QString serverVersion;       // "7.0.15"; empty when not known
    bool readOnly = false;
    bool pinned = false;         // certificates are compared with pinned ones, and not verified in another way
    std::optional<Error> error;  // why Failed or Reconnecting
    // Connected: all nodes of a Cluster are lost, or serve no keys, so everything that is shown is old
    bool watchesNothing = false;
    WallTime lastHeard{};  // Reconnecting, or if it watches nothing: the time of the shown state
    // Reconnecting: when the next attempt begins, by the engine's clock; nothing while one is under way
    std::optional<SteadyTime> nextAttempt;

    friend bool operator==(const ConnectionStatus&, const ConnectionStatus&) = default;
};

// Whether what is shown is the present state of the server, or of the time of a recording.
[[nodiscard]] inline bool isLive(const ConnectionStatus& status) {
    return status.phase == ConnectionPhase::Connected && !status.watchesNothing;
}

// The answer to an operation that names no open session.
[[nodiscard]] inline Error notConnected() {
    return Error(ErrorCode::ConnectionLost, Cause::NotConnected);
}

}  // namespace lockkeeper

Q_DECLARE_METATYPE(lockkeeper::ConnectionStatus)
