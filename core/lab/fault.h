// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lab/labids.h"

#include <QByteArrayList>

#include <variant>

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
// Whatever it sends, and each answer, takes this long from now on; 0: no longer than it does by itself.
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

// ---- a server ----
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
// Of a replicated pair: the replica becomes the master, and who connects to the old one is led to it, as by Sentinels.
struct PromoteReplica {};
// Of a replicated pair: what the master sends does not arrive. It counts the replica as connected.
struct HoldReplication {};
struct ResumeReplication {};

// A command that a person sends to a server: DEL, PUBLISH, FLUSHALL, SCRIPT FLUSH.
struct ByHand {
    ServerNumber server{};
    QByteArrayList command;
};

using Fault =
    std::variant<FreezeActor, ResumeActor, CrashActor, CutNetwork, MendNetwork, DelayNetwork, LoseAnswer, JumpClock,
                 FreezeServer, ResumeServer, KillServer, RestartServer, PromoteReplica, HoldReplication,
                 ResumeReplication, ByHand>;

}  // namespace lockkeeper::lab
