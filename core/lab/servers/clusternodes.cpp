// SPDX-License-Identifier: Apache-2.0
#include "lab/servers/clusternodes.h"

#include "async/pause.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds clusterPatience = 20s;
constexpr Milliseconds untilMetAgain = 4s;  // more than a meeting takes
constexpr Milliseconds clusterPollInterval = 50ms;

bool hasLines(const QByteArray& text, const QByteArrayList& lines) {
    return std::ranges::all_of(lines, [&text](const QByteArray& line) { return text.contains(line + "\r\n"); });
}

// Searches the answer to CLUSTER NODES: one line for each node, with its id and, as the third word, its flags. "fail?"
// is only a suspicion.
bool isDeadIn(const QByteArray& nodes, const QByteArray& id) {
    return std::ranges::any_of(nodes.split('\n'), [&id](const QByteArray& line) {
        const QByteArrayList words = line.split(' ');
        return words.front() == id && words.value(2).split(',').contains("fail");
    });
}

}  // namespace

topology::SlotRange slotsOfMaster(int master, int masters) {
    const auto firstOf = [masters](int number) { return number * topology::hashSlots / masters; };
    return {static_cast<topology::HashSlot>(firstOf(master)), static_cast<topology::HashSlot>(firstOf(master + 1) - 1)};
}

QStringList clusterNodeArguments(quint16 busPort) {
    return {QStringLiteral("--cluster-enabled"),      QStringLiteral("yes"),
            QStringLiteral("--cluster-node-timeout"), QStringLiteral("1000"),
            QStringLiteral("--cluster-port"),         QString::number(busPort)};
}

ClusterNodes::ClusterNodes(const Servers& servers, int masters, QByteArray password, Clock& clock, std::stop_token life)
    : m_servers(servers), m_password(std::move(password)), m_clock(clock), m_life(std::move(life)) {
    for (int number = 0; number < masters; ++number) {
        Node& node = *m_nodes.emplace_back(std::make_unique<Node>());
        redis::Endpoint bus;
        bus.port = node.bus.number();
        node.line.leadTo(bus);
        (void)node.line.listen();  // an error shows in hasPorts()
    }
}

bool ClusterNodes::hasPorts() const {
    return std::ranges::all_of(m_nodes, [](const auto& node) {
        return node->port.number() > 0 && node->bus.number() > 0 && node->line.port() > 0;
    });
}

void ClusterNodes::complete(ServerSetup& setup, ServerNumber server) const {
    setup.port = portOf(server);
    setup.extra += clusterNodeArguments(at(server).bus.number());
    setup.extra += {QStringLiteral("--cluster-announce-bus-port"), QString::number(at(server).line.port())};
}

Task<Result<Done>> ClusterNodes::join() {
    for (size_t number = 0; number < m_nodes.size(); ++number) {
        const Result<Done> prepared = co_await prepare(ServerNumber(static_cast<int>(number)));
        if (!prepared)
            co_return prepared;
    }
    const QByteArray all = QByteArray::number(m_nodes.size());
    const QByteArrayList whole{"cluster_state:ok", "cluster_known_nodes:" + all, "cluster_size:" + all};
    const IsMet isWhole = [whole](const QByteArray& info) { return hasLines(info, whole); };
    const Deadline end = Deadline::in(m_clock, clusterPatience);
    Result<Done> joined = Error(ErrorCode::Timeout, Cause::NoAnswerInTime);
    while (!joined && !end.hasPassed() && !m_life.stop_requested()) {
        const Result<Done> met = co_await meetFirst();
        if (!met)
            co_return met;
        joined = co_await awaitAll("INFO", isWhole, end.earlier(Deadline::in(m_clock, untilMetAgain)));
    }
    co_return joined;
}

// A server that gets no answer to its MEET within its timeout, on a busy machine, forgets it. Then it must be repeated.
Task<Result<Done>> ClusterNodes::meetFirst() {
    const Node& first = *m_nodes.front();
    const QByteArrayList meet{"CLUSTER", "MEET", "127.0.0.1", QByteArray::number(first.port.number()),
                              QByteArray::number(first.line.port())};
    for (size_t number = 1; number < m_nodes.size(); ++number) {
        const Result<Done> ordered = co_await order(ServerNumber(static_cast<int>(number)), meet);
        if (!ordered)
            co_return ordered;
    }
    co_return Done();
}

// Each server gets its own epoch from the beginning, as redis-cli --cluster create does: otherwise the servers first
// have to agree which of them changes its epoch.
Task<Result<Done>> ClusterNodes::prepare(ServerNumber server) {
    const auto number = static_cast<int>(server);
    const topology::SlotRange range = slotsOfMaster(number, static_cast<int>(m_nodes.size()));
    const QByteArrayList epoch{"CLUSTER", "SET-CONFIG-EPOCH", QByteArray::number(number + 1)};
    const QByteArrayList add{"CLUSTER", "ADDSLOTSRANGE", QByteArray::number(range.first),
                             QByteArray::number(range.last)};
    const std::vector<QByteArrayList> commands{epoch, add};
    for (const QByteArrayList& command : commands) {
        const Result<Done> ordered = co_await order(server, command);
        if (!ordered)
            co_return ordered;
    }
    const QByteArrayList who{"CLUSTER", "MYID"};
    const Result<redis::RespValue> id = co_await serverAt(server).ask(who);
    if (!id)
        co_return id.error();
    m_nodes.at(static_cast<size_t>(server))->id = id->bytes;
    co_return Done();
}

Task<Result<Done>> ClusterNodes::order(ServerNumber server, QByteArrayList command) {
    return serverAt(server).order(std::move(command));
}

Task<Result<Done>> ClusterNodes::awaitDead(ServerNumber server) {
    const IsMet isDead = [id = at(server).id](const QByteArray& nodes) { return isDeadIn(nodes, id); };
    const Result<Done> dead = co_await awaitAll("NODES", isDead, Deadline::in(m_clock, clusterPatience));
    co_return dead;
}

// All lines are cut at the ports of these servers, because an isolated server also connects to the others.
void ClusterNodes::isolate(const std::set<ServerNumber>& servers) {
    using Whose = ServerLine::Whose;
    m_isolated = servers;
    std::set<quint16> ports;
    for (const ServerNumber server : servers)
        ports.insert(portOf(server));
    for (size_t number = 0; number < m_nodes.size(); ++number) {
        const bool isOne = servers.contains(static_cast<ServerNumber>(number));
        m_nodes[number]->line.cut(isOne ? Whose::Everybodys : Whose::Nobodys, ports);
    }
}

bool ClusterNodes::takesPart(ServerNumber server) const {
    return serverAt(server).isAlive() && !serverAt(server).isFrozen() && !m_isolated.contains(server);
}

Task<Result<Done>> ClusterNodes::awaitAll(QByteArray command, IsMet isMet, Deadline end) {
    while (!end.hasPassed() && !m_life.stop_requested()) {
        const bool isThere = co_await holdsForAll(command, isMet);
        if (isThere)
            co_return Done();
        (void)co_await pauseUntil(Deadline::in(m_clock, clusterPollInterval), m_life);
    }
    co_return Error(ErrorCode::Timeout, Cause::NoAnswerInTime);
}

Task<bool> ClusterNodes::holdsForAll(QByteArray command, IsMet isMet) {
    const QByteArrayList question{"CLUSTER", command};
    bool isAsked = false;
    for (size_t at = 0; at < m_servers.size(); ++at) {
        if (!takesPart(static_cast<ServerNumber>(at)))
            continue;
        isAsked = true;
        const Result<redis::RespValue> answer = co_await m_servers[at]->ask(question);
        if (!answer || !isMet(answer->bytes))
            co_return false;
    }
    co_return isAsked;
}

Task<Result<Done>> ClusterNodes::moveSlot(topology::HashSlot slot, ServerNumber from, ServerNumber to) {
    const QByteArray number = QByteArray::number(slot);
    const QByteArrayList import{"CLUSTER", "SETSLOT", number, "IMPORTING", at(from).id};
    const QByteArrayList migrate{"CLUSTER", "SETSLOT", number, "MIGRATING", at(to).id};
    const QByteArrayList assign{"CLUSTER", "SETSLOT", number, "NODE", at(to).id};
    Result<Done> done = co_await order(to, import);
    if (done)
        done = co_await order(from, migrate);
    if (done)
        done = co_await moveKeys(slot, from, to);
    if (done)
        done = co_await order(to, assign);
    for (size_t other = 0; done && other < m_servers.size(); ++other) {
        if (takesPart(static_cast<ServerNumber>(other)))  // otherwise it learns this from the others later
            done = co_await m_servers[other]->order(assign);
    }
    co_return done;
}

Task<Result<Done>> ClusterNodes::moveKeys(topology::HashSlot slot, ServerNumber from, ServerNumber to) {
    const QByteArrayList list{"CLUSTER", "GETKEYSINSLOT", QByteArray::number(slot), "1000"};
    const Result<redis::RespValue> keys = co_await serverAt(from).ask(list);
    if (!keys)
        co_return keys.error();
    if (keys->items.empty())
        co_return Done();
    QByteArrayList move{"MIGRATE",  "127.0.0.1", QByteArray::number(portOf(to)), "", "0", "5000", "AUTH",
                        m_password, "KEYS"};
    for (const redis::RespValue& key : keys->items)
        move += key.bytes;
    const Result<Done> moved = co_await order(from, move);
    co_return moved;
}

}  // namespace lockkeeper::lab
