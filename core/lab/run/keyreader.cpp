// SPDX-License-Identifier: Apache-2.0
#include "lab/run/keyreader.h"

#include "redis/script.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

// A screen does not show more keys.
constexpr int mostKeys = 100;
constexpr int mostEntries = 50;

bool hasPairs(const QByteArray& type) {
    return type == "hash" || type == "zset";
}

std::vector<LabKey::Entry> entriesFrom(const QByteArray& type, const std::vector<redis::RespValue>& items) {
    std::vector<LabKey::Entry> entries;
    const size_t width = hasPairs(type) ? 2 : 1;
    for (size_t at = 0; at + width <= items.size() && entries.size() < mostEntries; at += width) {
        if (type == "string")
            entries.push_back({QByteArray(), items[at].bytes});
        else
            entries.push_back({items[at].bytes, width == 2 ? items[at + 1].bytes : QByteArray()});
    }
    if (type == "hash" || type == "set")
        std::ranges::sort(entries, {}, &LabKey::Entry::field);
    return entries;
}

LabKey keyFrom(const redis::RespValue& reply) {
    LabKey key;
    key.name = reply.items[0].bytes;
    key.type = reply.items[1].bytes;
    if (reply.items[2].integer >= 0)
        key.ttl = Milliseconds(reply.items[2].integer);
    key.entries = entriesFrom(key.type, reply.items[3].items);
    return key;
}

}  // namespace

Task<std::vector<LabServer>> KeyReader::read(qsizetype frame) {
    std::vector<LabServer> servers;
    for (int number = 0; number < m_laboratory.serverCount(); ++number) {
        LabServer server = co_await readOne(ServerNumber(number), frame);
        servers.push_back(std::move(server));
    }
    if (m_laboratory.hasSentinel())
        servers.push_back(withoutKeys(sentinelServer));
    m_last = servers;
    co_return servers;
}

LabServer KeyReader::withoutKeys(ServerNumber number) const {
    LabServer server;
    server.number = number;
    server.isReplica = m_laboratory.isReplica(number);
    server.isReplicationHeld = server.isReplica && m_laboratory.isReplicationHeld();
    server.unreached = m_laboratory.unreachedBy(number);
    if (!m_laboratory.isAlive(number))
        server.condition = ServerCondition::Killed;
    else if (m_laboratory.isFrozen(number))
        server.condition = ServerCondition::Frozen;
    return server;
}

// The entry of a server that lives, but cannot be read.
LabServer KeyReader::withLastKeys(LabServer server) const {
    const auto last = std::ranges::find(m_last, server.number, &LabServer::number);
    if (server.condition != ServerCondition::Killed && last != m_last.end()) {
        server.keys = last->keys;
        server.keysLeftOut = last->keysLeftOut;
    }
    return server;
}

Task<LabServer> KeyReader::readOne(ServerNumber number, qsizetype frame) {
    LabServer server = withoutKeys(number);
    if (server.condition != ServerCondition::Running)
        co_return withLastKeys(std::move(server));
    static const redis::Script script = redis::Script::embedded(QStringLiteral("lab/lua/snapshot.lua"));
    const QByteArrayList command{"EVAL",
                                 script.source(),
                                 "0",
                                 snapshotMark,
                                 QByteArray::number(frame),
                                 QByteArray::number(mostKeys),
                                 QByteArray::number(mostEntries)};
    const Result<redis::RespValue> reply = co_await m_laboratory.ask(number, command);
    if (!reply || reply->items.empty()) {
        server = co_await unread(number);
        co_return withLastKeys(std::move(server));
    }
    for (size_t at = 1; at < reply->items.size(); ++at)
        server.keys.push_back(keyFrom(reply->items[at]));
    server.keysLeftOut = reply->items[0].integer - static_cast<qint64>(server.keys.size());
    co_return server;
}

// A script that reads a key of a Cluster that is down fails with an error without a kind of its own. So the server is
// asked for the reason. The command is in small letters, because actors send the same one, and their commands are found
// in MONITOR by their bytes.
Task<LabServer> KeyReader::unread(ServerNumber number) {
    bool isClusterDown = false;
    if (m_laboratory.serversPlan().form == ServersPlan::Form::Cluster) {
        const QByteArrayList command{"cluster", "info"};
        const Result<redis::RespValue> info = co_await m_laboratory.ask(number, command);
        isClusterDown = info && info->bytes.contains("cluster_state:fail");
    }
    LabServer server = withoutKeys(number);
    if (server.condition == ServerCondition::Running)
        server.reading = isClusterDown ? KeyReading::ClusterDown : KeyReading::Failed;
    co_return server;
}

}  // namespace lockkeeper::lab
