// SPDX-License-Identifier: Apache-2.0
#include "control/check/checkjson.h"

#include "monitor/format/watchingwords.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lockkeeper::control {

namespace {

QString wordFor(NeededFor use) {
    switch (use) {
        case NeededFor::Watching:
            return QStringLiteral("watching");
        case NeededFor::Writing:
            return QStringLiteral("writing");
        case NeededFor::Both:
            return QStringLiteral("both");
    }
    return {};
}

QString wordFor(WritingCost cost) {
    switch (cost) {
        case WritingCost::NothingChanged:
            return QStringLiteral("nothing_changed");
        case WritingCost::OperationsRefused:
            return QStringLiteral("operations_refused");
        case WritingCost::NamesRefused:
            return QStringLiteral("names_refused");
        case WritingCost::WaitersNotWoken:
            return QStringLiteral("waiters_not_woken");
        case WritingCost::WaitsRefused:
            return QStringLiteral("waits_refused");
        case WritingCost::LossesSeenLate:
            return QStringLiteral("losses_seen_late");
        case WritingCost::FormerConnectionStays:
            return QStringLiteral("former_connection_stays");
        case WritingCost::ReplicasNotAwaited:
            return QStringLiteral("replicas_not_awaited");
        case WritingCost::ReadsCostMore:
            return QStringLiteral("reads_cost_more");
    }
    return {};
}

QJsonArray evidenceOf(const QList<CheckEvidence>& evidence) {
    QJsonArray lines;
    for (const CheckEvidence& line : evidence)
        lines << QJsonObject{{QStringLiteral("question"), line.question}, {QStringLiteral("answer"), line.answer}};
    return lines;
}

QJsonArray commandsOf(const NodeCheck& node) {
    QJsonArray commands;
    for (const CheckedCommand& command : node.commands)
        commands << QJsonObject{{QStringLiteral("name"), command.name},
                                {QStringLiteral("needed_for"), wordFor(command.neededFor)},
                                {QStringLiteral("state"), wordFor(command.availability)},
                                {QStringLiteral("known_by"), wordFor(command.knownBy)}};
    return commands;
}

QJsonArray writingOf(const QList<WritingDenial>& denials) {
    QJsonArray writing;
    for (const WritingDenial& denial : denials)
        writing << QJsonObject{{QStringLiteral("command"), denial.command},
                               {QStringLiteral("cost"), wordFor(denial.cost)}};
    return writing;
}

QJsonObject jsonOf(const CheckFinding& finding) {
    QJsonObject json{{QStringLiteral("what"), wordFor(finding.what)},
                     {QStringLiteral("severity"), wordFor(severityOf(finding.what))},
                     {QStringLiteral("from_documents"), basisOf(finding.what) == LimitBasis::Documents},
                     {QStringLiteral("evidence"), evidenceOf(finding.evidence)}};
    QJsonArray issues;
    for (const int issue : issuesAbout(finding.what))
        issues << issue;
    if (!issues.isEmpty())
        json.insert(QStringLiteral("issues"), issues);
    if (!finding.commands.isEmpty())
        json.insert(QStringLiteral("commands"), QJsonArray::fromStringList(finding.commands));
    if (finding.service != ManagedService::None)
        json.insert(QStringLiteral("service"), wordFor(finding.service));
    return json;
}

}  // namespace

QString wordFor(LockLimit what) {
    switch (what) {
        case LockLimit::OnReplica:
            return QStringLiteral("on_replica");
        case LockLimit::ClusterDown:
            return QStringLiteral("cluster_down");
        case LockLimit::SlotsUnserved:
            return QStringLiteral("slots_unserved");
        case LockLimit::OneClusterNode:
            return QStringLiteral("one_cluster_node");
        case LockLimit::NoScripts:
            return QStringLiteral("no_scripts");
        case LockLimit::ScriptCommands:
            return QStringLiteral("script_commands");
        case LockLimit::KeysOfOneLockApart:
            return QStringLiteral("keys_of_one_lock_apart");
        case LockLimit::UndeclaredKeys:
            return QStringLiteral("undeclared_keys");
        case LockLimit::TooFewReplicas:
            return QStringLiteral("too_few_replicas");
        case LockLimit::WritesNeedReplicas:
            return QStringLiteral("writes_need_replicas");
        case LockLimit::NoWait:
            return QStringLiteral("no_wait");
        case LockLimit::WaitRefused:
            return QStringLiteral("wait_refused");
        case LockLimit::WaitaofWithoutFsync:
            return QStringLiteral("waitaof_without_fsync");
        case LockLimit::NoMessages:
            return QStringLiteral("no_messages");
        case LockLimit::NoShardMessages:
            return QStringLiteral("no_shard_messages");
        case LockLimit::SlotsBehindProxy:
            return QStringLiteral("slots_behind_proxy");
        case LockLimit::KeysEvicted:
            return QStringLiteral("keys_evicted");
        case LockLimit::KnownService:
            return QStringLiteral("known_service");
    }
    return {};
}

QString wordFor(LimitSeverity severity) {
    switch (severity) {
        case LimitSeverity::Impossible:
            return QStringLiteral("impossible");
        case LimitSeverity::Failing:
            return QStringLiteral("failing");
        case LimitSeverity::Risk:
            return QStringLiteral("risk");
    }
    return {};
}

QString wordFor(Availability availability) {
    switch (availability) {
        case Availability::Unknown:
            return QStringLiteral("unknown");
        case Availability::Allowed:
            return QStringLiteral("allowed");
        case Availability::Refused:
            return QStringLiteral("refused");
        case Availability::RefusedHere:
            return QStringLiteral("refused_here");
        case Availability::NotHad:
            return QStringLiteral("not_had");
    }
    return {};
}

QString wordFor(KnownBy way) {
    switch (way) {
        case KnownBy::Nothing:
            return QStringLiteral("nothing");
        case KnownBy::RightsScript:
            return QStringLiteral("acl_check");
        case KnownBy::AclDryRun:
            return QStringLiteral("acl_dryrun");
        case KnownBy::CommandInfo:
            return QStringLiteral("command_info");
        case KnownBy::ItsAnswer:
            return QStringLiteral("answer");
    }
    return {};
}

QString wordFor(ManagedService service) {
    switch (service) {
        case ManagedService::None:
            return {};
        case ManagedService::ElastiCacheServerless:
            return QStringLiteral("elasticache_serverless");
        case ManagedService::ElastiCache:
            return QStringLiteral("elasticache");
        case ManagedService::MemoryDb:
            return QStringLiteral("memorydb");
        case ManagedService::AzureCache:
            return QStringLiteral("azure_cache");
        case ManagedService::AzureManagedRedis:
            return QStringLiteral("azure_managed_redis");
        case ManagedService::RedisCloud:
            return QStringLiteral("redis_cloud");
        case ManagedService::Upstash:
            return QStringLiteral("upstash");
        case ManagedService::OracleCache:
            return QStringLiteral("oracle_cache");
        case ManagedService::AlibabaTair:
            return QStringLiteral("alibaba_tair");
        case ManagedService::TencentCache:
            return QStringLiteral("tencent_cache");
    }
    return {};
}

QByteArray toJsonLine(const NodeCheck& node) {
    QJsonObject json{{QStringLiteral("type"), QStringLiteral("check")}, {QStringLiteral("node"), node.address}};
    if (node.error) {
        json.insert(QStringLiteral("error"), lockkeeper::wordFor(node.error->code));
        json.insert(QStringLiteral("error_text"), node.error->text);
        return QJsonDocument(json).toJson(QJsonDocument::Compact);
    }
    QJsonArray limits;
    for (const CheckFinding& finding : node.findings)
        limits << jsonOf(finding);
    json.insert(QStringLiteral("version"), QString::fromLatin1(node.server.version));
    json.insert(QStringLiteral("mode"), QString::fromLatin1(node.server.mode));
    json.insert(QStringLiteral("role"), QString::fromLatin1(node.server.role));
    json.insert(QStringLiteral("protocol"), node.server.protocol);
    json.insert(QStringLiteral("user"), node.user);
    json.insert(QStringLiteral("commands"), commandsOf(node));
    json.insert(QStringLiteral("unseen"), QJsonArray::fromStringList(monitor::denialLines(node.unseen)));
    json.insert(QStringLiteral("writing"), writingOf(node.writing));
    json.insert(QStringLiteral("locks"), limits);
    json.insert(QStringLiteral("unanswered"), evidenceOf(node.unanswered));
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

}  // namespace lockkeeper::control
