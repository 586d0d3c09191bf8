// SPDX-License-Identifier: Apache-2.0
#include "control/check/servercheck.h"

#include <algorithm>
#include <array>

namespace lockkeeper::control {

bool NodeCheck::isClear() const {
    const auto isLimit = [](const CheckFinding& finding) { return finding.what != LockLimit::KnownService; };
    return !error && unseen.isEmpty() && writing.isEmpty() && std::ranges::none_of(findings, isLimit);
}

bool ServerCheck::isClear() const {
    return std::ranges::all_of(nodes, &NodeCheck::isClear);
}

LimitSeverity severityOf(LockLimit what) {
    switch (what) {
        case LockLimit::OnReplica:
        case LockLimit::ClusterDown:
        case LockLimit::NoScripts:
        case LockLimit::KeysOfOneLockApart:
        case LockLimit::TooFewReplicas:
            return LimitSeverity::Impossible;
        case LockLimit::SlotsUnserved:
        case LockLimit::OneClusterNode:
        case LockLimit::ScriptCommands:
        case LockLimit::UndeclaredKeys:
        case LockLimit::NoWait:
        case LockLimit::WaitRefused:
        case LockLimit::WaitaofWithoutFsync:
        case LockLimit::NoMessages:
        case LockLimit::NoShardMessages:
        case LockLimit::SlotsBehindProxy:
            return LimitSeverity::Failing;
        case LockLimit::WritesNeedReplicas:
        case LockLimit::KeysEvicted:
        case LockLimit::KnownService:
            return LimitSeverity::Risk;
    }
    return LimitSeverity::Failing;
}

LimitBasis basisOf(LockLimit what) {
    switch (what) {
        case LockLimit::UndeclaredKeys:
        case LockLimit::NoWait:
        case LockLimit::WaitRefused:
        case LockLimit::WaitaofWithoutFsync:
        case LockLimit::NoMessages:
        case LockLimit::NoShardMessages:
        case LockLimit::SlotsBehindProxy:
        case LockLimit::KnownService:
            return LimitBasis::Documents;
        default:
            return LimitBasis::Measured;
    }
}

QList<int> issuesAbout(LockLimit what) {
    switch (what) {
        case LockLimit::NoWait:
            return {3474, 4082, 4645, 5586};
        case LockLimit::WaitaofWithoutFsync:
            return {6920};
        default:
            return {};
    }
}

ManagedService serviceAt(const QString& host) {
    using enum ManagedService;
    struct Name {
        QLatin1String part;
        ManagedService service;
    };
    // The first that fits.
    static constexpr std::array names{Name{QLatin1String(".serverless."), ElastiCacheServerless},
                                      Name{QLatin1String(".cache.amazonaws.com"), ElastiCache},
                                      Name{QLatin1String(".memorydb."), MemoryDb},
                                      Name{QLatin1String(".redis.cache.windows.net"), AzureCache},
                                      Name{QLatin1String(".redis.azure.net"), AzureManagedRedis},
                                      Name{QLatin1String(".redis-cloud.com"), RedisCloud},
                                      Name{QLatin1String(".redislabs.com"), RedisCloud},
                                      Name{QLatin1String(".upstash.io"), Upstash},
                                      Name{QLatin1String(".oci.oraclecloud.com"), OracleCache},
                                      Name{QLatin1String(".rds.aliyuncs.com"), AlibabaTair},
                                      Name{QLatin1String(".tencentcdb.com"), TencentCache}};
    for (const Name& name : names) {
        if (!host.contains(name.part, Qt::CaseInsensitive))
            continue;
        const bool isAmazon = host.contains(QLatin1String(".amazonaws.com"), Qt::CaseInsensitive);
        if (isAmazon || (name.service != ElastiCacheServerless && name.service != MemoryDb))
            return name.service;
    }
    return None;
}

}  // namespace lockkeeper::control
