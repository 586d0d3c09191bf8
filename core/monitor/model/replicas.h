// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::monitor {

// The replicas that are connected to the master of a shard.
struct Replicas {
    int connected = 0;
    int mostSeen = 0;  // includes the time before a failover; replicas that have been missing for long do not count

    [[nodiscard]] bool areMissing() const noexcept { return connected < mostSeen; }
    friend bool operator==(const Replicas&, const Replicas&) = default;
};

}  // namespace lockkeeper::monitor
