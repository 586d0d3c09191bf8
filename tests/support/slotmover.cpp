// SPDX-License-Identifier: Apache-2.0
#include "support/slotmover.h"

#include "redis/sockettransport.h"
#include "support/taskwait.h"

#include <algorithm>

namespace lockkeeper::test {

using redis::Command;

namespace {

Command setSlot(topology::HashSlot slot, const QByteArray& what, const QString& node) {
    return Command("CLUSTER").arg("SETSLOT").arg(QByteArray::number(slot)).arg(what).arg(node.toLatin1());
}

Command migrate(const QByteArray& key, quint16 port) {
    return Command("MIGRATE").arg("127.0.0.1").arg(QByteArray::number(port)).arg(key).arg("0").arg("5000");
}

}  // namespace

SlotMover::SlotMover(ClusterSetup& cluster, Clock& clock) : m_cluster(cluster) {
    for (size_t i = 0; i < cluster.masterCount(); ++i) {
        const redis::ConnectionOptions options = cluster.master(i).options();
        m_connections.push_back(std::make_unique<redis::Connection>(
            options, [options] { return redis::makeSocketTransport(options.endpoint); }, clock));
    }
}

bool SlotMover::connect() {
    for (const auto& connection : m_connections)
        connection->open();
    return becomesTrue([this] {
        return std::ranges::all_of(m_connections, [](const auto& connection) { return connection->isReady(); });
    });
}

bool SlotMover::move(const QList<topology::HashSlot>& slotNumbers, const QByteArrayList& keys, size_t from, size_t to) {
    std::vector<Command> importing;
    std::vector<Command> leaving;
    for (const topology::HashSlot slot : slotNumbers) {
        importing.push_back(setSlot(slot, "IMPORTING", m_cluster.id(from)));
        leaving.push_back(setSlot(slot, "MIGRATING", m_cluster.id(to)));
    }
    for (const QByteArray& key : keys)
        leaving.push_back(migrate(key, m_cluster.master(to).port()));
    std::vector<size_t> others;
    for (size_t i = 0; i < m_cluster.masterCount(); ++i) {
        if (i != to)
            others.push_back(i);
    }
    return run(to, importing) && run(from, leaving) && assign(slotNumbers, {to}, to) && assign(slotNumbers, others, to);
}

bool SlotMover::assign(const QList<topology::HashSlot>& slotNumbers, const std::vector<size_t>& masters, size_t to) {
    std::vector<Command> commands;
    for (const topology::HashSlot slot : slotNumbers)
        commands.push_back(setSlot(slot, "NODE", m_cluster.id(to)));
    return std::ranges::all_of(masters, [&](size_t master) { return run(master, commands); });
}

bool SlotMover::run(size_t master, const std::vector<Command>& commands) {
    std::vector<Completion<redis::RespValue>> answers;
    for (const Command& command : commands)
        answers.push_back(m_connections[master]->send(command));
    std::vector<Result<redis::RespValue>> replies;
    for (const Completion<redis::RespValue>& answer : answers)
        answer.then([&replies](const Result<redis::RespValue>& reply) { replies.push_back(reply); });
    if (!becomesTrue([&] { return replies.size() == commands.size(); }, 10000))
        qFatal("a master does not answer while slots move");
    return std::ranges::all_of(replies, [](const Result<redis::RespValue>& reply) {
        const bool isFine =
            reply || reply.error().code == ErrorCode::ConnectionLost || reply.error().code == ErrorCode::OutcomeUnknown;
        if (!isFine)
            qWarning("a slot does not move: %s", qPrintable(reply.error().text));
        return isFine;
    });
}

}  // namespace lockkeeper::test
