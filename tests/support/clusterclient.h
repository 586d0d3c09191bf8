// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/lockclient.h"
#include "topology/route.h"

namespace lockkeeper::test {

// A LockClient in a Cluster. At first it knows one node only.
class ClusterClient {
public:
    explicit ClusterClient(const QString& node, Clock& clock, const locks::LockClientOptions& options = {},
                           redis::Publishing publishing = redis::Publishing::PlainAndSharded,
                           const redis::ConnectionOptions& connections = connectionOptions())
        : m_route(deploymentAt(node, publishing), connections, clock),
          m_client(connections, m_route.shards(), clock, options) {
        m_client.open();
    }
    [[nodiscard]] static redis::ConnectionOptions connectionOptions() {
        redis::ConnectionOptions options;
        options.role = redis::WantedRole::Master;
        options.lastRetry = Milliseconds(1000);
        return options;
    }
    [[nodiscard]] locks::LockClient& client() { return m_client; }

private:
    static topology::Deployment deploymentAt(const QString& node, redis::Publishing publishing) {
        topology::Deployment deployment;
        deployment.cluster = {*topology::Address::parse(node, 0)};
        deployment.publishing = publishing;
        return deployment;
    }
    topology::Route m_route;
    locks::LockClient m_client;
};

}  // namespace lockkeeper::test
