// SPDX-License-Identifier: Apache-2.0
#include "support/clustersetup.h"

#include "lab/servers/clusternodes.h"
#include "support/taskwait.h"

#include <algorithm>

namespace lockkeeper::test {

namespace {

constexpr int joinTime = 20000;
constexpr int meetings = 5;

bool isOk(const QString& reply) {
    if (reply == QStringLiteral("OK"))
        return true;
    qWarning("a node of the Cluster answers: %s", qPrintable(reply));
    return false;
}

}  // namespace

ClusterSetup::ClusterSetup(int masters, int replicasEach, const MoreFor& more)
    : m_replicasEach(static_cast<size_t>(replicasEach)) {
    const auto make = [&more](int number) { return makeNode(more ? more(number) : QStringList()); };
    for (int i = 0; i < masters; ++i)
        m_masters.push_back(make(i));
    for (int i = 0; i < masters * replicasEach; ++i)
        m_replicas.push_back(make(masters + i));
}

ClusterSetup::Node ClusterSetup::makeNode(const QStringList& more) {
    auto bus = std::make_unique<lab::ReservedPort>();
    const QStringList extra = lab::clusterNodeArguments(bus->number()) +
                              QStringList{QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")};
    Node node{std::move(bus), std::make_unique<RedisServer>(extra + more), {}};
    return node;
}

bool ClusterSetup::startNode(Node& node) {
    if (!node.server->start())
        return false;
    node.id = node.server->cli({QStringLiteral("CLUSTER"), QStringLiteral("MYID")});
    return !node.id.isEmpty();
}

// Each server has an epoch of its own from the start, as redis-cli --cluster create assigns it: otherwise the servers
// first have to agree which of them changes its epoch.
bool ClusterSetup::start() {
    for (size_t i = 0; i < m_masters.size(); ++i) {
        Node& node = m_masters[i];
        if (!startNode(node) ||
            !isOk(node.server->cli(
                {QStringLiteral("CLUSTER"), QStringLiteral("SET-CONFIG-EPOCH"), QString::number(i + 1)})) ||
            !isOk(node.server->cli({QStringLiteral("CLUSTER"), QStringLiteral("ADDSLOTSRANGE"),
                                    QString::number(slotsOf(i).first), QString::number(slotsOf(i).last)})))
            return false;
    }
    for (Node& node : m_replicas) {
        if (!startNode(node))
            return false;
    }
    if (!allMeet())
        return false;
    for (size_t i = 0; i < m_replicas.size(); ++i) {
        if (!isOk(m_replicas[i].server->cli(
                {QStringLiteral("CLUSTER"), QStringLiteral("REPLICATE"), m_masters[i / m_replicasEach].id})))
            return false;
    }
    return becomesTrue([this] { return isWhole(); }, joinTime);
}

// A node that gets no answer to its MEET within its timeout, on a busy machine, forgets it. Then it must be repeated.
bool ClusterSetup::allMeet() {
    const size_t all = m_masters.size() + m_replicas.size();
    const auto sees = [all](Node& node) { return seesAll(node, all); };
    for (int meeting = 0; meeting < meetings; ++meeting) {
        for (auto* nodes : {&m_masters, &m_replicas}) {
            if (!std::ranges::all_of(*nodes, [this](Node& node) { return meet(node); }))
                return false;
        }
        const auto isDone = [&] {
            return std::ranges::all_of(m_masters, sees) && std::ranges::all_of(m_replicas, sees);
        };
        if (becomesTrue(isDone, joinTime / meetings))
            return true;
    }
    return false;
}

bool ClusterSetup::meet(Node& node) {
    return isOk(node.server->cli({QStringLiteral("CLUSTER"), QStringLiteral("MEET"), QStringLiteral("127.0.0.1"),
                                  QString::number(m_masters.front().server->port()),
                                  QString::number(m_masters.front().bus->number())}));
}

bool ClusterSetup::seesAll(Node& node, size_t nodes) {
    const QString list = node.server->cli({QStringLiteral("CLUSTER"), QStringLiteral("NODES")});
    return static_cast<size_t>(list.count(QStringLiteral(" connected"))) == nodes &&
           !list.contains(QStringLiteral("handshake"));
}

bool ClusterSetup::isWhole() {
    const size_t all = m_masters.size() + m_replicas.size();
    const auto isReady = [all](Node& node) {
        return seesAll(node, all) && node.server->cli({QStringLiteral("CLUSTER"), QStringLiteral("INFO")})
                                         .contains(QStringLiteral("cluster_state:ok"));
    };
    const auto isInStep = [](Node& node) {
        return node.server->cli({QStringLiteral("INFO"), QStringLiteral("replication")})
            .contains(QStringLiteral("master_link_status:up"));
    };
    return std::ranges::all_of(m_masters, isReady) && std::ranges::all_of(m_replicas, isReady) &&
           std::ranges::all_of(m_replicas, isInStep);
}

topology::SlotRange ClusterSetup::slotsOf(size_t master) const {
    return lab::slotsOfMaster(static_cast<int>(master), static_cast<int>(m_masters.size()));
}

size_t ClusterSetup::firstOwnerOf(const QByteArray& key) const {
    const topology::HashSlot slot = topology::hashSlotOf(key);
    size_t owner = 0;
    while (owner + 1 < m_masters.size() && slotsOf(owner + 1).first <= slot)
        ++owner;
    return owner;
}

QByteArray ClusterSetup::keyOn(size_t master, const QByteArray& prefix) const {
    for (int i = 0;; ++i) {
        const QByteArray key = prefix + QByteArray::number(i);
        if (firstOwnerOf(key) == master)
            return key;
    }
}

bool ClusterSetup::addMaster() {
    m_masters.push_back(makeNode());
    if (!startNode(m_masters.back()) || !allMeet())
        return false;
    return becomesTrue([this] { return isWhole(); }, joinTime);
}

bool ClusterSetup::tellAll(const QStringList& command) {
    return std::ranges::all_of(m_masters, [&](Node& node) { return isOk(node.server->cli(command)); });
}

bool ClusterSetup::forgetLastMaster() {
    m_forgotten.push_back(std::move(m_masters.back()));
    m_masters.pop_back();
    return tellAll({QStringLiteral("CLUSTER"), QStringLiteral("FORGET"), m_forgotten.back().id});
}

// ---- slots ----

bool ClusterSetup::beginMove(topology::HashSlot slot, size_t from, size_t to) {
    const QString number = QString::number(slot);
    return isOk(master(to).cli({QStringLiteral("CLUSTER"), QStringLiteral("SETSLOT"), number,
                                QStringLiteral("IMPORTING"), m_masters[from].id})) &&
           isOk(master(from).cli({QStringLiteral("CLUSTER"), QStringLiteral("SETSLOT"), number,
                                  QStringLiteral("MIGRATING"), m_masters[to].id}));
}

bool ClusterSetup::moveKeys(topology::HashSlot slot, size_t from, size_t to) {
    const QString keys = master(from).cli(
        {QStringLiteral("CLUSTER"), QStringLiteral("GETKEYSINSLOT"), QString::number(slot), QStringLiteral("1000")});
    const QStringList names = keys.split(u'\n', Qt::SkipEmptyParts);
    if (names.isEmpty())
        return true;
    return isOk(master(from).cli(QStringList{QStringLiteral("MIGRATE"), QStringLiteral("127.0.0.1"),
                                             QString::number(master(to).port()), QString(), QStringLiteral("0"),
                                             QStringLiteral("5000"), QStringLiteral("KEYS")} +
                                 names));
}

bool ClusterSetup::endMove(topology::HashSlot slot, size_t to) {
    const QStringList assign{QStringLiteral("CLUSTER"), QStringLiteral("SETSLOT"), QString::number(slot),
                             QStringLiteral("NODE"), m_masters[to].id};
    if (!isOk(master(to).cli(assign)))
        return false;
    return std::ranges::all_of(m_masters, [&](Node& node) { return isOk(node.server->cli(assign)); });
}

bool ClusterSetup::moveSlot(topology::HashSlot slot, size_t from, size_t to) {
    return beginMove(slot, from, to) && moveKeys(slot, from, to) && endMove(slot, to);
}

// ---- failovers ----

bool ClusterSetup::failOver(size_t index) {
    return isOk(replica(index).cli({QStringLiteral("CLUSTER"), QStringLiteral("FAILOVER")})) &&
           replicaBecomesMaster(index);
}

bool ClusterSetup::replicaBecomesMaster(size_t index, int milliseconds) {
    return becomesTrue([&] { return replica(index).cli({QStringLiteral("ROLE")}).startsWith(u"master"); },
                       milliseconds);
}

QString ClusterSetup::address(size_t master) const {
    return QStringLiteral("127.0.0.1:%1").arg(m_masters[master].server->port());
}

QString ClusterSetup::url() const {
    QStringList hosts;
    for (size_t i = 0; i < m_masters.size(); ++i)
        hosts += address(i);
    return QStringLiteral("redis-cluster://%1").arg(hosts.join(u','));
}

}  // namespace lockkeeper::test
