// SPDX-License-Identifier: Apache-2.0
#include "lab/servers/serverset.h"

#include "async/pause.h"
#include "lab/labcause.h"
#include "lab/servers/serverfolder.h"
#include "lab/servers/watchedmaster.h"
#include "platform/childprocess.h"

#include <QDir>
#include <QRandomGenerator>

#include <algorithm>
#include <cerrno>

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds formPatience = 15s;
constexpr Milliseconds formPollInterval = 20ms;
constexpr Milliseconds roleInterval = 100ms;
constexpr ServerNumber masterServer{0};
constexpr ServerNumber replicaServer{1};
constexpr char watchedName[] = "lab";
// The port by which actors know the Sentinel, which has no port. No server can have this one.
constexpr quint16 labSentinelPort = 1;

QByteArray randomPassword() {
    QByteArray digits;
    for (int word = 0; word < 8; ++word)
        digits += QByteArray::number(QRandomGenerator::system()->generate(), 16).rightJustified(8, '0');
    return digits;
}

// Decided by the Sentinel's answer about the replica.
bool isConnectedReplica(const redis::RespValue& replica) {
    const auto has = [&replica](const char* word) {
        return std::ranges::any_of(replica.items, [word](const auto& item) { return item.bytes == word; });
    };
    return has("slave") && has("ok");
}

}  // namespace

ServerSet::ServerSet(Clock& clock, QString serverProgram, std::stop_token life)
    : m_clock(clock),
      m_serverProgram(std::move(serverProgram)),
      m_life(std::move(life)),
      m_password(randomPassword()),
      m_folder(newServerFolder()) {}

// After end() nothing runs any more, and nothing here waits.
ServerSet::~ServerSet() {
    m_tasks.stop();
    m_sentinel.reset();
    m_servers.clear();
    QDir(m_folder).removeRecursively();
    if (m_folderKeeper) {
        m_folderKeeper->kill();
        m_folderKeeper->waitForFinished();
    }
}

Task<void> ServerSet::end(Deadline deadline, std::stop_token stop) {
    m_tasks.stop();
    std::vector<Completion<Done>> ending;
    for (const auto& server : m_servers)
        ending.push_back(server->end());
    if (m_sentinel)
        ending.push_back(m_sentinel->end());
    for (const Completion<Done>& one : ending)
        (void)co_await one.wait(deadline, stop);
    QDir(m_folder).removeRecursively();
    if (!m_folderKeeper || m_folderKeeper->state() == QProcess::NotRunning)
        co_return;
    const Completion<Done> ended;
    QObject::connect(m_folderKeeper.get(), &QProcess::finished, m_folderKeeper.get(),
                     [ended] { ended.complete(Done()); });
    m_folderKeeper->kill();
    (void)co_await ended.wait(deadline, stop);
}

// ---- start ----

Task<Result<Done>> ServerSet::start(ServersPlan plan) {
    m_plan = plan;
    if (const std::optional<Error> failure = whyNoServers(m_serverProgram))
        co_return *failure;
    if (const std::optional<Error> failure = makeFolder())
        co_return *failure;
    if (const std::optional<Error> failure = addLines())
        co_return *failure;
    if (plan.form == ServersPlan::Form::Cluster)
        m_cluster = std::make_unique<ClusterNodes>(m_servers, plan.count, m_password, m_clock, m_life);
    if (m_cluster && !m_cluster->hasPorts())
        co_return Error(ErrorCode::ConnectionRefused, LabCause::ServerNotStarted, {qt_error_string(EADDRNOTAVAIL)});
    Result<Done> ready = co_await startServers();
    if (ready && m_cluster)
        ready = co_await m_cluster->join();
    if (ready && plan.hasReplica())
        ready = co_await awaitReplica();
    if (ready && plan.form == ServersPlan::Form::Sentinel)
        ready = co_await startSentinel();
    co_return ready;
}

std::optional<Error> ServerSet::makeFolder() {
    m_folderKeeper = platform::removeFolderAtEnd(m_folder);
    if (QDir().mkdir(m_folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner))
        return std::nullopt;
    return Error(ErrorCode::Storage, Cause::FolderNotMade, {m_folder});
}

std::optional<Error> ServerSet::addLines() {
    for (int number = 0; m_plan.hasReplica() && number < m_plan.count; ++number) {
        m_lines.push_back(std::make_unique<ServerLine>());
        if (const std::optional<Error> failure = m_lines.back()->listen())
            return failure;
    }
    return std::nullopt;
}

Task<Result<Done>> ServerSet::startServers() {
    if (m_plan.hasReplica())
        m_replicas = {replicaServer};
    for (int number = 0; number < m_plan.count; ++number) {
        addServer(ServerNumber(number));
        const Result<Done> started = co_await m_servers.back()->start();
        if (!started)
            co_return started;
    }
    co_return Done();
}

void ServerSet::addServer(ServerNumber server) {
    const QByteArray password = m_plan.form == ServersPlan::Form::Independent ? QByteArray() : m_password;
    m_servers.push_back(std::make_unique<LaboratoryServer>(setupOf(server), password, m_clock, m_life));
    if (!m_lines.empty())
        lineTo(server).leadTo(m_servers.back()->options().endpoint);
}

ServerSetup ServerSet::setupOf(ServerNumber server) const {
    ServerSetup setup;
    setup.program = m_serverProgram;
    setup.folder = m_folder;
    setup.configuration = configurationOf(server);
    setup.extra = QStringList{QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")};
    if (m_cluster)
        m_cluster->complete(setup, server);
    return setup;
}

// With these settings a replica stays connected even if a person holds its replication for minutes.
QByteArray ServerSet::configurationOf(ServerNumber server) const {
    if (m_plan.form == ServersPlan::Form::Independent)
        return {};
    QByteArray lines = "requirepass " + m_password + "\nmasterauth " + m_password + '\n';
    if (m_plan.hasReplica())
        lines += "repl-timeout 3600\nreplica-announce-ip 127.0.0.1\nreplica-announce-port " +
                 QByteArray::number(lineTo(server).port()) + '\n';
    if (isReplica(server))
        lines += "replicaof 127.0.0.1 " + QByteArray::number(lineTo(masterServer).port()) + '\n';
    return lines;
}

// WAIT counts the replicas that have acknowledged the last write of this connection. Without such a write it also
// counts a replica that does not receive the writes of other connections yet.
Task<Result<Done>> ServerSet::awaitReplica() {
    const Deadline end = Deadline::in(m_clock, formPatience);
    for (const char* command : {"INCR", "DEL"}) {
        const QByteArrayList write{command, "lab:replicated"};
        const Result<Done> written = co_await at(masterServer).order(write);
        if (!written)
            co_return written;
    }
    while (!end.hasPassed()) {
        const QByteArrayList wait{"WAIT", "1", "100"};
        const Result<redis::RespValue> acknowledged = co_await at(masterServer).ask(wait);
        if (!acknowledged)
            co_return acknowledged.error();
        if (acknowledged->integer >= 1)
            co_return Done();
        (void)co_await pause(formPollInterval);
    }
    co_return Error(ErrorCode::Timeout, Cause::NoAnswerInTime);
}

Task<Result<Done>> ServerSet::startSentinel() {
    WatchedMaster master;
    master.name = watchedName;
    master.port = lineTo(masterServer).port();
    master.password = m_password;
    ServerSetup setup;
    setup.program = m_serverProgram;
    setup.folder = m_folder;
    setup.sentinelConfiguration = sentinelLinesFor(master);
    m_sentinel = std::make_unique<LaboratoryServer>(setup, m_password, m_clock, m_life);
    Result<Done> ready = co_await m_sentinel->start();
    if (ready)
        ready = co_await awaitSentinelKnowsAll();
    if (ready)
        for (int number = 0; number < count(); ++number)
            m_tasks.spawn(followRole(ServerNumber(number)));
    co_return ready;
}

// A Sentinel can promote only a replica that it has asked.
Task<Result<Done>> ServerSet::awaitSentinelKnowsAll() {
    const Deadline end = Deadline::in(m_clock, formPatience);
    while (!end.hasPassed()) {
        const QByteArrayList list{"SENTINEL", "REPLICAS", watchedName};
        const Result<redis::RespValue> replicas = co_await m_sentinel->ask(list);
        if (!replicas)
            co_return replicas.error();
        if (std::ranges::any_of(replicas->items, isConnectedReplica))
            co_return Done();
        (void)co_await pause(formPollInterval);
    }
    co_return Error(ErrorCode::Timeout, Cause::NoAnswerInTime);
}

// ---- for actors ----

ActorNetwork ServerSet::network() const {
    ActorNetwork network;
    if (m_plan.form == ServersPlan::Form::Independent || m_cluster) {
        for (int number = 0; number < count(); ++number)
            network.servers.emplace_back([this, number] { return at(ServerNumber(number)).options(); });
    }
    if (m_plan.form == ServersPlan::Form::Replicated)
        network.servers.emplace_back([this] { return masterOptions(); });
    if (!m_sentinel && !m_cluster)
        return network;
    network.deployed.emplace();
    network.deployed->options.credentials.password = m_password;
    network.deployed->reached = [this](const redis::Endpoint& announced) { return reached(announced); };
    network.deployed->deployment = deployment();
    return network;
}

topology::Deployment ServerSet::deployment() const {
    const QString host = QStringLiteral("127.0.0.1");
    topology::Deployment deployment;
    if (m_sentinel) {
        deployment.sentinels.emplace();
        deployment.sentinels->sentinels = {topology::Address{host, labSentinelPort}};
        deployment.sentinels->masterName = watchedName;
    }
    for (int number = 0; m_cluster && number < count(); ++number)
        deployment.cluster.append(topology::Address{host, announcedPort(ServerNumber(number))});
    return deployment;
}

redis::ConnectionOptions ServerSet::masterOptions() const {
    return at(isReplica(replicaServer) ? masterServer : replicaServer).options();
}

quint16 ServerSet::announcedPort(ServerNumber server) const {
    return m_cluster ? m_cluster->portOf(server) : lineTo(server).port();
}

redis::Endpoint ServerSet::reached(const redis::Endpoint& announced) const {
    if (announced.port == labSentinelPort)
        return m_sentinel->options().endpoint;
    for (int number = 0; number < count(); ++number) {
        if (announcedPort(ServerNumber(number)) == announced.port)
            return at(ServerNumber(number)).options().endpoint;
    }
    return announced;
}

std::vector<redis::Endpoint> ServerSet::endpointsOf(const Unreached& unreached) const {
    std::vector<redis::Endpoint> endpoints;
    for (const ServerNumber server : unreached.servers)
        endpoints.push_back(at(server).options().endpoint);
    if (unreached.sentinel && m_sentinel)
        endpoints.push_back(m_sentinel->options().endpoint);
    return endpoints;
}

// ---- faults ----

// A promoted server stays a master, because a Sentinel writes this to the server's configuration.
Task<Result<Done>> ServerSet::restart(ServerNumber server) {
    const bool isMaster = !isReplica(server);
    const Result<Done> started = co_await at(server).start();
    if (!started || m_plan.form != ServersPlan::Form::Replicated || server != replicaServer || !isMaster)
        co_return started;
    const Result<Done> promoted = co_await promote();
    co_return promoted;
}

Task<Result<Done>> ServerSet::promote() {
    if (m_sentinel) {
        const QByteArrayList failover{"SENTINEL", "FAILOVER", watchedName};
        const ServerNumber next = isReplica(masterServer) ? masterServer : replicaServer;
        const Result<Done> begun = co_await m_sentinel->order(failover);
        if (!begun)
            co_return begun;
        const Result<Done> done = co_await awaitMaster(next);
        co_return done;
    }
    const QByteArrayList command{"REPLICAOF", "NO", "ONE"};
    const Result<Done> promoted = co_await at(replicaServer).order(command);
    if (promoted)
        m_replicas.clear();
    co_return promoted;
}

Task<Result<Done>> ServerSet::awaitMaster(ServerNumber server) {
    if (!m_sentinel)
        co_return Error(ErrorCode::InvalidArgument, Cause::NotConnected);
    const Deadline end = Deadline::in(m_clock, formPatience);
    while (!end.hasPassed()) {
        (void)co_await readRole(server);
        const Result<ServerNumber> named = co_await namedMaster();
        if (named && *named == server && !isReplica(server))
            co_return Done();
        const bool goesOn = co_await pause(formPollInterval);
        if (!goesOn)
            co_return Error(ErrorCode::Cancelled, Cause::Cancelled);
    }
    co_return Error(ErrorCode::Timeout, Cause::NoAnswerInTime);
}

Task<Result<ServerNumber>> ServerSet::namedMaster() {
    const QByteArrayList command{"SENTINEL", "GET-MASTER-ADDR-BY-NAME", watchedName};
    const Result<redis::RespValue> address = co_await m_sentinel->ask(command);
    if (!address)
        co_return address.error();
    const QByteArray port = address->items.empty() ? QByteArray() : address->items.back().bytes;
    const bool isFirst = port.toInt() == lineTo(masterServer).port();
    co_return isFirst ? masterServer : replicaServer;
}

// The known role stays if the server does not report it.
Task<Result<Done>> ServerSet::readRole(ServerNumber server) {
    const QByteArrayList command{"ROLE"};
    const Result<redis::RespValue> role = co_await at(server).ask(command);
    if (!role || role->items.empty())
        co_return role ? Error(ErrorCode::Protocol, Cause::None) : role.error();
    if (role->items.front().bytes == "master")
        m_replicas.erase(server);
    else
        m_replicas.insert(server);
    co_return Done();
}

// One task for each server, because a server that was just frozen does not answer for a while.
Task<void> ServerSet::followRole(ServerNumber server) {
    for (bool goesOn = true; goesOn;) {
        if (at(server).isAlive() && !at(server).isFrozen())
            (void)co_await readRole(server);
        goesOn = co_await pause(roleInterval);
    }
}

Task<Result<Done>> ServerSet::moveSlotOf(QByteArray key, ServerNumber from, ServerNumber to) {
    if (!m_cluster)
        return endedTask<Result<Done>>(Error(ErrorCode::InvalidArgument, Cause::NotConnected));
    return m_cluster->moveSlot(topology::hashSlotOf(key), from, to);
}

Task<Result<Done>> ServerSet::awaitDead(ServerNumber server) {
    if (!m_cluster)
        return endedTask<Result<Done>>(Error(ErrorCode::InvalidArgument, Cause::NotConnected));
    return m_cluster->awaitDead(server);
}

void ServerSet::holdReplication() {
    for (const auto& line : m_lines)
        line->holdReplication();
}

void ServerSet::resumeReplication() {
    for (const auto& line : m_lines)
        line->resumeReplication();
}

bool ServerSet::isReplicationHeld() const {
    return std::ranges::any_of(m_lines, [](const auto& line) { return line->isReplicationHeld(); });
}

bool ServerSet::replicates() const {
    return m_plan.hasReplica() && m_replicas.size() == 1 &&
           std::ranges::all_of(m_lines, [](const auto& line) { return line->passesReplication(); }) &&
           std::ranges::all_of(m_servers, [](const auto& one) { return one->isAlive() && !one->isFrozen(); });
}

// Uses the server's own clock, because the laboratory's clock may be stopped.
Task<void> ServerSet::awaitDelivery(ServerNumber master) {
    if (!replicates())
        co_return;
    const QByteArrayList wait{"WAIT", "1", "500"};
    (void)co_await at(master).ask(wait);
}

// A replica is also cut off at the other end of its line, because it is the replica that connects.
void ServerSet::isolate(const std::set<ServerNumber>& servers) {
    using Whose = ServerLine::Whose;
    if (m_cluster)
        m_cluster->isolate(servers);
    for (int number = 0; number < std::ssize(m_lines); ++number) {
        const bool isOne = servers.contains(ServerNumber(number));
        lineTo(ServerNumber(number))
            .cut(isOne             ? Whose::Everybodys
                 : servers.empty() ? Whose::Nobodys
                                   : Whose::Replicas);
    }
}

// False if the laboratory ends.
Task<bool> ServerSet::pause(Milliseconds time) {
    return pauseUntil(Deadline::in(m_clock, time), m_life);
}

}  // namespace lockkeeper::lab
