// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lab/labids.h"

#include <QByteArrayList>

#include <variant>
#include <vector>

namespace lockkeeper::lab {

// The faults that a laboratory can cause to its actors and servers. Laboratory::apply() applies them.

// ---- an actor ----
// As SIGSTOP: neither the actor nor its watchdog runs. Its connections stay open.
struct FreezeActor {
    ActorName actor;
};
struct ResumeActor {
    ActorName actor;
};
// As SIGKILL: the actor's connections end, and nothing is released.
struct CrashActor {
    ActorName actor;
};
// No bytes pass between the actor and the servers, and neither end gets an error. Mending delivers what was sent.
struct CutNetwork {
    ActorName actor;
};
struct MendNetwork {
    ActorName actor;
};
// From now on everything that the actor sends, and each answer, takes this long, also the opening of a connection. 0:
// no delay.
struct DelayNetwork {
    ActorName actor;
    Milliseconds by{0};
};
// The actor's next script is executed, but its answer is lost with the connection.
struct LoseAnswer {
    ActorName actor;
};
// The actor's wall clock is ahead by this time from now on.
struct JumpClock {
    ActorName actor;
    Milliseconds by{0};
};

// ---- a server, or the Sentinel ----
// As SIGSTOP: the server's connections stay open, but it does not answer.
struct FreezeServer {
    ServerNumber server{};
};
struct ResumeServer {
    ServerNumber server{};
};
// As a crash. Without persistence the server's data are lost.
struct KillServer {
    ServerNumber server{};
};
// Starts a killed server again.
struct RestartServer {
    ServerNumber server{};
};

// ---- a server ----
// No bytes pass between this side (the server and these actors) and all other servers, actors and the Sentinel. Nobody
// gets an error, and the server stays alive. Rejoining delivers what was sent.
struct PartitionServer {
    ServerNumber server{};
    std::vector<ActorName> with;
};
struct RejoinServer {
    ServerNumber server{};
};
// For a pair: the replica becomes the master. If there is a Sentinel, it does this. Without one, clients that connect
// to the old master are led to the new one.
struct PromoteReplica {};
// For a pair: what the master sends to its replica does not arrive, but the master counts the replica as connected.
struct HoldReplication {};
struct ResumeReplication {};

// For a Cluster: moves the slot of this name with its keys, as redis-cli --cluster reshard does.
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

using Fault = std::variant<FreezeActor, ResumeActor, CrashActor, CutNetwork, MendNetwork, DelayNetwork, LoseAnswer,
                           JumpClock, FreezeServer, ResumeServer, KillServer, RestartServer, PartitionServer,
                           RejoinServer, PromoteReplica, HoldReplication, ResumeReplication, MoveSlot, ByHand>;

}  // namespace lockkeeper::lab
