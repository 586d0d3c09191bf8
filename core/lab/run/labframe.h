// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lab/answer.h"
#include "lab/experiment/outcome.h"
#include "lab/unreached.h"

#include <QByteArrayList>
#include <QMetaType>

#include <memory>
#include <optional>
#include <vector>

// The values that a lab session shows of its laboratory.
namespace lockkeeper::lab {

// The most frames that a session reports.
inline constexpr qsizetype mostLabFrames = 3000;
inline constexpr qint64 mostWireLines = 5000;

// A key as the server keeps it. Its entries are fields and values of a hash, members and scores of a sorted set, the
// elements of a list or a set with an empty value, or the value of a string with an empty field.
struct LabKey {
    struct Entry {
        QByteArray field;
        QByteArray value;
        friend bool operator==(const Entry&, const Entry&) = default;
    };

    QByteArray name;
    QByteArray type;  // the server's word: "hash", "zset", ...
    std::vector<Entry> entries;
    std::optional<Milliseconds> ttl;

    // Whether the key has the same entries, whatever its TTL is.
    [[nodiscard]] bool keepsTheSame(const LabKey& other) const {
        return name == other.name && type == other.type && entries == other.entries;
    }
    friend bool operator==(const LabKey&, const LabKey&) = default;
};

enum class ServerCondition { Running, Frozen, Killed };

// How the keys of a server that is running were read.
enum class KeyReading {
    Now,
    ClusterDown,  // not now: the server refuses to be read, because its Cluster is down
    Failed        // not now, for another reason
};

// A server, or the Sentinel.
struct LabServer {
    ServerNumber number{};
    ServerCondition condition = ServerCondition::Running;
    bool isReplica = false;
    bool isReplicationHeld = false;  // for a replica: what its master sends does not arrive
    Unreached unreached;
    KeyReading reading = KeyReading::Now;
    std::vector<LabKey> keys;  // as they were read last, if they cannot be read now
    qint64 keysLeftOut = 0;    // number of keys beyond the limit of a read

    // Whether the keys are old. A killed server has no keys.
    [[nodiscard]] bool hasOldKeys() const noexcept {
        return condition == ServerCondition::Frozen || reading != KeyReading::Now;
    }
    friend bool operator==(const LabServer&, const LabServer&) = default;
};

// One thread of an actor that believes to hold a lock; or one or several that wait for it.
struct LabThread {
    enum class Doing { Waits, Holds };

    ThreadId thread{};  // the first of several
    LockId lock;
    Doing doing = Doing::Waits;
    int count = 1;  // how often the thread holds the lock; or how many threads wait
    std::optional<qint64> token;
    std::optional<Milliseconds> leaseLeft;  // by the actor's clock; nothing: not known
    bool isRenewed = false;
    bool knowsLoss = false;  // its client has noticed that the lock is lost

    friend bool operator==(const LabThread&, const LabThread&) = default;
};

struct LabActor {
    ActorName name;
    std::vector<ClientId> clients;  // the actor's ids on the servers
    bool isFrozen = false;
    bool isCutOff = false;       // from all servers: the actor's own network is cut
    Unreached unreached;         // by partitions
    Milliseconds delay{0};       // of the actor's network, in each direction
    Milliseconds clockAhead{0};  // of the actor's wall clock; negative: behind
    bool hasCrashed = false;
    std::vector<LabThread> threads;

    friend bool operator==(const LabActor&, const LabActor&) = default;
};

// One command as a server ran it.
struct WireLine {
    enum class Sender { Actor, Script, ByHand };

    qsizetype frame = 0;  // the first frame that shows it
    ServerNumber server{};
    Sender sender = Sender::Actor;
    ActorName actor;  // for Sender::Actor and Sender::Script, if it is known
    QByteArrayList arguments;
    std::vector<ActorName> receivers;  // for a PUBLISH: the subscribed actors

    friend bool operator==(const WireLine&, const WireLine&) = default;
};

// The whole state at one moment.
struct LabFrame {
    Moment moment;
    QByteArray action;  // of the step: "acquire", "release", ...; "change" without a step; "start"
    Facts facts;        // of the answer
    std::vector<LabActor> actors;
    std::vector<LabServer> servers;

    friend bool operator==(const LabFrame&, const LabFrame&) = default;
};

enum class LabPhase {
    Starting,  // the servers and actors start
    Stopped,   // before the next step, or within a step; no time passes
    Running,
    Free,   // all steps are done; actions of the user are possible
    Failed  // it has ended
};

// The changes since the previous update.
struct LabUpdate {
    LabPhase phase = LabPhase::Starting;
    qsizetype nextStep = 0;
    qsizetype firstFrame = 0;  // number of the first frame, in the first update with frames; not 0 in a cut recording
    std::vector<LabFrame> frames;
    std::vector<WireLine> lines;
    qint64 linesLeftOut = 0;         // in total, beyond the limit of what is kept
    bool isFull = false;             // the limit of frames is reached: no more follow
    std::optional<Outcome> outcome;  // set in Free and Failed

    friend bool operator==(const LabUpdate&, const LabUpdate&) = default;
};
using SharedLabUpdate = std::shared_ptr<const LabUpdate>;

}  // namespace lockkeeper::lab

Q_DECLARE_METATYPE(lockkeeper::lab::SharedLabUpdate)
