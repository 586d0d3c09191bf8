// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connectionoptions.h"
#include "topology/deployment.h"

#include <functional>
#include <optional>
#include <vector>

namespace lockkeeper::lab {

// The servers as an actor knows them.
struct ActorNetwork {
    using ConnectionTo = std::function<redis::ConnectionOptions()>;  // asked at each connect

    // One client that finds the masters by itself. Nothing: a client at each of the servers.
    struct Deployed {
        topology::Deployment deployment;
        redis::ConnectionOptions options;
        std::function<redis::Endpoint(const redis::Endpoint&)> reached;  // where a server is that announces itself so
    };

    std::vector<ConnectionTo> servers;  // empty: only the master of the deployment
    std::optional<Deployed> deployed;
};

}  // namespace lockkeeper::lab
