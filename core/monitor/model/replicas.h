// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockkeeper::monitor {

// The replicas that are connected to the master of a shard.
struct Replicas {
    int connected = 0;
    int mostSeen = 0;  // includes the time before a failover; replicas that have been missing for long do not count
    int silent = 0;    // connected, but the master has received nothing from them for some seconds

    [[nodiscard]] bool areMissing() const noexcept { return connected < mostSeen; }
    // Whether a client that waits for a replica may get no answer.
    [[nodiscard]] bool mayNotAnswer() const noexcept { return areMissing() || (silent > 0 && silent == connected); }
    friend bool operator==(const Replicas&, const Replicas&) = default;
};

}  // namespace lockkeeper::monitor
