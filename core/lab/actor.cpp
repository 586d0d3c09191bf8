// SPDX-License-Identifier: Apache-2.0
#include "lab/actor.h"

#include "lab/naivelock.h"
#include "locks/kinds/fairlock.h"
#include "locks/kinds/fencedlock.h"
#include "locks/kinds/multilock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/redlock.h"
#include "locks/kinds/reentrantlock.h"
#include "topology/dialer.h"
#include "topology/route.h"
#include "topology/shardconnections.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds connectPatience = 5s;
constexpr Milliseconds naiveLease = 30s;
constexpr char crashedWord[] = "crashed";

QByteArray wordOf(locks::LockAttempt::Outcome outcome) {
    switch (outcome) {
        case locks::LockAttempt::Outcome::Acquired:
            return QByteArrayLiteral("acquired");
        case locks::LockAttempt::Outcome::HeldByOther:
            return QByteArrayLiteral("held");
        case locks::LockAttempt::Outcome::BehindOthers:
            return QByteArrayLiteral("behind");
    }
    return {};
}

Answer answerOf(const Result<locks::LockAttempt>& attempt) {
    if (!attempt)
        return attempt.error();
    Answer answer(wordOf(attempt->outcome));
    if (attempt->token)
        answer.facts["token"] = static_cast<qint64>(*attempt->token);
    return answer;
}

Answer answerOf(const Result<locks::ReleaseOutcome>& released) {
    if (!released)
        return released.error();
    return *released == locks::ReleaseOutcome::Free ? "released" : "still-held";
}

redis::ConnectionOptions prepared(redis::ConnectionOptions options, const QByteArray& name) {
    options.clientName = name;
    options.firstRetry = 20ms;
    options.lastRetry = 200ms;
    return options;
}

}  // namespace

Actor::Actor(ActorPlan plan, const ActorNetwork& network, Clock& clock, QObject* parent)
    : QObject(parent), m_plan(std::move(plan)), m_clock(clock), m_line(clock) {
    if (network.deployed)
        addDeployed(*network.deployed, !network.servers.empty());
    for (const ActorNetwork::ConnectionTo& server : network.servers) {
        const redis::ConnectionOptions options = prepared(server(), m_plan.name.bytes());
        const redis::TransportFactory transports = m_line.to([server] { return server().endpoint; });
        if (!network.deployed)
            add(std::make_unique<locks::LockClient>(options, transports, m_clock, clientOptions()));
        m_hands.push_back(std::make_unique<redis::Connection>(options, transports, m_clock));
        m_hands.back()->open();
    }
}

void Actor::add(std::unique_ptr<locks::LockClient> client) {
    connect(client.get(), &locks::LockClient::lockLost, this, &Actor::lockLost);
    m_ids.push_back(client->id());
    client->open();
    m_clients.push_back(std::move(client));
}

void Actor::addDeployed(const ActorNetwork::Deployed& deployed, bool hasOwnServers) {
    const topology::Dialer dialer(
        [this, reached = deployed.reached](const redis::Endpoint& server) { return m_line.dial(reached(server)); });
    redis::ConnectionOptions options = prepared(deployed.options, m_plan.name.bytes());
    options.role = redis::WantedRole::Master;
    m_route = std::make_unique<topology::Route>(deployed.deployment, options, m_clock, dialer);
    topology::Shards& shards = m_route->shards();
    add(std::make_unique<locks::LockClient>(options, shards, m_clock, clientOptions()));
    if (hasOwnServers)
        return;
    const redis::TransportFactory toMaster = shards.transports(topology::OneShard::id);
    m_hands.push_back(std::make_unique<redis::Connection>(options, toMaster, m_clock));
    m_hands.back()->open();
}

Actor::~Actor() {
    crash();
}

Task<Result<Done>> Actor::connectToAll() {
    for (size_t at = 0; at < m_clients.size(); ++at) {
        const Completion<Done> client = m_clients[at]->connections().whenReady("");
        const Result<Done> ready = co_await client.wait(Deadline::in(m_clock, connectPatience), m_life.get_token());
        if (!ready)
            co_return ready;
    }
    for (size_t at = 0; at < m_hands.size(); ++at) {
        const Completion<Done> other = m_hands[at]->whenReady();
        const Result<Done> ready = co_await other.wait(Deadline::in(m_clock, connectPatience), m_life.get_token());
        if (!ready)
            co_return ready;
    }
    co_return Done();
}

Task<Answer> Actor::acquire(Call call) {
    if (hasCrashed())
        return endedTask<Answer>(crashedWord);
    if (call.lock.kind == LockKind::Multi)
        return acquireMulti(std::move(call));
    if (call.lock.kind == LockKind::Red)
        return acquireRed(std::move(call));
    return isNaive(call.lock.kind) ? acquireNaive(std::move(call)) : acquireOne(std::move(call));
}

Task<Answer> Actor::acquireOne(Call call) {
    const locks::Lock lock = lockOf(call.lock.kind, call.lock.members.front());
    const Result<locks::LockAttempt> attempt =
        co_await lock.tryLock(call.thread, deadlineOf(call), call.lease, m_life.get_token());
    co_return answerOf(attempt);
}

Task<Answer> Actor::acquireMulti(Call call) {
    const locks::MultiLock lock(membersOf(call.lock));
    const Result<locks::LockAttempt> attempt =
        co_await lock.tryLock(call.thread, deadlineOf(call), call.lease, m_life.get_token());
    co_return answerOf(attempt);
}

Task<Answer> Actor::acquireRed(Call call) {
    const locks::RedLock lock(membersOf(call.lock));
    const Result<locks::RedLockAttempt> attempt =
        co_await lock.tryLock(call.thread, deadlineOf(call), call.lease, m_life.get_token());
    if (!attempt)
        co_return attempt.error();
    Answer answer(wordOf(attempt->outcome));
    if (attempt->acquired())
        answer.facts["servers"] = static_cast<qint64>(attempt->servers);
    co_return answer;
}

Task<Answer> Actor::acquireNaive(Call call) {
    const LockPlan::Member& member = call.lock.members.front();
    const NaiveLock lock(hand(member.server), m_clock, call.lock.kind, member.name, m_plan.name.bytes());
    const Milliseconds lease = call.lease.value_or(naiveLease);
    const Result<NaiveLock::Attempt> attempt = co_await lock.tryLock(deadlineOf(call), lease, m_life.get_token());
    if (!attempt)
        co_return attempt.error();
    const std::optional<NaiveEnd> end = naiveEndOf(call.lock.kind, lease);
    if (attempt->acquired && end)
        m_naiveEnds.insert_or_assign({member.name, call.thread}, *end);
    Answer answer(attempt->acquired ? "acquired" : "held");
    answer.facts["tries"] = attempt->tries;
    co_return answer;
}

Task<Answer> Actor::release(Call call) {
    if (hasCrashed())
        co_return crashedWord;
    if (isNaive(call.lock.kind)) {
        const Answer answer = co_await releaseNaive(call);
        co_return answer;
    }
    if (call.lock.kind == LockKind::Multi) {
        const locks::MultiLock lock(membersOf(call.lock));
        const Result<locks::ReleaseOutcome> released = co_await lock.unlock(call.thread);
        co_return answerOf(released);
    }
    if (call.lock.kind == LockKind::Red) {
        const locks::RedLock lock(membersOf(call.lock));
        const Result<locks::ReleaseOutcome> released = co_await lock.unlock(call.thread);
        co_return answerOf(released);
    }
    const locks::Lock lock = lockOf(call.lock.kind, call.lock.members.front());
    const Result<locks::ReleaseOutcome> released = co_await lock.unlock(call.thread);
    co_return answerOf(released);
}

Task<Answer> Actor::releaseNaive(Call call) {
    const LockPlan::Member& member = call.lock.members.front();
    const NaiveLock lock(hand(member.server), m_clock, call.lock.kind, member.name, m_plan.name.bytes());
    const Result<bool> removed = co_await lock.unlock(m_life.get_token());
    if (!removed)
        co_return removed.error();
    m_naiveEnds.erase({member.name, call.thread});
    co_return *removed ? "released" : "NotHeld";
}

// Counted from the answer, as in such locks that people wrote by hand.
std::optional<Actor::NaiveEnd> Actor::naiveEndOf(LockKind kind, Milliseconds lease) const {
    if (kind == LockKind::NaiveSetnx)
        return std::nullopt;  // the lock has no TTL until the EXPIRE
    return kind == LockKind::NaiveTime ? NaiveEnd(m_clock.wallNow() + lease) : NaiveEnd(m_clock.now() + lease);
}

Milliseconds Actor::leftUntil(const NaiveEnd& end) const {
    const auto* time = std::get_if<WallTime>(&end);
    const auto left = time ? std::chrono::duration_cast<Milliseconds>(*time - m_clock.wallNow())
                           : std::chrono::duration_cast<Milliseconds>(std::get<SteadyTime>(end) - m_clock.now());
    return std::max(left, Milliseconds(0));
}

Task<Answer> Actor::send(ServerNumber server, QByteArrayList command) {
    if (hasCrashed())
        co_return crashedWord;
    redis::Command sent(command.takeFirst());
    for (const QByteArray& argument : std::as_const(command))
        sent.arg(argument);
    const Completion<redis::RespValue> answered = hand(server).send(sent);
    const Result<redis::RespValue> reply =
        co_await answered.wait(Deadline::in(m_clock, connectPatience), m_life.get_token());
    if (!reply)
        co_return reply.error();
    Answer answer("replied");
    answer.facts["reply"] = reply->isInteger() ? Fact(reply->integer) : Fact(reply->bytes);
    co_return answer;
}

bool Actor::is(const ClientId& client) const {
    return std::ranges::find(m_ids, client) != m_ids.end();
}

std::vector<Actor::Reckoning> Actor::reckonings() const {
    std::vector<Reckoning> all;
    for (size_t server = 0; server < m_clients.size(); ++server) {
        for (const locks::HoldKey& key : m_clients[server]->heldKeys()) {
            const locks::Hold hold = m_clients[server]->hold(key);
            const auto left = std::chrono::duration_cast<Milliseconds>(hold.deadline - m_clock.now());
            all.push_back({key.name, static_cast<ServerNumber>(server), key.holder.thread(), key.mode,
                           std::max(left, Milliseconds(0)), hold.renewal == locks::Renewal::Watchdog});
        }
    }
    for (const auto& [lock, end] : m_naiveEnds) {
        const auto& [name, thread] = lock;
        all.push_back({name, ServerNumber(0), thread, locks::HoldMode::Exclusive, leftUntil(end), false});
    }
    return all;
}

void Actor::freeze() {
    m_clock.freeze();
    m_line.holdUp(ActorLine::Reason::Frozen);
}

void Actor::resume() {
    m_clock.resume();
    m_line.letPass(ActorLine::Reason::Frozen);
}

// The connections end first, so nothing that the ending calls try to undo reaches a server.
void Actor::crash() {
    for (const auto& client : m_clients)
        client->close();
    for (const auto& other : m_hands)
        other->close();
    m_life.request_stop();
    m_clients.clear();
    m_hands.clear();
    m_naiveEnds.clear();
    m_route.reset();
}

locks::LockClientOptions Actor::clientOptions() const {
    locks::LockClientOptions options;
    options.watchdogTimeout = m_plan.watchdogTimeout;
    options.fairLockWaitTimeout = m_plan.fairLockWaitTimeout;
    options.replicasToWaitFor = m_plan.replicasToWaitFor;
    options.replicaTimeout = 300ms;
    return options;
}

locks::Lock Actor::lockOf(LockKind kind, const LockPlan::Member& member) const {
    locks::LockClient& owner = client(member.server);
    switch (kind) {
        case LockKind::Fair:
            return owner.fairLock(member.name);
        case LockKind::Fenced:
            return owner.fencedLock(member.name);
        case LockKind::Read:
            return owner.readWriteLock(member.name).readLock();
        case LockKind::Write:
            return owner.readWriteLock(member.name).writeLock();
        default:
            return owner.reentrantLock(member.name);
    }
}

std::vector<locks::Lock> Actor::membersOf(const LockPlan& lock) const {
    std::vector<locks::Lock> members;
    for (const LockPlan::Member& member : lock.members)
        members.push_back(lockOf(LockKind::Reentrant, member));
    return members;
}

Deadline Actor::deadlineOf(const Call& call) {
    return call.wait ? Deadline::in(m_clock, *call.wait) : Deadline::never(m_clock);
}

}  // namespace lockkeeper::lab

#include "moc_actor.cpp"
