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

// What a lab session shows of its laboratory: values only.
namespace lockkeeper::lab {

// What a session reports at most.
inline constexpr qsizetype mostLabFrames = 3000;
inline constexpr qint64 mostWireLines = 5000;

// A key as the server keeps it. The entries: fields and values of a hash, members and scores of a sorted set, the
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

    // As the same key with the same entries, whatever its time to live is.
    [[nodiscard]] bool keepsTheSame(const LabKey& other) const {
        return name == other.name && type == other.type && entries == other.entries;
    }
    friend bool operator==(const LabKey&, const LabKey&) = default;
};

enum class ServerCondition { Running, Frozen, Killed };

// How the keys of a server that is running were read.
enum class KeyReading {
    Now,
    ClusterDown,  // not now: it refuses to be read, because its Cluster is down
    Failed        // not now, for another reason
};

// Or the Sentinel.
struct LabServer {
    ServerNumber number{};
    ServerCondition condition = ServerCondition::Running;
    bool isReplica = false;
    bool isReplicationHeld = false;  // of a replica: what its master sends does not arrive
    Unreached unreached;
    KeyReading reading = KeyReading::Now;
    std::vector<LabKey> keys;  // as they were read last, if not now
    qint64 keysLeftOut = 0;    // beyond the bound of what is read

    // One that is killed has none.
    [[nodiscard]] bool hasOldKeys() const noexcept {
        return condition == ServerCondition::Frozen || reading != KeyReading::Now;
    }
    friend bool operator==(const LabServer&, const LabServer&) = default;
};

// One thread of an actor that believes to hold a lock, or one or several that wait for it.
struct LabThread {
    enum class Doing { Waits, Holds };

    ThreadId thread{};  // of several: the first
    LockId lock;
    Doing doing = Doing::Waits;
    int count = 1;  // how often it holds; how many threads wait
    std::optional<qint64> token;
    std::optional<Milliseconds> leaseLeft;  // by the clock of the actor; nothing: it does not know
    bool isRenewed = false;
    bool knowsLoss = false;  // its client has noticed that the lock is lost

    friend bool operator==(const LabThread&, const LabThread&) = default;
};

struct LabActor {
    ActorName name;
    std::vector<ClientId> clients;  // its ids, by which the servers know it
    bool isFrozen = false;
    bool isCutOff = false;  // from all: its own network is cut
    Unreached unreached;    // by partitions
    Milliseconds delay{0};       // of its network, each way
    Milliseconds clockAhead{0};  // of its wall clock; negative: it is behind
    bool hasCrashed = false;
    std::vector<LabThread> threads;

    friend bool operator==(const LabActor&, const LabActor&) = default;
};

// One command as a server ran it.
struct WireLine {
    enum class Sender { Actor, Script, ByHand };

    qsizetype frame = 0;  // the first one that shows it
    ServerNumber server{};
    Sender sender = Sender::Actor;
    ActorName actor;  // of Sender::Actor and Sender::Script, if it is known
    QByteArrayList arguments;
    std::vector<ActorName> receivers;  // of a PUBLISH: who is subscribed

    friend bool operator==(const WireLine&, const WireLine&) = default;
};

// Everything at one moment.
struct LabFrame {
    Moment moment;
    QByteArray action;  // of the step: "acquire", "release", ...; "change" by itself; "start"
    Facts facts;        // of the answer
    std::vector<LabActor> actors;
    std::vector<LabServer> servers;

    friend bool operator==(const LabFrame&, const LabFrame&) = default;
};

enum class LabPhase {
    Starting,  // servers and actors
    Stopped,   // before the next step, or within it; no time passes
    Running,
    Free,   // all steps are done; it takes actions of the user
    Failed  // it has ended
};

// What has come since the update before.
struct LabUpdate {
    LabPhase phase = LabPhase::Starting;
    qsizetype nextStep = 0;
    qsizetype firstFrame = 0;  // in the first update with frames: the number of its first one. Not 0 if a recording was cut
    std::vector<LabFrame> frames;
    std::vector<WireLine> lines;
    qint64 linesLeftOut = 0;         // in all, beyond the bound of what is kept
    bool isFull = false;             // as many frames are kept as may be: no more follow
    std::optional<Outcome> outcome;  // from Free and Failed on

    friend bool operator==(const LabUpdate&, const LabUpdate&) = default;
};
using SharedLabUpdate = std::shared_ptr<const LabUpdate>;

}  // namespace lockkeeper::lab

Q_DECLARE_METATYPE(lockkeeper::lab::SharedLabUpdate)
