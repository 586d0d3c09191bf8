// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connectionoptions.h"
#include "topology/deployment.h"

#include <functional>
#include <optional>
#include <vector>

namespace lockkeeper::lab {

// The servers with the addresses that an actor uses.
struct ActorNetwork {
    using ConnectionTo = std::function<redis::ConnectionOptions()>;  // called at each connect

    // A single client that finds the masters itself. Nothing: a client at each of the servers.
    struct Deployed {
        topology::Deployment deployment;
        redis::ConnectionOptions options;
        std::function<redis::Endpoint(const redis::Endpoint&)> reached;  // the real one of an announced one
    };

    std::vector<ConnectionTo> servers;  // empty: only the master of the deployment
    std::optional<Deployed> deployed;
};

}  // namespace lockkeeper::lab
