// SPDX-License-Identifier: Apache-2.0
#include "soak/lockload.h"
#include "soak/holdreply.h"

#include "locks/lockkeys.h"
#include "redis/sockettransport.h"
#include "support/lockscripts.h"

namespace lockkeeper::soak {

using namespace std::chrono_literals;
using redis::Command;
using redis::RespValue;

namespace {

constexpr size_t holders = 200;
constexpr Milliseconds longestFreeTime = 15s;  // so that the watch forgets no lock
constexpr Milliseconds nearItsEnd = 5s;  // a lock that is about to expire is not changed: nobody knows what comes first
constexpr int filledAtOnce = 20;         // locks a millisecond
constexpr int noticedAtOnce = 20;

redis::ConnectionOptions ofLoad(redis::ConnectionOptions options) {
    options.clientName = QByteArrayLiteral("soak");
    options.commandTimeout = 1min;
    options.firstRetry = 20ms;
    options.lastRetry = 100ms;
    return options;
}

QByteArray number(Milliseconds time) {
    return QByteArray::number(static_cast<qint64>(time.count()));
}

}  // namespace

LockName lockNameOf(int lock) {
    return LockName("soak:" + QByteArray::number(lock));
}

LockLoad::LockLoad(const redis::ConnectionOptions& server, const Sizes& sizes, OnLine onLine)
    : m_sizes(sizes),
      m_onLine(std::move(onLine)),
      m_connection(
          ofLoad(server), [server] { return redis::makeSocketTransport(server.endpoint); }, m_clock),
      m_acquire(test::lockScript(QStringLiteral("reentrant_acquire"))),
      m_release(test::lockScript(QStringLiteral("reentrant_release"))),
      m_renew(test::lockScript(QStringLiteral("renew"))),
      m_force(test::lockScript(QStringLiteral("reentrant_force"))),
      m_random(sizes.seed),
      m_locks(static_cast<size_t>(sizes.locks)) {
    for (size_t i = 0; i < holders; ++i) {
        const QByteArray client = QByteArray::number(static_cast<qint64>(i), 16).rightJustified(8, '0');
        m_holders.emplace_back(ClientId(client + "-41d2-4a0e-9c76-0a4f3c1f6f10"),
                               ThreadId(static_cast<qint64>(i % 7 + 1)));
    }
    QObject::connect(&m_connection, &redis::Connection::stateChanged, &m_ticks,
                     [this](redis::Connection::State state) { onState(state); });
    QObject::connect(&m_ticks, &QTimer::timeout, &m_ticks, [this] { tick(); });
    m_ticks.setTimerType(Qt::PreciseTimer);
    m_ticks.start(1);
    m_connection.open();
}

// The missing answers are reported now, while the members still exist.
LockLoad::~LockLoad() {
    m_connection.close();
}

void LockLoad::begin() {
    for (int lock = 0; lock < m_sizes.locks; ++lock)
        m_toFill.push_back(lock);
}

void LockLoad::noteAllGone() {
    m_free.clear();
    m_toFill.clear();
    for (int lock = 0; lock < m_sizes.locks; ++lock) {
        lockOf(lock).hold.reset();
        lockOf(lock).isLeft = false;
        m_toFill.push_back(lock);
    }
}

void LockLoad::onState(redis::Connection::State state) {
    if (state == redis::Connection::State::Ready)
        prepare();
    else
        m_isReady = false;
}

// A restarted server does not know the scripts; one that is still loading its data refuses them.
void LockLoad::prepare() {
    for (const redis::Script* script : {&m_acquire, &m_release, &m_renew, &m_force}) {
        const bool isLast = script == &m_force;
        m_connection.send(Command("SCRIPT", {"LOAD", script->source()}))
            .then([this, isLast](const Result<RespValue>& reply) {
                if (isLast && reply)
                    m_isReady = true;
                else if (isLast && m_connection.isReady())
                    QTimer::singleShot(50ms, &m_ticks, [this] { prepare(); });
            });
    }
}

// ---- what to do ----

void LockLoad::tick() {
    const WallTime time = now();
    const Milliseconds passed =
        std::min(Milliseconds(100), std::chrono::duration_cast<Milliseconds>(time - m_lastTick));
    m_due += static_cast<double>(m_sizes.rate) * static_cast<double>(passed.count()) / 1000;
    m_lastTick += m_lastTick == WallTime() ? time.time_since_epoch() : WallTime::duration(passed);
    if (m_lastTick + 100ms < time)
        m_lastTick = time;
    if (!m_isReady || !m_isRunning)
        m_due = 0;
    for (int i = 0; m_isReady && i < filledAtOnce && !m_toFill.empty(); ++i) {
        const int lock = m_toFill.front();
        m_toFill.pop_front();
        if (mayChange(lock) && !lockOf(lock).hold)
            acquire(lock);
    }
    noticeExpiries();
    for (; m_due >= 1 && m_isRunning; m_due -= 1) {
        const qint64 before = m_sent;
        change();
        m_due -= static_cast<double>(m_sent - before - 1);  // a release and the acquire after it are two changes
    }
}

// Some locks in each tick, all of them within a second or so.
void LockLoad::noticeExpiries() {
    for (int i = 0; m_isReady && i < noticedAtOnce; ++i) {
        m_noticed = (m_noticed + 1) % m_sizes.locks;
        (void)mayChange(m_noticed);
    }
}

void LockLoad::change() {
    constexpr int attempts = 20;
    const bool isHot = below(4) < 3;
    for (int i = 0; i < attempts; ++i) {
        const int free = isHot ? -1 : longestFree();
        const auto hot = static_cast<size_t>(m_sizes.hot);
        const int lock = static_cast<int>(isHot ? below(hot) : hot + below(m_locks.size() - hot));
        if (free >= 0)
            return acquire(free);
        if (!mayChange(lock))
            continue;
        return changeLock(lock);
    }
}

// False while no certain change can be made to the lock.
bool LockLoad::mayChange(int lock) {
    Lock& state = lockOf(lock);
    if (state.isDoubtful && state.inFlight == 0 && m_isReady)
        readDoubtful(lock);
    if (state.isDoubtful)
        return false;
    if (!state.hold)
        return true;
    const WallTime time = now();
    if (state.inFlight == 0 && state.leaseEnd + 100ms < time) {
        becomeFree(lock);
        return true;
    }
    return !state.isLeft && time + nearItsEnd < state.leaseEnd;
}

int LockLoad::longestFree() {
    while (!m_free.empty()) {
        const Free free = m_free.front();
        const Lock& state = m_locks[static_cast<size_t>(free.lock)];
        const bool isStill = !state.hold && !state.isDoubtful && state.freeSince == free.since;
        if (isStill && free.since + longestFreeTime > now())
            return -1;
        m_free.pop_front();
        if (isStill)
            return free.lock;
    }
    return -1;
}

void LockLoad::changeLock(int lock) {
    // Chances of 100 changes of a held lock; the rest is split between releases by force and deletions without a
    // message.
    struct Chances {
        size_t release;
        size_t reenter;
        size_t renew;
    };
    const bool isHot = lock < m_sizes.hot;
    const Chances chances = isHot ? Chances{60, 15, 15} : Chances{22, 10, 60};
    const std::optional<Hold>& hold = lockOf(lock).hold;
    const size_t chance = below(100);
    if (!hold)
        acquire(lock);
    else if (chance < chances.release || (isHot && hold->count > 1))
        releaseOne(lock);
    else if (chance < chances.release + chances.reenter)
        addHold(lock, hold->holder, someLease(), Deed::Reenter);
    else if (chance < chances.release + chances.reenter + chances.renew)
        renew(lock);
    else if (chance < 96)
        force(lock);
    else
        remove(lock);
}

// ---- deeds ----

void LockLoad::acquire(int lock) {
    const size_t oneDies = lock < m_sizes.hot ? 1000 : 20;
    const bool dies = m_isRunning && below(oneDies) == 0;
    const Milliseconds lease = dies ? 1000ms + Milliseconds(below(3000)) : someLease();
    const HolderId holder = someHolder(lock);
    addHold(lock, holder, lease, Deed::Acquire);
    lockOf(lock).isLeft = dies;
}

void LockLoad::addHold(int lock, const HolderId& holder, Milliseconds lease, Deed deed) {
    Lock& state = lockOf(lock);
    state.hold = Hold{holder, state.hold ? state.hold->count + 1 : 1};
    state.leaseEnd = now() + lease;
    const redis::ScriptCall call(m_acquire, {lockNameOf(lock).bytes()}, {number(lease), holder.bytes()});
    send(lock, call.evalSha(), deed, lease, &RespValue::isNull);
}

void LockLoad::renew(int lock) {
    Lock& state = lockOf(lock);
    const Milliseconds lease = someLease();
    state.leaseEnd = now() + lease;
    const redis::ScriptCall call(m_renew, {lockNameOf(lock).bytes()}, {number(lease), state.hold->holder.bytes(), ""});
    send(lock, call.evalSha(), Deed::Renew, lease,
         [](const RespValue& reply) { return !reply.items.empty() && reply.items.front().integer == 1; });
}

void LockLoad::releaseOne(int lock) {
    Lock& state = lockOf(lock);
    const HolderId holder = state.hold->holder;
    const Milliseconds lease = someLease();
    const bool isLast = state.hold->count == 1;
    if (isLast) {
        becomeFree(lock);
    } else {
        state.hold->count -= 1;
        state.leaseEnd = now() + lease;
    }
    const LockName name = lockNameOf(lock);
    const redis::ScriptCall call(m_release, {name.bytes()},
                                 {locks::LockKeys(name).channel(), "0", number(lease), holder.bytes()});
    send(lock, call.evalSha(), isLast ? Deed::Release : Deed::ReleaseOnce, lease,
         [isLast](const RespValue& reply) { return !reply.isNull() && reply.integer == (isLast ? 1 : 0); });
    if (isLast && below(2) == 0)
        acquire(lock);  // somebody was waiting for the lock
}

void LockLoad::force(int lock) {
    becomeFree(lock);
    const LockName name = lockNameOf(lock);
    const redis::ScriptCall call(m_force, {name.bytes()}, {locks::LockKeys(name).channel(), "0"});
    send(lock, call.evalSha(), Deed::Release, 0ms, [](const RespValue& reply) { return reply.integer == 1; });
}

void LockLoad::remove(int lock) {
    becomeFree(lock);
    send(lock, Command("DEL", {lockNameOf(lock).bytes()}), Deed::Delete, 0ms,
         [](const RespValue& reply) { return reply.integer == 1; });
}

void LockLoad::becomeFree(int lock) {
    Lock& state = lockOf(lock);
    state.hold.reset();
    state.isLeft = false;
    state.freeSince = now();
    if (lock >= m_sizes.hot)
        m_free.push_back({lock, state.freeSince});
}

// ---- answers ----

void LockLoad::send(int lock, const Command& command, Deed deed, Milliseconds lease, const Judge& isDone) {
    Lock& state = lockOf(lock);
    LogLine line{lockNameOf(lock), deed, state.hold, lease, {now(), {}}, Answer::Done};
    ++m_sent;
    ++state.inFlight;
    ++m_inFlight;
    m_connection.send(command).then(
        [this, lock, line, isDone](const Result<RespValue>& reply) { onAnswer(lock, line, reply, isDone); });
}

void LockLoad::onAnswer(int lock, LogLine line, const Result<RespValue>& reply, const Judge& isDone) {
    --lockOf(lock).inFlight;
    --m_inFlight;
    line.when.to = now();
    const bool wasNotSent = !reply && reply.error().code == ErrorCode::ConnectionLost;
    if (!reply)
        line.answer = Answer::Unknown;
    else if (!isDone(reply.value()))
        line.answer = Answer::Refused;
    if (line.answer != Answer::Done)
        doubt(lock);
    else if (lockOf(lock).inFlight == 0 && line.after)
        lockOf(lock).leaseEnd = line.when.to + line.lease;  // the command may have been executed just now
    if (!wasNotSent)
        m_onLine(line);
}

void LockLoad::doubt(int lock) {
    m_doubtful += lockOf(lock).isDoubtful ? 0 : 1;
    lockOf(lock).isDoubtful = true;
    m_toFill.push_back(lock);  // the lock is read there, and acquired if it is free
}

void LockLoad::readDoubtful(int lock) {
    ++lockOf(lock).inFlight;
    ++m_inFlight;
    const LogLine line{lockNameOf(lock), Deed::Read, {}, 0ms, {now(), {}}, Answer::Done};
    m_connection.send(readCommand({line.lock})).then([this, lock, line](const Result<RespValue>& reply) {
        onRead(lock, line, reply);
    });
}

void LockLoad::onRead(int lock, LogLine line, const Result<RespValue>& reply) {
    Lock& state = lockOf(lock);
    --state.inFlight;
    --m_inFlight;
    if (!reply)
        return m_toFill.push_back(lock);
    const std::optional<std::pair<Hold, Milliseconds>> held = holdIn(reply->items.front());
    line.when.to = now();
    state.hold.reset();
    state.isDoubtful = false;
    state.isLeft = false;
    --m_doubtful;
    if (held) {
        line.after = state.hold = held->first;
        line.lease = held->second;
        state.leaseEnd = line.when.to + held->second;
    } else {
        becomeFree(lock);
    }
    m_onLine(line);
}

void LockLoad::readAll(const OnState& onState) {
    const auto all = std::make_shared<QHash<LockName, std::pair<Hold, Milliseconds>>>();
    constexpr int atOnce = 1000;
    for (int first = 0; first < m_sizes.locks; first += atOnce) {
        const int end = std::min(first + atOnce, m_sizes.locks);
        QList<LockName> names;
        for (int lock = first; lock < end; ++lock)
            names += lockNameOf(lock);
        m_connection.send(readCommand(names)).then([this, all, first, end, onState](const Result<RespValue>& reply) {
            for (int lock = first; reply && lock < end; ++lock) {
                if (const auto held = holdIn(reply->items[static_cast<size_t>(lock - first)]))
                    all->insert(lockNameOf(lock), *held);
            }
            if (end == m_sizes.locks)
                onState(*all);
        });
    }
}

// ---- chance ----

Milliseconds LockLoad::someLease() {
    return 60s + Milliseconds(below(60000));
}

HolderId LockLoad::someHolder(int lock) {
    const size_t first = static_cast<size_t>(lock) % (holders / 2);
    return m_holders[first + (below(2) == 0 ? holders / 2 : 0)];
}

}  // namespace lockkeeper::soak
