// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "control/writingdenials.h"
#include "lockkeeper_monitor_export.h"
#include "profile/neededcommands.h"
#include "redis/command.h"
#include "redis/respvalue.h"
#include "redis/serverinfo.h"

#include <vector>

namespace lockkeeper::control {

struct AnsweredRights {
    RightsInAdvance inAdvance = RightsInAdvance::Unknown;
    QList<WritingDenial> denied;
};

// Asks a server, by one script that only reads, which of the commands for writing it would refuse to this user. The key
// or the channel may be the reason for the same refusal. So a command counts as refused only if other commands show
// that the user may read and write the key, or use the channel. A user who is limited to other names than the sample
// therefore loses nothing.
class LOCKKEEPER_MONITOR_EXPORT RightsQuestion {
public:
    // Whether the server can answer: no script can ask this before Redis 7.
    [[nodiscard]] static bool isKnownTo(const redis::ServerInfo& server);
    // sample: the name of a lock, which need not exist. isSharded: the server publishes messages by shard.
    RightsQuestion(const LockName& sample, bool isSharded);

    [[nodiscard]] redis::Command command() const;
    [[nodiscard]] AnsweredRights rightsIn(const Result<redis::RespValue>& answer) const;

private:
    struct Proof;

    [[nodiscard]] Proof proofIn(const std::vector<redis::RespValue>& verdicts) const;

    const LockName m_sample;
    std::vector<profile::NeededCommand> m_commands;
};

}  // namespace lockkeeper::control
