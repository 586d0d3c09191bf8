// SPDX-License-Identifier: Apache-2.0
#include "session/linkstatus.h"

namespace lockkeeper {

namespace {

using Phase = recording::LinkStatus::Phase;

Phase phaseOf(ConnectionPhase phase) {
    switch (phase) {
        case ConnectionPhase::Connecting:
            return Phase::Connecting;
        case ConnectionPhase::Connected:
            return Phase::Connected;
        case ConnectionPhase::Reconnecting:
            return Phase::Reconnecting;
        case ConnectionPhase::Failed:
            return Phase::Failed;
        case ConnectionPhase::Disconnected:
            break;
    }
    return Phase::Disconnected;
}

ConnectionPhase phaseOf(Phase phase) {
    switch (phase) {
        case Phase::Connecting:
            return ConnectionPhase::Connecting;
        case Phase::Connected:
            return ConnectionPhase::Connected;
        case Phase::Reconnecting:
            return ConnectionPhase::Reconnecting;
        case Phase::Failed:
            return ConnectionPhase::Failed;
        case Phase::Disconnected:
            break;
    }
    return ConnectionPhase::Disconnected;
}

}  // namespace

recording::LinkStatus linkStatusOf(const ConnectionStatus& status) {
    recording::LinkStatus link;
    link.phase = phaseOf(status.phase);
    link.server = status.server;
    link.isDemo = status.isDemo;
    link.master = status.master;
    link.isReplica = status.isReplica;
    link.isClusterNode = status.isClusterNode;
    link.serverVersion = status.serverVersion;
    link.error = status.error;
    link.lastHeard = status.lastHeard;
    link.watchesNothing = status.watchesNothing;
    return link;
}

ConnectionStatus replayedStatus(const recording::LinkStatus& link) {
    ConnectionStatus status;
    status.phase = phaseOf(link.phase);
    status.server = link.server;
    status.isDemo = link.isDemo;
    status.isRecording = true;
    status.master = link.master;
    status.isReplica = link.isReplica;
    status.isClusterNode = link.isClusterNode;
    status.serverVersion = link.serverVersion;
    status.readOnly = true;
    status.error = link.error;
    status.lastHeard = link.lastHeard;
    status.watchesNothing = link.watchesNothing;
    return status;
}

}  // namespace lockkeeper
