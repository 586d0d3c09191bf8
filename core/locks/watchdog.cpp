// SPDX-License-Identifier: Apache-2.0
#include "locks/watchdog.h"

#include "locks/dialect/lockdialect.h"
#include "redis/replyerrors.h"

#include <algorithm>

namespace lockkeeper::locks {

namespace {

constexpr size_t locksPerCommand = 100;

}  // namespace

Watchdog::Watchdog(redis::Connection& connection, HeldLocks& held, Milliseconds timeout, QObject* parent)
    : QObject(parent), m_connection(connection), m_held(held), m_timeout(timeout) {
    connect(&m_connection, &redis::Connection::stateChanged, this, [this](redis::Connection::State state) {
        // Renew at once after a reconnect: a third of the timeout may have passed long ago.
        if (state == redis::Connection::State::Ready && m_held.hasRenewed())
            renewAll();
    });
}

Watchdog::~Watchdog() {
    m_connection.clock().cancel(m_timer);
}

void Watchdog::watch(const HoldKey& key) {
    const Hold* hold = m_held.find(key);
    if (!hold)
        return;
    const SteadyTime now = m_connection.clock().now();
    if (hold->renewal == Renewal::Watchdog)
        m_nextTick = std::min(m_nextTick, now + (hold->deadline - now) / 3);
    arm();
}

void Watchdog::onTimer() {
    m_timer = Clock::TimerId::None;
    m_armedFor = SteadyTime::max();
    const QPointer<Watchdog> alive(this);
    endExpired();
    if (!alive)
        return;
    if (m_connection.clock().now() >= m_nextTick)
        renewAll();
    arm();
}

void Watchdog::endExpired() {
    std::vector<HoldKey> expired;
    while (const std::optional<HoldKey> key = m_held.takeExpired(m_connection.clock().now()))
        expired.push_back(*key);
    tellLost(expired, LossReason::LeaseExpired);
}

void Watchdog::renewAll() {
    const std::vector<HoldKey> keys = m_held.renewedKeys();
    m_nextTick = keys.empty() ? SteadyTime::max() : m_connection.clock().now() + interval();
    for (size_t first = 0; first < keys.size(); first += locksPerCommand) {
        const auto begin = keys.begin() + static_cast<qsizetype>(first);
        const auto end = keys.begin() + static_cast<qsizetype>(std::min(first + locksPerCommand, keys.size()));
        renew(std::vector<HoldKey>(begin, end), Sending::BySha);
    }
}

void Watchdog::renew(const std::vector<HoldKey>& keys, Sending sending) {
    Renewed renewed;
    renewed.deadline = m_connection.clock().now() + m_timeout;
    for (const HoldKey& key : keys)
        renewed.holds.emplace_back(key, m_held.leaseSent(key, renewed.deadline, LeaseCause::Renewal));
    const ScriptCall script = renewalOf(keys, m_timeout);
    m_connection.send(sending == Sending::BySha ? script.evalSha() : script.eval())
        .then([this, alive = QPointer(this), renewed = std::move(renewed)](const Result<redis::RespValue>& reply) {
            if (!alive)
                return;
            onRenewed(renewed, reply);
            if (alive && !reply && reply.error().reply == ReplyKind::NoScript)
                renewWhole(renewed);
        });
}

// The server did not know the script, so nothing was renewed. Renew what is still held with a new command: repeating
// the old one could shorten the lease of a hold that was taken since.
void Watchdog::renewWhole(const Renewed& refused) {
    std::vector<HoldKey> keys;
    for (const auto& [key, ticket] : refused.holds) {
        const Hold* hold = m_held.find(key);
        if (hold && hold->renewal == Renewal::Watchdog)
            keys.push_back(key);
    }
    if (!keys.empty())
        renew(keys, Sending::Whole);
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
    m_connection.clock().cancel(m_timer);
    m_armedFor = wanted;
    m_timer = m_connection.clock().schedule(wanted, [this] { onTimer(); });
}

}  // namespace lockkeeper::locks

#include "moc_watchdog.cpp"
