// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lab/labids.h"

#include <QByteArrayList>

#include <variant>
#include <vector>

namespace lockkeeper::lab {

// What a laboratory can do to its actors and servers. Each is applied by Laboratory::apply().

// ---- an actor ----
// As SIGSTOP: it does nothing any more, and its watchdog neither. Its connections stay open.
struct FreezeActor {
    ActorName actor;
};
struct ResumeActor {
    ActorName actor;
};
// As SIGKILL: its connections end, and nothing is released.
struct CrashActor {
    ActorName actor;
};
// Nothing passes between it and the servers, and neither of them gets an error. Mending delivers what was sent.
struct CutNetwork {
    ActorName actor;
};
struct MendNetwork {
    ActorName actor;
};
// Whatever it sends, and each answer, takes this long from now on, also the opening of a connection; 0: no longer than it
// does by itself.
struct DelayNetwork {
    ActorName actor;
    Milliseconds by{0};
};
// The next script is executed, but its answer is lost with the connection.
struct LoseAnswer {
    ActorName actor;
};
// Its wall clock is this much ahead from now on.
struct JumpClock {
    ActorName actor;
    Milliseconds by{0};
};

// ---- a server, or the Sentinel ----
// As SIGSTOP: connections stay open, but it is silent.
struct FreezeServer {
    ServerNumber server{};
};
struct ResumeServer {
    ServerNumber server{};
};
// As a crash. Without persistence its data are lost.
struct KillServer {
    ServerNumber server{};
};
// Of a killed server.
struct RestartServer {
    ServerNumber server{};
};

// ---- a server ----
// Nothing passes between it, with these actors, and all other servers, actors and the Sentinel; nobody gets an error, and
// it lives on. Rejoining delivers what was sent.
struct PartitionServer {
    ServerNumber server{};
    std::vector<ActorName> with;
};
struct RejoinServer {
    ServerNumber server{};
};
// Of a pair: the replica becomes the master. The Sentinel does it, if there is one. Without one, who connects to the old
// master is led to the new one.
struct PromoteReplica {};
// Of a pair: what the master sends to its replica does not arrive. It counts the replica as connected.
struct HoldReplication {};
struct ResumeReplication {};

// Of a Cluster: the slot of this name, with its keys, as redis-cli --cluster reshard does.
struct MoveSlot {
    LockName name;
    ServerNumber from{};
    ServerNumber to{};
};

// A command that a person sends to a server: DEL, PUBLISH, FLUSHALL, SCRIPT FLUSH.
struct ByHand {
    ServerNumber server{};
    QByteArrayList command;
};

using Fault =
    std::variant<FreezeActor, ResumeActor, CrashActor, CutNetwork, MendNetwork, DelayNetwork, LoseAnswer, JumpClock,
                 FreezeServer, ResumeServer, KillServer, RestartServer, PartitionServer, RejoinServer,
                 PromoteReplica, HoldReplication, ResumeReplication, MoveSlot, ByHand>;

}  // namespace lockkeeper::lab
