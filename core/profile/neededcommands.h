// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArrayList>

#include <span>

namespace lockkeeper::profile {

// What the right depends on besides the command, as a server of Redis 7 decides it.
enum class CommandReach {
    Nothing,
    NamesKey,    // a key that may be used in any way
    ReadsKey,    // a key that may be read
    WritesKey,   // a key that may be written
    ChangesKey,  // a key that may be read and written
    Channel
};

// Who sends the command, or runs it in a script.
enum class CommandUse {
    Watching,
    Always,  // watching and writing
    Writing,
    WritingInCluster  // for a profile of a whole Cluster
};

// A command that this program needs when the server refuses nothing else.
struct NeededCommand {
    const char* name;  // as in an ACL rule: "client|tracking"
    CommandUse use;
    CommandReach reach;
    const char* arguments;  // enough for the server to accept the command; * stands for a key or a channel
};

// The commands for locks. resources/manual/connecting.md ("Rights") lists what semaphores and latches need besides
// these.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::span<const NeededCommand> neededCommands();

// A name that matches one of these patterns, if they have no wildcards other than * and ?.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LockName sampleName(const QByteArrayList& matches);

}  // namespace lockkeeper::profile
