// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/replication.h"

namespace lockkeeper::monitor {

namespace {

// Of "ip=127.0.0.1,port=6380,state=online,offset=14,lag=1"; IPv6 without brackets.
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

// "slave0", and so on; "slave_repl_offset" and others are no replicas.
bool namesReplica(const QByteArray& field) {
    bool isNumber = false;
    (void)field.sliced(qMin<qsizetype>(5, field.size())).toUInt(&isNumber);
    return field.startsWith("slave") && isNumber;
}

}  // namespace

Replication parseReplication(QByteArrayView info) {
    Replication found;
    for (const QByteArray& line : info.toByteArray().split('\n')) {
        const qsizetype colon = line.indexOf(':');
        const QByteArray field = line.first(qMax<qsizetype>(0, colon));
        const QByteArray value = line.sliced(colon + 1).trimmed();
        if (field == "role")
            found.isMaster = value == "master";
        else if (field == "run_id")
            found.runId = value;
        else if (field == "master_replid")
            found.replicationId = value;
        else if (field == "connected_slaves")
            found.connected = value.toInt();
        else if (const auto address = namesReplica(field) ? addressIn(value) : std::nullopt)
            found.replicas += *address;
    }
    return found;
}

}  // namespace lockkeeper::monitor
