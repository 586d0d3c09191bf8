// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "control/check/servercheck.h"
#include "control/rightsquestion.h"
#include "profile/neededcommands.h"
#include "redis/respvalue.h"

#include <vector>

namespace lockkeeper::control {

// The commands that the check asks about: those that Lockkeeper needs, and those that the locks of Redisson need
// besides.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::vector<profile::NeededCommand> checkedCommands(bool isCluster);

// The answers of one server. A question that was not asked, because the server is known to refuse it, has no value.
struct CheckAnswers {
    using Answer = std::optional<Result<redis::RespValue>>;

    QString address;
    redis::ServerInfo server;
    bool isCluster = false;  // the deployment is a Cluster
    std::vector<profile::NeededCommand> commands;
    std::vector<RightsVerdict> rights;         // of the user who watches; one for each command
    std::vector<RightsVerdict> writingRights;  // of another user who writes; empty: it is the same user
    Answer commandInfo;                        // COMMAND INFO with the names of `commands`
    std::vector<Answer> dryRuns;               // ACL DRYRUN for each command; empty: not asked
    std::vector<Answer> trials;                // the answers of commands without effect; empty: not asked
    Answer whoAmI;
    Answer info;
    Answer minReplicas;     // CONFIG GET min-replicas-to-write
    Answer appendFsync;     // CONFIG GET appendfsync
    Answer clusterInfo;     // CLUSTER INFO
    Answer keysOfOneLock;   // EVAL_RO with two keys of one hash tag
    Answer keysOfTwoSlots;  // EVAL_RO with keys of two slots; not asked in a Cluster
    Answer undeclaredKey;   // EVAL_RO that reads a key without declaring it: the error as a text, else empty
};

// Pure: the answers alone decide.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT NodeCheck nodeCheckOf(const CheckAnswers& answers);

}  // namespace lockkeeper::control
