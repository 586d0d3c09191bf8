// SPDX-License-Identifier: Apache-2.0
#include "locks/watchdog.h"

#include "locks/dialect/lockdialect.h"
#include "redis/replyerrors.h"

#include <algorithm>
#include <map>

namespace lockkeeper::locks {

namespace {

constexpr size_t locksPerCommand = 100;
// Redis before 7.2 tracks all keys of a script again with each read in it: measured 2.0 ms for 100 locks, 0.1 ms
// for 20.
constexpr size_t trackedLocksPerCommand = 20;

}  // namespace

Watchdog::Watchdog(topology::ShardConnections& connections, HeldLocks& held, Milliseconds timeout, QObject* parent)
    : QObject(parent), m_connections(connections), m_clock(connections.clock()), m_held(held), m_timeout(timeout) {
    connect(&m_connections, &topology::ShardConnections::stateChanged, this,
            [this](redis::Connection*, redis::Connection::State state) {
                // Renew at once after a reconnect: a third of the timeout may have passed long ago.
                if (state == redis::Connection::State::Ready && m_held.hasRenewed())
                    renewAll();
            });
}

Watchdog::~Watchdog() {
    m_clock.cancel(m_timer);
}

void Watchdog::watch(const HoldKey& key) {
    if (const Hold* const hold = m_held.find(key))
        watch(*hold);
}

void Watchdog::watch(const Hold& hold) {
    if (hold.renewal == Renewal::Watchdog) {
        const SteadyTime now = m_clock.now();
        m_nextTick = std::min(m_nextTick, now + std::min<SteadyTime::duration>((hold.deadline - now) / 3, interval()));
    }
    arm();
}

void Watchdog::onTimer() {
    m_timer = Clock::TimerId::None;
    m_armedFor = SteadyTime::max();
    // Renews the other locks first: a Qt slot that is called for a loss may run an event loop.
    const std::vector<HoldKey> expired = takeExpired();
    if (m_clock.now() >= m_nextTick)
        renewAll();
    arm();
    tellLost(expired, LossReason::LeaseExpired);
}

void Watchdog::endExpired() {
    tellLost(takeExpired(), LossReason::LeaseExpired);
}

std::vector<HoldKey> Watchdog::takeExpired() {
    std::vector<HoldKey> expired;
    while (const std::optional<HoldKey> key = m_held.takeExpired(m_clock.now()))
        expired.push_back(*key);
    return expired;
}

void Watchdog::renewAll() {
    const std::vector<HoldKey> keys = m_held.renewedKeys();
    m_nextTick = keys.empty() ? SteadyTime::max() : m_clock.now() + interval();
    if (!m_connections.shards().isCluster())
        return renewEach(keys, {});
    std::map<topology::HashSlot, std::vector<HoldKey>> bySlot;
    for (const HoldKey& key : keys)
        bySlot[topology::hashSlotOf(key.name.bytes())].push_back(key);
    for (const auto& [slot, ofSlot] : bySlot)
        renewEach(ofSlot, {});
}

// In a Cluster all keys must be in one slot.
void Watchdog::renewEach(const std::vector<HoldKey>& keys, const Sending& sending) {
    if (keys.empty())
        return;
    const redis::Connection* owner = m_connections.of(keys.front().name.bytes());
    const size_t most = owner && m_connections.isTracking(*owner) ? trackedLocksPerCommand : locksPerCommand;
    for (size_t first = 0; first < keys.size(); first += most) {
        const auto begin = keys.begin() + static_cast<qsizetype>(first);
        const auto end = keys.begin() + static_cast<qsizetype>(std::min(first + most, keys.size()));
        renew(std::vector<HoldKey>(begin, end), sending);
    }
}

void Watchdog::renew(const std::vector<HoldKey>& keys, const Sending& sending) {
    Renewed renewed;
    renewed.deadline = m_clock.now() + m_timeout;
    for (const HoldKey& key : keys)
        renewed.holds.emplace_back(key, m_held.leaseSent(key, renewed.deadline, LeaseCause::Renewal));
    send(keys, sending)
        .then([this, alive = QPointer(this), renewed = std::move(renewed),
               sending](const Result<redis::RespValue>& reply) {
            if (!alive)
                return;
            onRenewed(renewed, reply);
            if (alive && !reply)
                onRefused(renewed, reply.error(), sending);
        });
}

Completion<redis::RespValue> Watchdog::send(const std::vector<HoldKey>& keys, const Sending& sending) {
    const ScriptCall script = renewalOf(keys, m_timeout);
    const QByteArray& key = keys.front().name.bytes();
    if (!sending.askedAt.isEmpty())
        return m_connections.evalAsking(sending.askedAt, script);
    return sending.whole ? m_connections.evalOnce(key, script) : m_connections.evalShaOnce(key, script);
}

// The server has executed nothing: it did not know the script, or does not serve the slot. Renews what is still held
// with a new command, because the old command could shorten the lease of a hold that was taken since.
void Watchdog::onRefused(const Renewed& refused, const Error& why, Sending sending) {
    constexpr int refusalsWithoutPause = 3;
    const bool isUnknownScript = why.reply == ReplyKind::NoScript;
    if (!isUnknownScript && !redis::isRefusedByNode(why))
        return;
    ++sending.refusals;
    sending.whole = true;
    sending.askedAt = why.reply == ReplyKind::Ask ? why.arguments.value(1) : QString();
    if (redis::isForLater(why) || sending.refusals > refusalsWithoutPause)
        return renewLater(refused, sending);
    const std::vector<HoldKey> keys = stillRenewed(refused);
    if (!keys.empty())
        renew(keys, sending);
}

// Renews the keys one by one: while a slot is moving, its keys may be on different nodes.
void Watchdog::renewLater(const Renewed& refused, const Sending& sending) {
    constexpr int mostDoublings = 6;
    const Milliseconds pause = Milliseconds(10) * (1 << std::min(sending.refusals, mostDoublings));
    (void)m_clock.schedule(m_clock.now() + pause, [this, alive = QPointer(this), refused, sending] {
        if (!alive)
            return;
        for (const HoldKey& key : stillRenewed(refused))
            renew(std::vector<HoldKey>(1, key), sending);
    });
}

std::vector<HoldKey> Watchdog::stillRenewed(const Renewed& refused) const {
    std::vector<HoldKey> keys;
    for (const auto& [key, ticket] : refused.holds) {
        const Hold* hold = m_held.find(key);
        if (hold && hold->renewal == Renewal::Watchdog)
            keys.push_back(key);
    }
    return keys;
}

void Watchdog::onRenewed(const Renewed& renewed, const Result<redis::RespValue>& reply) {
    // A failed renewal does not mean that the lock is lost: the next tick tries again, and the hold ends at its
    // deadline.
    if (!reply || reply->items.size() != renewed.holds.size()) {
        const bool mayHaveHappened = !reply && reply.error().code == ErrorCode::OutcomeUnknown;
        for (const auto& [key, ticket] : renewed.holds) {
            if (!mayHaveHappened)
                m_held.leaseNotSet(key, ticket);
        }
        return;
    }
    std::vector<HoldKey> gone;
    for (size_t i = 0; i < renewed.holds.size(); ++i) {
        const auto& [key, ticket] = renewed.holds[i];
        if (reply->items[i].integer == 1)
            m_held.leaseSet(key, ticket, renewed.deadline, LeaseCause::Renewal);
        else if (m_held.find(key))
            gone.push_back(key);
    }
    for (const HoldKey& key : gone)
        m_held.remove(key);
    const QPointer<Watchdog> alive(this);
    Q_EMIT this->renewed();
    if (alive)
        tellLost(gone, LossReason::TakenAway);
}

void Watchdog::tellLost(const std::vector<HoldKey>& keys, LossReason why) {
    const QPointer<Watchdog> alive(this);
    for (const HoldKey& key : keys) {
        if (alive)
            Q_EMIT lost(key, why);
    }
}

void Watchdog::arm() {
    const SteadyTime wanted = std::min(m_nextTick, m_held.earliestDeadline().value_or(SteadyTime::max()));
    // An early tick does no harm and costs less than arming the timer again for each lock that is taken and released.
    if (wanted == SteadyTime::max() || wanted >= m_armedFor)
        return;
    m_clock.cancel(m_timer);
    m_armedFor = wanted;
    m_timer = m_clock.schedule(wanted, [this] { onTimer(); });
}

}  // namespace lockkeeper::locks

#include "moc_watchdog.cpp"
