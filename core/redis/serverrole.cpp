// SPDX-License-Identifier: Apache-2.0
#include "redis/serverrole.h"

#include "redis/connectionoptions.h"
#include "redis/infofield.h"

#include <algorithm>

namespace lockkeeper::redis {

namespace {

QString display(const QString& host, quint16 port) {
    Endpoint server;
    server.host = host;
    server.port = port;
    return server.display();
}

// [host, port, offset], each as a string.
Replica replicaOf(const RespValue& entry, qint64 masterOffset) {
    if (entry.items.size() < 3)
        return {};
    const qint64 behind = masterOffset - entry.items[2].bytes.toLongLong();
    return {display(QString::fromUtf8(entry.items[0].bytes), entry.items[1].bytes.toUShort()),
            std::max<qint64>(behind, 0)};
}

MasterLink linkIn(QByteArrayView state, QByteArrayView up) {
    if (state.isEmpty())
        return MasterLink::NotKnown;
    return state == up ? MasterLink::Up : MasterLink::Down;
}

ServerRole roleInInfo(QByteArrayView info) {
    const auto valueOf = [info](QByteArrayView name) {
        return infoField(name, info).value_or(QByteArrayView()).toByteArray();
    };
    ServerRole role;
    role.name = valueOf("role");
    if (!role.isReplica())
        return role;
    role.masterHost = QString::fromUtf8(valueOf("master_host"));
    role.masterPort = valueOf("master_port").toUShort();
    role.masterLink = linkIn(valueOf("master_link_status"), "up");
    bool isNumber = false;
    const qint64 silence = valueOf("master_last_io_seconds_ago").toLongLong(&isNumber);
    if (isNumber && silence >= 0)
        role.silence = std::chrono::seconds(silence);
    return role;
}

}  // namespace

// ["master", offset, [replica, ...]] or ["slave", host, port, state of the link, offset]; INFO is a text.
ServerRole ServerRole::of(const RespValue& answer) {
    if (answer.isString())
        return roleInInfo(answer.bytes);
    ServerRole role;
    if (!answer.isAggregate() || answer.items.empty())
        return role;
    role.name = answer.items[0].bytes;
    if (answer.items.size() < 3)
        return role;
    if (role.isMaster()) {
        for (const RespValue& entry : answer.items[2].items)
            role.replicas += replicaOf(entry, answer.items[1].integer);
    } else if (role.isReplica() && answer.items[2].integer > 0 && answer.items[2].integer <= 0xffff) {
        role.masterHost = QString::fromUtf8(answer.items[1].bytes);
        role.masterPort = static_cast<quint16>(answer.items[2].integer);
    }
    if (role.isReplica() && answer.items.size() > 3)
        role.masterLink = linkIn(answer.items[3].bytes, "connected");
    return role;
}

QString ServerRole::master() const {
    return masterHost.isEmpty() ? QString() : display(masterHost, masterPort);
}

Error notMaster(const ServerRole& role) {
    QStringList arguments{QString::fromUtf8(role.name)};
    if (!role.master().isEmpty())
        arguments += role.master();
    return Error(ErrorCode::ConnectionLost, Cause::NotMaster, arguments);
}

Error masterLinkLost(const QString& master) {
    return Error(ErrorCode::ConnectionLost, Cause::MasterLinkLost,
                 master.isEmpty() ? QStringList() : QStringList{master});
}

}  // namespace lockkeeper::redis
