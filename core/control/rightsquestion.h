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

enum class RightsVerdict {
    Unknown,
    Allowed,
    Refused,      // the command itself
    RefusedHere,  // with the sample's key or channel; with others it may be allowed
    NotHad        // the server does not have the command
};

// Asks a server, by one script that only reads, which commands it would refuse to this user. The key or the channel may
// be the reason for the same refusal. So a command counts as refused only if other commands show that the user may use
// the key in the same way, or the channel. A user who is limited to other names than the sample therefore loses
// nothing.
class LOCKKEEPER_MONITOR_EXPORT RightsQuestion {
public:
    // Whether the server can answer: no script can ask this before Redis 7.
    [[nodiscard]] static bool isKnownTo(const redis::ServerInfo& server);
    // About the commands for writing. sample: the name of a lock, which need not exist. isSharded: the server publishes
    // messages by shard.
    RightsQuestion(const LockName& sample, bool isSharded);
    RightsQuestion(const LockName& sample, std::vector<profile::NeededCommand> commands);

    [[nodiscard]] redis::Command command() const;
    [[nodiscard]] AnsweredRights rightsIn(const Result<redis::RespValue>& answer) const;
    // One for each command, in their order.
    [[nodiscard]] std::vector<RightsVerdict> verdictsIn(const Result<redis::RespValue>& answer) const;
    // The command with arguments that name the sample.
    [[nodiscard]] QByteArrayList wordsOf(const profile::NeededCommand& command) const;

private:
    struct Proof;

    [[nodiscard]] Proof proofIn(const std::vector<redis::RespValue>& verdicts) const;
    // Whether the answer has a verdict for each command.
    [[nodiscard]] bool isWhole(const Result<redis::RespValue>& answer) const;

    const LockName m_sample;
    std::vector<profile::NeededCommand> m_commands;
};

}  // namespace lockkeeper::control
