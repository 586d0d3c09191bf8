// SPDX-License-Identifier: Apache-2.0
#include "lab/laboratory.h"

#include "platform/childprocess.h"
#include "redis/sockettransport.h"

#include <QDir>
#include <QRandomGenerator>

#include <algorithm>

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds longestStart = 10s;
constexpr Milliseconds pollInterval = 20ms;
constexpr ServerNumber masterServer{0};
constexpr ServerNumber replicaServer{1};

// Hexadecimal digits, as many as a name may have that is to be unique, or a password that is not to be guessed.
QByteArray randomDigits(int words) {
    QByteArray digits;
    for (int word = 0; word < words; ++word)
        digits += QByteArray::number(QRandomGenerator::system()->generate(), 16).rightJustified(8, '0');
    return digits;
}

// A fault that this system cannot make, or of an actor or a server that there is not.
Result<Done> notPossible() {
    return Error(ErrorCode::InvalidArgument, Cause::NotConnected);
}

}  // namespace

Laboratory::Laboratory(Clock& clock, QString serverProgram, QObject* parent)
    : QObject(parent),
      m_clock(clock),
      m_serverProgram(std::move(serverProgram)),
      m_password(randomDigits(8)),
      m_folder(QDir::tempPath() + QStringLiteral("/lockkeeper-lab-") + QString::fromLatin1(randomDigits(2))) {}

Laboratory::~Laboratory() {
    end();
    m_actors.clear();
    m_servers.clear();
    QDir(m_folder).removeRecursively();
    if (m_folderKeeper) {
        m_folderKeeper->kill();
        m_folderKeeper->waitForFinished();
    }
}

void Laboratory::end() {
    m_life.request_stop();
    for (const auto& one : m_actors)
        one->crash();
}

Task<Result<Done>> Laboratory::start(ServersPlan servers, std::vector<ActorPlan> actors) {
    m_plan = servers;
    if (const std::optional<Error> failure = makeFolder())
        co_return *failure;
    for (int number = 0; number < servers.count; ++number) {
        if (const std::optional<Error> failure = addServer())
            co_return *failure;
        const Result<Done> started = co_await startServer(ServerNumber(number));
        if (!started)
            co_return started;
    }
    if (servers.form == ServersPlan::Form::Replicated) {
        const Result<Done> replicated = co_await awaitReplica();
        if (!replicated)
            co_return replicated;
    }
    for (const ActorPlan& plan : actors) {
        addActor(plan);
        const Result<Done> connected = co_await m_actors.back()->connectToAll();
        if (!connected)
            co_return connected;
    }
    co_return Done();
}

std::optional<Error> Laboratory::makeFolder() {
    m_folderKeeper = platform::removeFolderAtEnd(m_folder);
    if (QDir().mkdir(m_folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner))
        return std::nullopt;
    return Error(ErrorCode::Storage, Cause::FolderNotMade, {m_folder});
}

QByteArray Laboratory::configurationOf(ServerNumber server) const {
    if (m_plan.form != ServersPlan::Form::Replicated)
        return {};
    QByteArray lines = "requirepass " + m_password + "\nmasterauth " + m_password + '\n';
    if (server == replicaServer)
        lines += "replicaof 127.0.0.1 " + QByteArray::number(m_replication->port()) + '\n';
    return lines;
}

std::optional<Error> Laboratory::addServer() {
    ServerSetup setup;
    setup.configuration = configurationOf(ServerNumber(serverCount()));
    setup.program = m_serverProgram;
    setup.folder = m_folder;
    setup.extra = QStringList{QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")};
    Server server;
    server.process = std::make_unique<PrivateServer>(setup);
    m_servers.push_back(std::move(server));
    const auto number = static_cast<ServerNumber>(m_servers.size() - 1);
    redis::ConnectionOptions options = optionsOf(number);
    options.clientName = "laboratory";
    options.firstRetry = 20ms;
    options.lastRetry = 200ms;
    m_servers.back().hand = std::make_unique<redis::Connection>(
        options, [path = options.endpoint] { return redis::makeSocketTransport(path); }, m_clock);
    if (m_plan.form != ServersPlan::Form::Replicated || number != masterServer)
        return std::nullopt;
    m_replication = std::make_unique<ReplicationLine>(m_servers.back().process->socketPath());
    return m_replication->listen();
}

void Laboratory::addActor(const ActorPlan& plan) {
    std::vector<Actor::ConnectionTo> servers;
    const bool isReplicated = m_plan.form == ServersPlan::Form::Replicated;
    const int visible = isReplicated ? 1 : m_plan.count;
    for (int number = 0; number < visible; ++number)
        servers.push_back([this, number] { return optionsOf(ServerNumber(number)); });
    m_actors.push_back(std::make_unique<Actor>(plan, std::move(servers), m_clock));
}

redis::ConnectionOptions Laboratory::optionsOf(ServerNumber server) const {
    return serverOptions(m_isPromoted && server == masterServer ? replicaServer : server);
}

redis::ConnectionOptions Laboratory::serverOptions(ServerNumber server) const {
    redis::ConnectionOptions options = at(server).process->options();
    if (m_plan.form == ServersPlan::Form::Replicated)
        options.credentials.password = m_password;
    return options;
}

bool Laboratory::isReplica(ServerNumber server) const {
    return m_plan.form == ServersPlan::Form::Replicated && server == replicaServer && !m_isPromoted;
}

Deadline Laboratory::patience() const {
    return Deadline::in(m_clock, longestStart);
}

Actor* Laboratory::actor(const ActorName& name) const {
    const auto found = std::ranges::find_if(m_actors, [&name](const auto& one) { return one->plan().name == name; });
    return found == m_actors.end() ? nullptr : found->get();
}

Task<Result<Done>> Laboratory::startServer(ServerNumber server) {
    PrivateServer* process = at(server).process.get();
    const Completion<Done> up;
    const QObject context;
    connect(process, &PrivateServer::started, &context, [up] { up.complete(Done()); });
    connect(process, &PrivateServer::failed, &context, [up](const Error& error) { up.complete(error); });
    process->start();
    const Result<Done> started = co_await up.wait(patience(), m_life.get_token());
    if (!started)
        co_return started;
    redis::Connection* hand = at(server).hand.get();
    hand->open();
    hand->retryNow();
    const Completion<Done> ready = hand->whenReady();
    const Result<Done> connected = co_await ready.wait(patience(), m_life.get_token());
    co_return connected;
}

// What was promoted stays so.
Task<Result<Done>> Laboratory::restartServer(ServerNumber server) {
    const Result<Done> started = co_await startServer(server);
    if (!started || !m_isPromoted || server != replicaServer)
        co_return started;
    const Result<Done> promoted = co_await promote();
    co_return promoted;
}

// WAIT counts the replicas that have acknowledged the last write of this connection. Without one it also counts a
// replica that does not get the writes of others yet.
Task<Result<Done>> Laboratory::awaitReplica() {
    const Deadline end = patience();
    for (const char* command : {"INCR", "DEL"}) {
        const QByteArrayList write{command, "lab:replicated"};
        const Result<Done> written = co_await order(masterServer, write);
        if (!written)
            co_return written;
    }
    while (!end.hasPassed()) {
        const QByteArrayList wait{"WAIT", "1", "100"};
        const Result<redis::RespValue> acknowledged = co_await ask(masterServer, wait);
        if (!acknowledged)
            co_return acknowledged.error();
        if (acknowledged->integer >= 1)
            co_return Done();
        (void)co_await pause(pollInterval);
    }
    co_return Error(ErrorCode::Timeout, Cause::NoAnswerInTime);
}

Task<Result<Done>> Laboratory::killServer(ServerNumber server) {
    PrivateServer* process = at(server).process.get();
    const Completion<Done> ended;
    const QObject context;
    connect(process, &PrivateServer::stopped, &context, [ended] { ended.complete(Done()); });
    process->kill();
    at(server).isFrozen = false;
    const Result<Done> killed = co_await ended.wait(patience(), m_life.get_token());
    co_return killed;
}

Task<Result<Done>> Laboratory::promote() {
    const QByteArrayList command{"REPLICAOF", "NO", "ONE"};
    const Result<Done> promoted = co_await order(replicaServer, command);
    m_isPromoted = m_isPromoted || promoted.ok();
    co_return promoted;
}

Task<Result<redis::RespValue>> Laboratory::ask(ServerNumber server, QByteArrayList command) {
    redis::Command sent(command.takeFirst());
    for (const QByteArray& argument : std::as_const(command))
        sent.arg(argument);
    const Completion<redis::RespValue> answered = at(server).hand->send(sent);
    const Result<redis::RespValue> reply = co_await answered.wait(patience(), m_life.get_token());
    co_return reply;
}

Task<Result<Done>> Laboratory::order(ServerNumber server, QByteArrayList command) {
    const Result<redis::RespValue> reply = co_await ask(server, std::move(command));
    if (!reply)
        co_return reply.error();
    co_return Done();
}

// False: the laboratory ends.
Task<bool> Laboratory::pause(Milliseconds time) {
    const Completion<Done> never;
    const Result<Done> ended = co_await never.wait(Deadline::in(m_clock, time), m_life.get_token());
    co_return ended.error().code == ErrorCode::Timeout;
}

Task<Result<Done>> Laboratory::apply(Fault fault) {
    return std::visit([this](auto& one) { return applied(std::move(one)); }, fault);
}

Task<Result<Done>> Laboratory::applied(FreezeActor fault) {
    actor(fault.actor)->freeze();
    return endedTask<Result<Done>>(Done());
}

Task<Result<Done>> Laboratory::applied(ResumeActor fault) {
    actor(fault.actor)->resume();
    return endedTask<Result<Done>>(Done());
}

Task<Result<Done>> Laboratory::applied(CrashActor fault) {
    actor(fault.actor)->crash();
    return endedTask<Result<Done>>(Done());
}

Task<Result<Done>> Laboratory::applied(CutNetwork fault) {
    actor(fault.actor)->line().holdUp(ActorLine::Reason::Cut);
    return endedTask<Result<Done>>(Done());
}

Task<Result<Done>> Laboratory::applied(MendNetwork fault) {
    actor(fault.actor)->line().letPass(ActorLine::Reason::Cut);
    return endedTask<Result<Done>>(Done());
}

Task<Result<Done>> Laboratory::applied(DelayNetwork fault) {
    actor(fault.actor)->line().setDelay(fault.by);
    return endedTask<Result<Done>>(Done());
}

Task<Result<Done>> Laboratory::applied(LoseAnswer fault) {
    actor(fault.actor)->line().loseNextAnswer();
    return endedTask<Result<Done>>(Done());
}

Task<Result<Done>> Laboratory::applied(JumpClock fault) {
    actor(fault.actor)->clock().jump(fault.by);
    return endedTask<Result<Done>>(Done());
}

Task<Result<Done>> Laboratory::applied(FreezeServer fault) {
    at(fault.server).isFrozen = at(fault.server).process->freeze();
    return endedTask<Result<Done>>(at(fault.server).isFrozen ? Result<Done>(Done()) : notPossible());
}

Task<Result<Done>> Laboratory::applied(ResumeServer fault) {
    at(fault.server).isFrozen = !at(fault.server).process->resume();
    return endedTask<Result<Done>>(at(fault.server).isFrozen ? notPossible() : Result<Done>(Done()));
}

Task<Result<Done>> Laboratory::applied(HoldReplication) {
    m_replication->hold();
    return endedTask<Result<Done>>(Done());
}

Task<Result<Done>> Laboratory::applied(ResumeReplication) {
    m_replication->resume();
    return endedTask<Result<Done>>(Done());
}

}  // namespace lockkeeper::lab

#include "moc_laboratory.cpp"
