// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/fakeserver.h"
#include "topology/replicaroute.h"

#include <map>
#include <memory>

namespace lockkeeper::test {

// A route to replicas that are fake servers.
class FakeRoute final : public topology::ReplicaRoute {
public:
    [[nodiscard]] std::optional<QList<topology::Address>> replicasOf(topology::ShardId) const override {
        return ofCluster;
    }
    [[nodiscard]] redis::TransportFactory transportsTo(const topology::Address& announced) const override {
        return servers.at(announced.display())->factory();
    }
    FakeServer& add(const QString& address) { return *(servers[address] = std::make_unique<FakeServer>()); }

    std::map<QString, std::unique_ptr<FakeServer>> servers;  // by address
    std::optional<QList<topology::Address>> ofCluster;
};

// The answer to INFO. replicas: "ip=10.0.0.2,port=7002", ...
inline QByteArray replicationReply(const QByteArray& role, const QByteArray& runId, const QByteArrayList& replicas = {},
                                   int connected = -1, const QByteArray& replicationId = "r1") {
    QByteArray text = "role:" + role + "\r\nrun_id:" + runId + "\r\nmaster_replid:" + replicationId +
                      "\r\nconnected_slaves:" + QByteArray::number(connected < 0 ? replicas.size() : connected) +
                      "\r\n";
    for (qsizetype i = 0; i < replicas.size(); ++i)
        text += "slave" + QByteArray::number(i) + ":" + replicas[i] + ",state=online\r\n";
    return bulk(text);
}

}  // namespace lockkeeper::test
