// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <sys/types.h>

#include <istream>
#include <optional>
#include <vector>

namespace lockkeeper::platform {

struct RunningProcess {
    pid_t id;
    pid_t parent;
    pid_t session;
    bool isStopped;  // by a signal
};

// The process as /proc/ID/stat shows it. Nothing if it has ended, also during the read.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<RunningProcess> readProcess(std::istream& stat, pid_t id);

// Every process that this one has started, directly or indirectly, without zombies. If this process is a subreaper,
// this includes the processes that a descendant leaves behind.
[[nodiscard]] LOCKKEEPER_EXPORT std::vector<RunningProcess> descendants();

}  // namespace lockkeeper::platform
