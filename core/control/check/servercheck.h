// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "control/writingdenials.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "redis/serverinfo.h"

#include <QList>

#include <memory>
#include <optional>

namespace lockkeeper::control {

// A command that was sent, or a part of its answer, and what the server said.
struct CheckEvidence {
    QString question;  // "INFO min_slaves_good_slaves"
    QString answer;    // the server's words, or "refused", "no such command" and "nil"

    friend bool operator==(const CheckEvidence&, const CheckEvidence&) = default;
};

enum class Availability {
    Unknown,
    Allowed,
    Refused,      // the command itself
    RefusedHere,  // with the name of a lock that the check asks about
    NotHad        // the server does not have the command: renamed, switched off, or of a later version
};

// How the availability is known.
enum class KnownBy {
    Nothing,
    RightsScript,  // ask_rights.lua
    AclDryRun,
    CommandInfo,
    ItsAnswer  // the command was sent: it has no effect
};

enum class NeededFor { Watching, Writing, Both };

struct CheckedCommand {
    QString name;  // "client|tracking"
    NeededFor neededFor = NeededFor::Watching;
    Availability availability = Availability::Unknown;
    KnownBy knownBy = KnownBy::Nothing;

    [[nodiscard]] bool isMissing() const {
        return availability == Availability::Refused || availability == Availability::NotHad;
    }
    friend bool operator==(const CheckedCommand&, const CheckedCommand&) = default;
};

// What Redisson's locks cannot do on this server.
enum class LockLimit {
    OnReplica,            // locks are taken and released at the master
    ClusterDown,          // the Cluster serves no keys
    SlotsUnserved,        // no node serves some of the slots
    OneClusterNode,       // the address is one node of a Cluster
    NoScripts,            // neither EVAL nor EVALSHA
    ScriptCommands,       // commands of the scripts are missing
    KeysOfOneLockApart,   // keys with the same hash tag are not in one slot
    UndeclaredKeys,       // a script may not use a key that it has not declared
    TooFewReplicas,       // min-replicas-to-write is not reached: every write is refused
    WritesNeedReplicas,   // min-replicas-to-write is set and reached
    NoWait,               // the server does not have WAIT
    WaitRefused,          // the ACL refuses WAIT
    WaitaofWithoutFsync,  // WAITAOF waits for a sync to disk that the server leaves to the system
    NoMessages,           // PUBLISH or SUBSCRIBE
    NoShardMessages,      // SPUBLISH or SSUBSCRIBE, in a Cluster of Redis 7 or newer
    SlotsBehindProxy,     // the server does not say that it is a Cluster, and refuses a script over two slots
    KeysEvicted,          // the server deletes keys when its memory is full, locks among them
    KnownService          // the name of the host is that of a managed service
};

// How bad a limit is.
enum class LimitSeverity {
    Impossible,  // no lock, or none of some kinds, can be taken
    Failing,     // some operations fail, or may fail
    Risk         // locks work, and may be lost or be late
};
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LimitSeverity severityOf(LockLimit what);

// Measured: what follows was played with the real client, or follows from the server's own rules. Documents: it is
// known from documents alone, those of the service or reports of users.
enum class LimitBasis { Measured, Documents };
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LimitBasis basisOf(LockLimit what);
// Numbers of issues of redisson/redisson.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<int> issuesAbout(LockLimit what);

enum class ManagedService {
    None,
    ElastiCacheServerless,
    ElastiCache,
    MemoryDb,
    AzureCache,
    AzureManagedRedis,
    RedisCloud,
    Upstash,
    OracleCache,
    AlibabaTair,
    TencentCache
};
// By the name of the host alone; an address in numbers says nothing.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT ManagedService serviceAt(const QString& host);

struct CheckFinding {
    LockLimit what = LockLimit::NoScripts;
    QList<CheckEvidence> evidence{};
    QStringList commands{};                         // NoMessages, NoShardMessages, ScriptCommands: the missing ones
    ManagedService service = ManagedService::None;  // KnownService

    friend bool operator==(const CheckFinding&, const CheckFinding&) = default;
};

// What the check knows of one server: a master, or the single server of the address.
struct NodeCheck {
    QString address;             // "host:port", as the deployment names it
    std::optional<Error> error;  // the server could not be asked; nothing else is known
    redis::ServerInfo server;
    QString user;                     // as the server names it; empty: not known
    QList<CheckedCommand> commands;   // in the order of neededCommands()
    QList<monitor::Denial> unseen;    // what the monitor cannot see without the missing commands
    QList<WritingDenial> writing;     // what the console cannot do without them
    QList<CheckFinding> findings;     // in the order of LockLimit
    QList<CheckEvidence> unanswered;  // questions that were refused; what depends on them is not known

    // It was asked, and nothing is missing or limited. The name of a service is no limit.
    [[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isClear() const;
};

struct ServerCheck {
    QList<NodeCheck> nodes;

    [[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isClear() const;
};
using SharedCheck = std::shared_ptr<const ServerCheck>;

}  // namespace lockkeeper::control
