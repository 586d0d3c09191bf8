// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArrayList>

#include <span>

namespace lockkeeper::profile {

// What the right depends on beside the command, as a server of Redis 7 decides it.
enum class CommandReach {
    Nothing,
    NamesKey,    // a key that may be used in any way
    ReadsKey,    // a key that may be read
    WritesKey,   // a key that may be written
    ChangesKey,  // a key that may be read and written
    Channel
};

// Who sends it, or runs it in a script.
enum class CommandUse {
    Watching,
    Always,           // watching and writing
    Writing,
    WritingInCluster  // of a profile that is of a whole Cluster
};

// A command that this program cannot do without where nothing else is refused.
struct NeededCommand {
    const char* name;  // as a rule of the ACL has it: "client|tracking"
    CommandUse use;
    CommandReach reach;
    const char* arguments;  // enough for the server to accept the command; * stands for a key or a channel
};

// Of locks. What semaphores and latches need beside it is in resources/manual/connecting.md ("Rights").
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::span<const NeededCommand> neededCommands();

// A name that a profile with these patterns may be about, as far as they have no wildcards but * and ?.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LockName sampleName(const QByteArrayList& matches);

}  // namespace lockkeeper::profile
