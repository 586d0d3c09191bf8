// SPDX-License-Identifier: Apache-2.0
#include "lab/run/labchange.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

const LabServer* serverIn(const std::vector<LabServer>& servers, ServerNumber number) {
    const auto server = std::ranges::find(servers, number, &LabServer::number);
    return server == servers.end() ? nullptr : &*server;
}

const LabKey* keyIn(const std::vector<LabServer>& servers, ServerNumber number, const QByteArray& name) {
    const LabServer* server = serverIn(servers, number);
    if (!server)
        return nullptr;
    const auto key = std::ranges::find(server->keys, name, &LabKey::name);
    return key == server->keys.end() ? nullptr : &*key;
}

// Empty if nothing has changed. A TTL grows only by a renewal.
QByteArray changeOf(const LabKey* shown, const LabKey* lastRead, const LabKey& now) {
    if (!shown)
        return QByteArrayLiteral("added");
    if (!shown->keepsTheSame(now))
        return QByteArrayLiteral("changed");
    return lastRead && lastRead->ttl && now.ttl && *now.ttl > *lastRead->ttl ? QByteArrayLiteral("renewed")
                                                                             : QByteArray();
}

// Only for servers in an unchanged condition, because freezing, killing or continuing a server is a step. A server that
// is just being killed cannot be read.
std::optional<LabChange> changeOfReading(const std::vector<LabServer>& now, const std::vector<LabServer>& shown) {
    for (const LabServer& server : now) {
        const LabServer* before = serverIn(shown, server.number);
        const bool isChanged = before && before->condition == server.condition && before->reading != server.reading;
        if (!isChanged || server.reading == KeyReading::Failed)
            continue;
        const QByteArray what =
            server.reading == KeyReading::Now ? QByteArrayLiteral("read-again") : QByteArrayLiteral("cluster-down");
        return LabChange{what, {}, {{"server", qint64{static_cast<int>(server.number)}}}};
    }
    return std::nullopt;
}

}  // namespace

// If a server can be read again, this comes first: changes of its keys belong to the same moment.
std::optional<LabChange> changeIn(const std::vector<LabServer>& now, const std::vector<LabServer>& shown,
                                  const std::vector<LabServer>& lastRead) {
    if (const std::optional<LabChange> reading = changeOfReading(now, shown))
        return reading;
    for (const LabServer& server : now) {
        for (const LabKey& key : server.keys) {
            const QByteArray what =
                changeOf(keyIn(shown, server.number, key.name), keyIn(lastRead, server.number, key.name), key);
            if (!what.isEmpty())
                return LabChange{what, key.name, {}};
        }
    }
    for (const LabServer& server : shown) {
        for (const LabKey& key : server.keys) {
            if (!keyIn(now, server.number, key.name))
                return LabChange{QByteArrayLiteral("gone"), key.name, {}};
        }
    }
    return std::nullopt;
}

}  // namespace lockkeeper::lab
