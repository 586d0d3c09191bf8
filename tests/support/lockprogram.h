// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/lockclient.h"
#include "support/anylock.h"
#include "topology/route.h"

namespace lockkeeper::test {

// A program with locks in a Cluster. It knows one node only at the beginning.
class LockProgram {
public:
    struct Loss {
        LockName name;
        locks::LossReason why;
        SteadyTime at{};
    };

    LockProgram(const QString& node, Clock& clock, const locks::LockClientOptions& options,
                const redis::ConnectionOptions& connections = connectionOptions())
        : m_route(deploymentAt(node), connections, clock), m_client(connections, m_route.shards(), clock, options) {
        QObject::connect(&m_client, &locks::LockClient::lockLost,
                         [this, &clock](const locks::HoldKey& key, locks::LossReason why) {
                             losses.push_back({key.name, why, clock.now()});
                         });
        m_client.open();
    }

    [[nodiscard]] static redis::ConnectionOptions connectionOptions() {
        redis::ConnectionOptions options;
        options.role = redis::WantedRole::Master;
        options.lastRetry = Milliseconds(1000);
        return options;
    }
    [[nodiscard]] locks::LockClient& client() { return m_client; }
    [[nodiscard]] AnyLock lock(Kind kind, const QByteArray& name) { return AnyLock(kind, {&m_client}, LockName(name)); }
    [[nodiscard]] QList<LockName> lostNames() const {
        QList<LockName> names;
        for (const Loss& loss : losses)
            names += loss.name;
        return names;
    }

    std::vector<Loss> losses;

private:
    [[nodiscard]] static topology::Deployment deploymentAt(const QString& node) {
        topology::Deployment deployment;
        deployment.cluster = {*topology::Address::parse(node, 0)};
        return deployment;
    }

    topology::Route m_route;
    locks::LockClient m_client;
};

}  // namespace lockkeeper::test
