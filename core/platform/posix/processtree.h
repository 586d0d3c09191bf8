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

// As /proc/ID/stat shows it. Nothing if it has ended, also while it is read.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<RunningProcess> readProcess(std::istream& stat, pid_t id);

// Every process that this one has started, directly or not, without those that have ended and are only not reaped.
// What a descendant leaves behind counts if this process is a subreaper.
[[nodiscard]] LOCKKEEPER_EXPORT std::vector<RunningProcess> descendants();

}  // namespace lockkeeper::platform
