// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/stepwords.h"

namespace lockkeeper::lab {

using namespace std::chrono_literals;

namespace {

struct Subject {
    QByteArray operator()(const Acquire& what) const { return what.lock.bytes(); }
    QByteArray operator()(const Release& what) const { return what.lock.bytes(); }
    QByteArray operator()(const Write& what) const { return what.lock.bytes(); }
    QByteArray operator()(const RenewAsRedisson& what) const { return what.lock.bytes(); }
    QByteArray operator()(const AwaitWaiters& what) const { return what.lock.bytes(); }
    QByteArray operator()(const Newcomers& what) const { return what.lock.bytes(); }
    QByteArray operator()(const ReadDump& what) const { return what.lock.bytes(); }
    QByteArray operator()(const Observe& what) const { return what.name.bytes(); }
    QByteArray operator()(const AwaitFree& what) const { return what.name.bytes(); }
    QByteArray operator()(const Join& what) const { return what.step.bytes(); }
    QByteArray operator()(const Send& what) const { return what.command.join(' '); }
    QByteArray operator()(const Fault& what) const {
        if (const auto* move = std::get_if<MoveSlot>(&what))
            return move->name.bytes();
        const auto* byHand = std::get_if<ByHand>(&what);
        return byHand ? byHand->command.join(' ') : QByteArray();
    }
    QByteArray operator()(const auto&) const { return {}; }
};

struct FaultWord {
    Answer operator()(const FreezeActor&) const { return "frozen"; }
    Answer operator()(const ResumeActor&) const { return "resumed"; }
    Answer operator()(const CrashActor&) const { return "crashed"; }
    Answer operator()(const CutNetwork&) const { return "network-cut"; }
    Answer operator()(const MendNetwork&) const { return "network-mended"; }
    Answer operator()(const DelayNetwork& fault) const { return fault.by > 0ms ? "network-slow" : "network-fast"; }
    Answer operator()(const LoseAnswer&) const { return "answer-to-be-lost"; }
    Answer operator()(const JumpClock&) const { return "clock-jumped"; }
    Answer operator()(const FreezeServer& fault) const { return ofProcess(fault.server, "frozen"); }
    Answer operator()(const ResumeServer& fault) const { return ofProcess(fault.server, "resumed"); }
    Answer operator()(const KillServer& fault) const { return ofProcess(fault.server, "killed"); }
    Answer operator()(const RestartServer& fault) const { return ofProcess(fault.server, "restarted"); }
    Answer operator()(const PartitionServer&) const { return "server-cut-off"; }
    Answer operator()(const RejoinServer&) const { return "server-rejoined"; }
    Answer operator()(const PromoteReplica&) const { return "replica-promoted"; }
    Answer operator()(const HoldReplication&) const { return "replication-held"; }
    Answer operator()(const ResumeReplication&) const { return "replication-resumed"; }
    Answer operator()(const MoveSlot&) const { return "slot-moved"; }
    Answer operator()(const ByHand&) const { return "by-hand"; }

private:
    static Answer ofProcess(ServerNumber server, const char* what) {
        return Answer(QByteArray(server == sentinelServer ? "sentinel-" : "server-") + what);
    }
};

struct FaultyActor {
    QByteArray operator()(const auto& fault) const {
        if constexpr (requires { fault.actor; })
            return fault.actor.bytes();
        return {};
    }
};

// The number of the "server" if it is not the Sentinel, and the "time" of a pause in milliseconds.
struct StatedFacts {
    Facts operator()(const Pause& what) const { return {{"time", qint64{what.time.count()}}}; }
    Facts operator()(const MoveSlot& fault) const { return {{"server", numberOf(fault.to)}}; }
    Facts operator()(const Fault& what) const { return std::visit(*this, what); }
    Facts operator()(const auto& what) const {
        if constexpr (requires { what.server; }) {
            if (what.server != sentinelServer)
                return {{"server", numberOf(what.server)}};
        }
        return {};
    }

private:
    static qint64 numberOf(ServerNumber server) { return static_cast<int>(server); }
};

// The words of an error, and the kind of the server's reply.
Facts factsOf(const Error& error) {
    Facts facts{{"error", error.text.toUtf8()}};
    if (error.reply != ReplyKind::None)
        facts["error-reply"] = wordFor(error.reply).toLatin1();
    return facts;
}

struct ActionWord {
    QByteArray operator()(const Acquire&) const { return QByteArrayLiteral("acquire"); }
    QByteArray operator()(const Release&) const { return QByteArrayLiteral("release"); }
    QByteArray operator()(const Send&) const { return QByteArrayLiteral("send"); }
    QByteArray operator()(const Write&) const { return QByteArrayLiteral("write"); }
    QByteArray operator()(const RenewAsRedisson&) const { return QByteArrayLiteral("renew-as-redisson"); }
    QByteArray operator()(const AwaitConnected&) const { return QByteArrayLiteral("await-connected"); }
    QByteArray operator()(const Pause&) const { return QByteArrayLiteral("pause"); }
    QByteArray operator()(const Join&) const { return QByteArrayLiteral("join"); }
    QByteArray operator()(const Observe&) const { return QByteArrayLiteral("observe"); }
    QByteArray operator()(const AwaitFree&) const { return QByteArrayLiteral("await-free"); }
    QByteArray operator()(const AwaitWaiters&) const { return QByteArrayLiteral("await-waiters"); }
    QByteArray operator()(const AwaitReplicated&) const { return QByteArrayLiteral("await-replicated"); }
    QByteArray operator()(const AwaitMaster&) const { return QByteArrayLiteral("await-master"); }
    QByteArray operator()(const AwaitDead&) const { return QByteArrayLiteral("await-dead"); }
    QByteArray operator()(const Count&) const { return QByteArrayLiteral("count"); }
    QByteArray operator()(const Newcomers&) const { return QByteArrayLiteral("newcomers"); }
    QByteArray operator()(const FindDeadlock&) const { return QByteArrayLiteral("find-deadlock"); }
    QByteArray operator()(const ReadDump&) const { return QByteArrayLiteral("read-dump"); }
    QByteArray operator()(const Fault&) const { return QByteArrayLiteral("fault"); }
};

}  // namespace

QByteArray actorOf(const Step& step) {
    const auto* fault = std::get_if<Fault>(&step.action);
    return fault ? std::visit(FaultyActor(), *fault) : step.actor.bytes();
}

QByteArray subjectOf(const Action& action) {
    return std::visit(Subject(), action);
}

QByteArray wordOf(const Action& action) {
    return std::visit(ActionWord(), action);
}

Facts factsOf(const Action& action, const Answer& answer) {
    Facts facts = std::visit(StatedFacts(), action);
    facts.insert(answer.facts);
    if (!answer.error)
        return facts;
    facts.insert(factsOf(*answer.error));
    if (const auto* fault = std::get_if<Fault>(&action))
        facts["fault"] = answerOf(*fault).code;
    return facts;
}

Answer answerOf(const Fault& applied) {
    return std::visit(FaultWord(), applied);
}

QByteArray wordOf(locks::LossReason why) {
    switch (why) {
        case locks::LossReason::LeaseExpired:
            return QByteArrayLiteral("lease-expired");
        case locks::LossReason::TakenAway:
            return QByteArrayLiteral("taken-away");
        case locks::LossReason::Gone:
            return QByteArrayLiteral("deleted");
        case locks::LossReason::TakenOver:
            return QByteArrayLiteral("taken-over");
    }
    return {};
}

}  // namespace lockkeeper::lab
