// SPDX-License-Identifier: Apache-2.0
#include "control/check/checkanswers.h"

#include "base/safetext.h"
#include "redis/infofield.h"

#include <QVersionNumber>

#include <algorithm>
#include <array>

namespace lockkeeper::control {

using monitor::Consequence;
using monitor::Denial;
using profile::CommandReach;
using profile::CommandUse;
using profile::NeededCommand;
using redis::RespValue;

namespace {

// What Redisson's locks and this check need besides neededCommands(). SCRIPT LOAD: core/locks/protocol.md, "A node that
// does not know the scripts".
constexpr std::array moreCommands{NeededCommand{"script|load", CommandUse::Writing, CommandReach::Nothing, "x"},
                                  NeededCommand{"config|get", CommandUse::Watching, CommandReach::Nothing, "x"},
                                  NeededCommand{"command|info", CommandUse::Watching, CommandReach::Nothing, "x"},
                                  NeededCommand{"acl|whoami", CommandUse::Watching, CommandReach::Nothing, ""}};
constexpr std::array moreInCluster{NeededCommand{"cluster|info", CommandUse::Watching, CommandReach::Nothing, ""},
                                   NeededCommand{"cluster|slots", CommandUse::Watching, CommandReach::Nothing, ""}};

bool isOnlyForClusters(const NeededCommand& command) {
    const QByteArray name(command.name);
    return command.use == CommandUse::WritingInCluster || name == "ssubscribe" || name == "sunsubscribe" ||
           name == "pubsub|shardchannels" || name == "pubsub|shardnumsub";
}

NeededFor neededFor(CommandUse use) {
    switch (use) {
        case CommandUse::Watching:
            return NeededFor::Watching;
        case CommandUse::Always:
            return NeededFor::Both;
        case CommandUse::Writing:
        case CommandUse::WritingInCluster:
            return NeededFor::Writing;
    }
    return NeededFor::Both;
}

Availability availabilityOf(RightsVerdict verdict) {
    switch (verdict) {
        case RightsVerdict::Unknown:
            return Availability::Unknown;
        case RightsVerdict::Allowed:
            return Availability::Allowed;
        case RightsVerdict::Refused:
            return Availability::Refused;
        case RightsVerdict::RefusedHere:
            return Availability::RefusedHere;
        case RightsVerdict::NotHad:
            return Availability::NotHad;
    }
    return Availability::Unknown;
}

// COMMAND INFO answers null for a command that the server does not have. Servers before 7 do not know the names of
// subcommands: null says nothing there.
Availability byCommandInfo(const CheckAnswers& answers, size_t index) {
    const bool isAnswered = answers.commandInfo && answers.commandInfo->ok() &&
                            answers.commandInfo->value().items.size() == answers.commands.size();
    if (!isAnswered || !answers.commandInfo->value().items[index].isNull())
        return Availability::Unknown;
    const bool isSubcommand = QByteArrayView(answers.commands[index].name).contains('|');
    return isSubcommand && !RightsQuestion::isKnownTo(answers.server) ? Availability::Unknown : Availability::NotHad;
}

// "OK", or "User alice has no permissions to run the 'get' command" / "... to access the 'x' key"; as a string or as an
// error.
Availability byDryRun(const CheckAnswers& answers, size_t index) {
    if (index >= answers.dryRuns.size() || !answers.dryRuns[index] || !answers.dryRuns[index]->ok())
        return Availability::Unknown;
    const QByteArray& words = answers.dryRuns[index]->value().bytes;
    if (words == "OK")
        return Availability::Allowed;
    if (words.contains("permissions to run"))
        return Availability::Refused;
    return words.contains("permissions to access") ? Availability::RefusedHere : Availability::Unknown;
}

Availability byError(const Error& error) {
    switch (error.reply) {
        case ReplyKind::CommandDenied:
            return Availability::Refused;
        case ReplyKind::KeyDenied:
        case ReplyKind::ChannelDenied:
            return Availability::RefusedHere;
        case ReplyKind::UnknownCommand:
            return Availability::NotHad;
        default:
            return Availability::Unknown;
    }
}

Availability byTrial(const CheckAnswers& answers, size_t index) {
    if (index >= answers.trials.size() || !answers.trials[index])
        return Availability::Unknown;
    const Result<RespValue>& answer = *answers.trials[index];
    return answer ? Availability::Allowed : byError(answer.error());
}

enum class Whose { Watchers, OtherWriters };

// What was asked as the user who watches says nothing of another user who writes.
CheckedCommand checkedCommand(const CheckAnswers& answers, size_t index, Whose whose) {
    const bool isWatchers = whose == Whose::Watchers;
    const std::vector<RightsVerdict>& rights = isWatchers ? answers.rights : answers.writingRights;
    CheckedCommand checked{QString::fromLatin1(answers.commands[index].name), neededFor(answers.commands[index].use)};
    const auto tryWay = [&checked](Availability availability, KnownBy by) {
        if (checked.availability != Availability::Unknown || availability == Availability::Unknown)
            return;
        checked.availability = availability;
        checked.knownBy = by;
    };
    const RightsVerdict verdict = index < rights.size() ? rights[index] : RightsVerdict::Unknown;
    if (isWatchers)
        tryWay(byTrial(answers, index), KnownBy::ItsAnswer);
    tryWay(availabilityOf(verdict), KnownBy::RightsScript);
    if (isWatchers)
        tryWay(byDryRun(answers, index), KnownBy::AclDryRun);
    tryWay(byCommandInfo(answers, index), KnownBy::CommandInfo);
    return checked;
}

// ---- what the monitor cannot see ----

// The same consequences as the monitor notes when it meets the refusal.
std::optional<Denial> denialWithout(const QString& command, bool isWithoutObject) {
    const auto denial = [](const char* name, Consequence consequence) {
        return std::optional(Denial{monitor::Denied::Command, QString::fromLatin1(name), consequence, {}});
    };
    if (command == QLatin1String("client|tracking"))
        return denial("CLIENT TRACKING", Consequence::LocksPolled);
    if (command == QLatin1String("client|no-evict"))
        return denial("CLIENT NO-EVICT", Consequence::ConnectionMayBeEvicted);
    if (command == QLatin1String("client|list"))
        return denial("CLIENT LIST", Consequence::OtherMonitorsUnknown);
    if (command == QLatin1String("info"))
        return denial("INFO", Consequence::ServerFiguresUnknown);
    if (command == QLatin1String("config|get"))
        return denial("CONFIG GET", Consequence::PublishingUnknown);
    if (command == QLatin1String("eval_ro"))
        return denial("EVAL_RO", Consequence::ReadsCostMore);
    if (command == QLatin1String("scan"))
        return denial("SCAN", Consequence::LocksNotScanned);
    if (command == QLatin1String("dbsize"))
        return denial("DBSIZE", Consequence::ProgressUnknown);
    if (command == QLatin1String("object|encoding"))
        return denial("OBJECT", Consequence::RecognitionCostsMore);
    if (command == QLatin1String("exists"))
        return denial("EXISTS", Consequence::RecognitionCostsMore);
    if (command == QLatin1String("pttl"))
        return denial("PTTL", Consequence::LocksUnreadable);
    if (command == QLatin1String("hgetall"))
        return denial("HGETALL", Consequence::LocksUnreadable);
    if (command == QLatin1String("lrange"))
        return denial("LRANGE", Consequence::FairLocksLookPlain);
    if (command == QLatin1String("zrange"))
        return denial("ZRANGE", Consequence::FairLocksLookPlain);
    if (command == QLatin1String("get"))
        return denial("GET", Consequence::FencedLocksLookPlain);
    if (command == QLatin1String("psubscribe"))
        return denial("PSUBSCRIBE", Consequence::ReleasesUnknown);
    if (command == QLatin1String("ssubscribe"))
        return denial("SSUBSCRIBE", Consequence::ReleasesUnknown);
    if (command == QLatin1String("pubsub|channels") || command == QLatin1String("pubsub|numsub"))
        return denial("PUBSUB", Consequence::WaitersUnknown);
    if (command == QLatin1String("pubsub|shardchannels") || command == QLatin1String("pubsub|shardnumsub"))
        return denial("PUBSUB SHARDCHANNELS", Consequence::WaitersUnknown);
    // With OBJECT ENCODING these are used for large or unusual hashes only.
    if (isWithoutObject && command == QLatin1String("hlen"))
        return denial("HLEN", Consequence::LocksUnreadable);
    if (isWithoutObject && command == QLatin1String("hkeys"))
        return denial("HKEYS", Consequence::RecognitionCostsMore);
    return std::nullopt;
}

const CheckedCommand* find(const QList<CheckedCommand>& commands, QLatin1String name) {
    const auto found = std::ranges::find(commands, name, &CheckedCommand::name);
    return found == commands.end() ? nullptr : &*found;
}

bool isMissing(const QList<CheckedCommand>& commands, QLatin1String name) {
    const CheckedCommand* command = find(commands, name);
    return command && command->isMissing();
}

QList<Denial> unseenWithout(const QList<CheckedCommand>& commands) {
    const bool isWithoutObject = isMissing(commands, QLatin1String("object|encoding"));
    monitor::Denials denials;  // each once
    for (const CheckedCommand& command : commands) {
        if (command.neededFor == NeededFor::Writing || !command.isMissing())
            continue;
        if (const auto denial = denialWithout(command.name, isWithoutObject))
            denials.note(*denial);
    }
    return denials.list();
}

QList<WritingDenial> writingWithout(const QList<CheckedCommand>& commands) {
    QList<WritingDenial> denials;
    for (const CheckedCommand& command : commands) {
        if (command.neededFor == NeededFor::Watching || !command.isMissing())
            continue;
        const bool isRefused = command.availability == Availability::Refused;
        const RefusedRight what = isRefused ? RefusedRight::Command : RefusedRight::UnknownCommand;
        if (const auto denial = WritingDenials::ofCommand(what, command.name))
            denials << *denial;
    }
    return denials;
}

// ---- what Redisson's locks cannot do ----

QString shown(const QString& command) {
    return command.toUpper().replace(u'|', u' ');
}

CheckEvidence evidenceOf(const CheckedCommand& command) {
    const auto [question, answer] = [&command]() -> std::pair<QString, QString> {
        const bool isNotHad = command.availability == Availability::NotHad;
        switch (command.knownBy) {
            case KnownBy::CommandInfo:
                return {QStringLiteral("COMMAND INFO %1").arg(command.name), QStringLiteral("nil")};
            case KnownBy::RightsScript:
                return {QStringLiteral("redis.acl_check_cmd %1").arg(shown(command.name)),
                        isNotHad ? QStringLiteral("no such command") : QStringLiteral("refused")};
            case KnownBy::AclDryRun:
                return {QStringLiteral("ACL DRYRUN %1").arg(shown(command.name)), QStringLiteral("refused")};
            case KnownBy::ItsAnswer:
            case KnownBy::Nothing:
                return {shown(command.name), isNotHad ? QStringLiteral("no such command") : QStringLiteral("refused")};
        }
        return {};
    }();
    return {question, answer};
}

// The values that the findings are made of.
class Facts {
public:
    Facts(const CheckAnswers& answers, const QList<CheckedCommand>& writing)
        : m_answers(answers),
          m_writing(writing),
          m_info(answers.info && answers.info->ok() ? answers.info->value().bytes : QByteArray()) {}

    [[nodiscard]] QList<CheckFinding> all() const {
        QList<CheckFinding> found;
        for (const auto& finding :
             {onReplica(), clusterDown(), slotsUnserved(), oneClusterNode(), noScripts(), scriptCommands(),
              refusal(LockLimit::KeysOfOneLockApart, m_answers.keysOfOneLock,
                      QStringLiteral("EVAL_RO, 2 keys of a tag")),
              undeclaredKeys(), replicas(), noWait(), waitaof(), noMessages(), noShardMessages(), behindProxy(),
              keysEvicted(), knownService()}) {
            if (finding)
                found << *finding;
        }
        return found;
    }

private:
    using Found = std::optional<CheckFinding>;

    [[nodiscard]] std::optional<QString> infoValue(QByteArrayView name) const {
        const auto value = redis::infoField(name, m_info);
        return value ? std::optional(QString::fromUtf8(*value)) : std::nullopt;
    }
    [[nodiscard]] CheckEvidence infoEvidence(const char* name) const {
        return {QStringLiteral("INFO %1").arg(QLatin1String(name)), infoValue(name).value_or(QString())};
    }
    [[nodiscard]] static std::optional<QString> settingIn(const CheckAnswers::Answer& answer) {
        const bool hasValue = answer && answer->ok() && answer->value().items.size() >= 2;
        return hasValue ? std::optional(QString::fromUtf8(answer->value().items[1].bytes)) : std::nullopt;
    }
    [[nodiscard]] std::optional<QByteArrayView> clusterValue(QByteArrayView name) const {
        const bool isAnswered = m_answers.clusterInfo && m_answers.clusterInfo->ok();
        return isAnswered ? redis::infoField(name, m_answers.clusterInfo->value().bytes) : std::nullopt;
    }
    [[nodiscard]] bool isOneOfCluster() const { return m_answers.server.mode == "cluster"; }
    [[nodiscard]] bool isMissing(const char* name) const { return control::isMissing(m_writing, QLatin1String(name)); }
    [[nodiscard]] Found missing(LockLimit what, std::initializer_list<const char*> names) const {
        CheckFinding finding{what};
        for (const char* name : names) {
            const CheckedCommand* command = find(m_writing, QLatin1String(name));
            if (!command || !command->isMissing())
                continue;
            finding.commands << command->name;
            finding.evidence << evidenceOf(*command);
        }
        return finding.commands.isEmpty() ? std::nullopt : Found(finding);
    }

    [[nodiscard]] Found onReplica() const {
        if (m_answers.server.role == "master" || m_answers.server.role.isEmpty())
            return std::nullopt;
        CheckFinding finding{LockLimit::OnReplica,
                             {{QStringLiteral("ROLE"), QString::fromLatin1(m_answers.server.role)}}};
        if (!m_answers.server.master.isEmpty())
            finding.evidence << CheckEvidence{QStringLiteral("INFO master_host"), m_answers.server.master};
        return finding;
    }
    [[nodiscard]] Found clusterDown() const {
        const auto state = clusterValue("cluster_state");
        if (!isOneOfCluster() || !state || *state == "ok")
            return std::nullopt;
        return CheckFinding{LockLimit::ClusterDown,
                            {{QStringLiteral("CLUSTER INFO cluster_state"), QString::fromUtf8(*state)}}};
    }
    [[nodiscard]] Found slotsUnserved() const {
        constexpr int slotCount = 16384;
        const auto served = clusterValue("cluster_slots_ok");
        if (!isOneOfCluster() || !served || served->toByteArray().toInt() == slotCount)
            return std::nullopt;
        return CheckFinding{LockLimit::SlotsUnserved,
                            {{QStringLiteral("CLUSTER INFO cluster_slots_ok"), QString::fromUtf8(*served)}}};
    }
    [[nodiscard]] Found oneClusterNode() const {
        if (!isOneOfCluster() || m_answers.isCluster)
            return std::nullopt;
        return CheckFinding{LockLimit::OneClusterNode, {{QStringLiteral("HELLO mode"), QStringLiteral("cluster")}}};
    }
    [[nodiscard]] Found noScripts() const {
        const bool areNone = isMissing("eval") && isMissing("evalsha");
        return areNone ? missing(LockLimit::NoScripts, {"eval", "evalsha"}) : std::nullopt;
    }
    // The scripts of Redisson's locks use these, see core/locks/protocol.md. One of EVAL and EVALSHA is not enough for
    // clients that load scripts.
    [[nodiscard]] Found scriptCommands() const {
        return noScripts() ? std::nullopt
                           : missing(LockLimit::ScriptCommands,
                                     {"eval", "evalsha", "script|load", "exists", "pttl", "hexists", "hset", "hincrby",
                                      "hdel", "hget",    "pexpire",     "del",    "set",  "get",     "incr", "lindex",
                                      "lpop", "lrem",    "lrange",      "rpush",  "zadd", "zrange",  "zrem", "zscore"});
    }
    [[nodiscard]] static Found refusal(LockLimit what, const CheckAnswers::Answer& answer, const QString& question) {
        if (!answer || answer->ok() || answer->error().reply != ReplyKind::CrossSlot)
            return std::nullopt;
        return CheckFinding{what, {{question, answer->error().text}}};
    }
    // Dragonfly: "script tried accessing undeclared key".
    [[nodiscard]] Found undeclaredKeys() const {
        const CheckAnswers::Answer& answer = m_answers.undeclaredKey;
        if (!answer || !answer->ok() || !answer->value().bytes.contains("undeclared"))
            return std::nullopt;
        return CheckFinding{LockLimit::UndeclaredKeys,
                            {{QStringLiteral("EVAL_RO, a key that is not declared"),
                              bounded(QString::fromUtf8(answer->value().bytes))}}};
    }
    // INFO has the number of good replicas only if the server needs some.
    [[nodiscard]] Found replicas() const {
        const auto good = infoValue("min_slaves_good_slaves");
        const auto needed = settingIn(m_answers.minReplicas);
        const int least = needed ? needed->toInt() : 0;
        if (!good && least == 0)
            return std::nullopt;
        const bool areTooFew = good && needed && good->toInt() < least;
        CheckFinding finding{areTooFew ? LockLimit::TooFewReplicas : LockLimit::WritesNeedReplicas};
        if (needed)
            finding.evidence << CheckEvidence{QStringLiteral("CONFIG GET min-replicas-to-write"), *needed};
        if (good)
            finding.evidence << infoEvidence("min_slaves_good_slaves");
        finding.evidence << infoEvidence("connected_slaves");
        return finding;
    }
    [[nodiscard]] Found noWait() const {
        const CheckedCommand* wait = find(m_writing, QLatin1String("wait"));
        if (!wait || !wait->isMissing())
            return std::nullopt;
        const bool isRefused = wait->availability == Availability::Refused;
        CheckFinding finding{isRefused ? LockLimit::WaitRefused : LockLimit::NoWait, {evidenceOf(*wait)}};
        if (infoValue("connected_slaves"))
            finding.evidence << infoEvidence("connected_slaves");
        return finding;
    }
    [[nodiscard]] Found waitaof() const {
        const bool hasWaitaof =
            QVersionNumber::fromString(QLatin1String(m_answers.server.version)) >= QVersionNumber(7, 2);
        const auto fsync = settingIn(m_answers.appendFsync);
        const bool isLeftToSystem = fsync == QLatin1String("no") && infoValue("aof_enabled") == QLatin1String("1");
        const bool hasReplicas = infoValue("connected_slaves").value_or(QStringLiteral("0")) != QLatin1String("0");
        if (!hasWaitaof || !isLeftToSystem || !hasReplicas)
            return std::nullopt;
        return CheckFinding{LockLimit::WaitaofWithoutFsync,
                            {{QStringLiteral("CONFIG GET appendfsync"), *fsync},
                             infoEvidence("aof_enabled"),
                             infoEvidence("connected_slaves")}};
    }
    [[nodiscard]] Found noMessages() const {
        return missing(LockLimit::NoMessages, {"publish", "subscribe", "unsubscribe"});
    }
    [[nodiscard]] Found noShardMessages() const {
        if (!isOneOfCluster() || !RightsQuestion::isKnownTo(m_answers.server))
            return std::nullopt;
        return missing(LockLimit::NoShardMessages, {"spublish", "ssubscribe"});
    }
    [[nodiscard]] Found behindProxy() const {
        if (isOneOfCluster())
            return std::nullopt;
        Found finding =
            refusal(LockLimit::SlotsBehindProxy, m_answers.keysOfTwoSlots, QStringLiteral("EVAL_RO, keys of 2 slots"));
        if (finding)
            finding->evidence << CheckEvidence{QStringLiteral("HELLO mode"),
                                               QString::fromLatin1(m_answers.server.mode)};
        return finding;
    }
    // volatile-* evicts keys with a TTL, as locks have.
    [[nodiscard]] Found keysEvicted() const {
        const auto policy = infoValue("maxmemory_policy");
        const auto limit = infoValue("maxmemory");
        const bool mayEvict = policy && *policy != QLatin1String("noeviction") && limit && *limit != QLatin1String("0");
        if (!mayEvict)
            return std::nullopt;
        return CheckFinding{LockLimit::KeysEvicted, {infoEvidence("maxmemory_policy"), infoEvidence("maxmemory")}};
    }
    [[nodiscard]] Found knownService() const {
        const QString host = m_answers.address.section(u':', 0, -2);
        const ManagedService service = serviceAt(host);
        if (service == ManagedService::None)
            return std::nullopt;
        CheckFinding finding{LockLimit::KnownService, {{QStringLiteral("host"), host}}};
        finding.service = service;
        return finding;
    }

    const CheckAnswers& m_answers;
    const QList<CheckedCommand>& m_writing;
    const QByteArray m_info;
};

// Questions without an answer: what depends on them is not known. One that was not asked is known to be refused.
QList<CheckEvidence> unansweredIn(const CheckAnswers& answers) {
    QList<CheckEvidence> unanswered;
    const auto add = [&unanswered](const char* question, const CheckAnswers::Answer& answer) {
        if (!answer || !answer->ok())
            unanswered << CheckEvidence{QString::fromLatin1(question), answer ? answer->error().text : QString()};
    };
    add("COMMAND INFO", answers.commandInfo);
    add("INFO", answers.info);
    add("CONFIG GET", answers.minReplicas);
    if (answers.server.mode == "cluster")
        add("CLUSTER INFO", answers.clusterInfo);
    return unanswered;
}

}  // namespace

std::vector<NeededCommand> checkedCommands(bool isCluster) {
    std::vector<NeededCommand> commands;
    for (const NeededCommand& command : profile::neededCommands()) {
        if (!isCluster && isOnlyForClusters(command))
            continue;
        const auto known = std::ranges::find(commands, QByteArrayView(command.name), &NeededCommand::name);
        if (known == commands.end())
            commands.push_back(command);
        else
            known->use = CommandUse::Always;  // SSUBSCRIBE: needed for both
    }
    commands.insert(commands.end(), moreCommands.begin(), moreCommands.end());
    if (isCluster)
        commands.insert(commands.end(), moreInCluster.begin(), moreInCluster.end());
    return commands;
}

NodeCheck nodeCheckOf(const CheckAnswers& answers) {
    NodeCheck check;
    check.address = answers.address;
    check.server = answers.server;
    QList<CheckedCommand> writing;
    const Whose writer = answers.writingRights.empty() ? Whose::Watchers : Whose::OtherWriters;
    for (size_t i = 0; i < answers.commands.size(); ++i) {
        const CheckedCommand ofWatcher = checkedCommand(answers, i, Whose::Watchers);
        writing << checkedCommand(answers, i, writer);
        check.commands << (ofWatcher.neededFor == NeededFor::Writing ? writing.last() : ofWatcher);
    }
    if (answers.whoAmI && answers.whoAmI->ok())
        check.user = bounded(QString::fromUtf8(answers.whoAmI->value().bytes));
    check.unseen = unseenWithout(check.commands);
    check.writing = writingWithout(writing);
    check.findings = Facts(answers, writing).all();
    check.unanswered = unansweredIn(answers);
    return check;
}

}  // namespace lockkeeper::control
