// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/replication.h"

#include "redis/infofield.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// The address in "ip=127.0.0.1,port=6380,state=online,offset=14,lag=1"; IPv6 without brackets.
std::optional<topology::Address> addressIn(const QByteArray& replica) {
    topology::Address address;
    for (const QByteArray& part : replica.split(',')) {
        if (part.startsWith("ip="))
            address.host = QString::fromUtf8(part.sliced(3));
        else if (part.startsWith("port="))
            address.port = part.sliced(5).toUShort();
    }
    return address.host.isEmpty() || address.port == 0 ? std::nullopt : std::optional(address);
}

}  // namespace

Replication parseReplication(QByteArrayView info) {
    const auto valueOf = [info](QByteArrayView name) {
        return redis::infoField(name, info).value_or(QByteArrayView()).toByteArray();
    };
    Replication found;
    found.isMaster = valueOf("role") == "master";
    found.runId = valueOf("run_id");
    found.replicationId = valueOf("master_replid");
    if (const std::optional<QByteArrayView> connected = redis::infoField("connected_slaves", info))
        found.connected = connected->toInt();
    const int listed = std::min(found.connected.value_or(0), Replication::mostListed);
    for (int i = 0; i < listed; ++i) {
        if (const auto address = addressIn(valueOf("slave" + QByteArray::number(i))))
            found.replicas += *address;
    }
    return found;
}

}  // namespace lockkeeper::monitor
