// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/labids.h"

#include <algorithm>
#include <vector>

namespace lockkeeper::lab {

// The servers and actors that partitions cut off from an actor or a server: no bytes pass between them in either
// direction. A value.
struct Unreached {
    std::vector<ServerNumber> servers;
    std::vector<ActorName> actors;  // only for a server
    bool sentinel = false;

    // server: may be the Sentinel.
    [[nodiscard]] bool contains(ServerNumber server) const {
        return server == sentinelServer ? sentinel : std::find(servers.begin(), servers.end(), server) != servers.end();
    }
    [[nodiscard]] bool isEmpty() const noexcept { return servers.empty() && actors.empty() && !sentinel; }
    friend bool operator==(const Unreached&, const Unreached&) = default;
};

}  // namespace lockkeeper::lab
