// SPDX-License-Identifier: Apache-2.0
#include "lab/laboratory.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

// The error for a fault that is not possible on this system, or for an actor or a server that does not exist.
Result<Done> notPossible() {
    return Error(ErrorCode::InvalidArgument, Cause::NotConnected);
}

}  // namespace

Laboratory::Laboratory(Clock& clock, Clock& serverClock, QString serverProgram, QObject* parent)
    : QObject(parent), m_clock(clock), m_servers(serverClock, std::move(serverProgram), m_life.get_token()) {}

Laboratory::~Laboratory() {
    end();
}

void Laboratory::end() {
    m_life.request_stop();
    for (const auto& one : m_actors)
        one->crash();
}

Task<Result<Done>> Laboratory::start(ServersPlan servers, std::vector<ActorPlan> actors) {
    const Result<Done> started = co_await m_servers.start(servers);
    if (!started)
        co_return started;
    for (const ActorPlan& plan : actors) {
        m_actors.push_back(std::make_unique<Actor>(plan, m_servers.network(), m_clock));
        const Result<Done> connected = co_await m_actors.back()->connectToAll();
        if (!connected)
            co_return connected;
    }
    co_return Done();
}

Actor* Laboratory::actor(const ActorName& name) const {
    const auto found = std::ranges::find_if(m_actors, [&name](const auto& one) { return one->plan().name == name; });
    return found == m_actors.end() ? nullptr : found->get();
}

Task<Result<redis::RespValue>> Laboratory::ask(ServerNumber server, QByteArrayList command) {
    return m_servers.at(server).ask(std::move(command));
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
    const bool isFrozen = m_servers.at(fault.server).freeze();
    return endedTask<Result<Done>>(isFrozen ? Result<Done>(Done()) : notPossible());
}

Task<Result<Done>> Laboratory::applied(ResumeServer fault) {
    const bool runs = m_servers.at(fault.server).resume();
    return endedTask<Result<Done>>(runs ? Result<Done>(Done()) : notPossible());
}

Task<Result<Done>> Laboratory::applied(PartitionServer fault) {
    m_partitions[fault.server] = std::move(fault.with);
    applyPartitions();
    return endedTask<Result<Done>>(Done());
}

Task<Result<Done>> Laboratory::applied(RejoinServer fault) {
    m_partitions.erase(fault.server);
    applyPartitions();
    return endedTask<Result<Done>>(Done());
}

void Laboratory::applyPartitions() {
    std::set<ServerNumber> isolated;
    for (const auto& [server, with] : m_partitions)
        isolated.insert(server);
    m_servers.isolate(isolated);
    for (const auto& one : m_actors)
        one->line().cutOff(m_servers.endpointsOf(unreachedBy(one->plan().name)));
}

Unreached Laboratory::unreachedBy(const ActorName& actor) const {
    Unreached unreached;
    for (int number = 0; number < serverCount(); ++number) {
        const auto isParted = [&actor, number](const auto& partition) {
            const auto& [isolated, with] = partition;
            const bool isInside = std::ranges::find(with, actor) != with.end();
            return isInside != (isolated == ServerNumber(number));
        };
        if (std::ranges::any_of(m_partitions, isParted))
            unreached.servers.push_back(ServerNumber(number));
    }
    unreached.sentinel = hasSentinel() && std::ranges::any_of(m_partitions, [&actor](const auto& partition) {
                             return std::ranges::find(partition.second, actor) != partition.second.end();
                         });
    return unreached;
}

Unreached Laboratory::unreachedBy(ServerNumber server) const {
    Unreached unreached;
    const bool isIsolated = m_partitions.contains(server);
    for (int number = 0; number < serverCount(); ++number) {
        const auto other = ServerNumber(number);
        if (other != server && (isIsolated || m_partitions.contains(other)))
            unreached.servers.push_back(other);
    }
    for (const auto& one : m_actors) {
        if (unreachedBy(one->plan().name).contains(server))
            unreached.actors.push_back(one->plan().name);
    }
    unreached.sentinel = hasSentinel() && isIsolated;
    return unreached;
}

Task<Result<Done>> Laboratory::applied(HoldReplication) {
    m_servers.holdReplication();
    return endedTask<Result<Done>>(Done());
}

Task<Result<Done>> Laboratory::applied(ResumeReplication) {
    m_servers.resumeReplication();
    return endedTask<Result<Done>>(Done());
}

}  // namespace lockkeeper::lab

#include "moc_laboratory.cpp"
