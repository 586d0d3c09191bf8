// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

namespace lockkeeper::platform {

struct RunningProcess {
    pid_t id;
    pid_t parent;
    pid_t session;
    bool isStopped;  // by a signal
};

// Every process that this one has started, directly or not, without those that have ended and are only not reaped.
// What a descendant leaves behind counts if this process is a subreaper.
[[nodiscard]] std::vector<RunningProcess> descendants();

}  // namespace lockkeeper::platform
