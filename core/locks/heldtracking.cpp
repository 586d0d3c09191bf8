// SPDX-License-Identifier: Apache-2.0
#include "locks/heldtracking.h"

#include "base/logging.h"
#include "base/safetext.h"
#include "locks/dialect/lockdialect.h"
#include "locks/watchdog.h"

#include <QPointer>

namespace lockkeeper::locks {

using redis::Command;
using redis::Connection;
using redis::RespValue;

namespace {

using namespace std::chrono_literals;

// The pause between two reads of one lock: a lock with many readers changes often, and each reader's client would read
// each change.
constexpr Milliseconds restBetweenReads = 10ms;
constexpr Milliseconds betweenReadingHolds = 1s;
constexpr Milliseconds firstPauseAfterRefusal = 50ms;
constexpr Milliseconds patience = 5s;  // with nodes that do not serve the slot
constexpr int firstProtocolWithPushes = 3;
constexpr qint64 noSuchKey = -2;      // as PTTL answers it
constexpr qint64 anotherHasOne = -1;  // see checkOf()

bool lostItsConnection(const Error& error) {
    return error.code == ErrorCode::ConnectionLost || error.code == ErrorCode::OutcomeUnknown;
}

// A reader whose field is gone while other readers are there was removed; it was not displaced. The same holds for the
// holder of a value that now has no holder, while others hold other values.
LossReason reasonFor(const CheckedHold& hold, qint64 held, qint64 pttl, const QByteArray& lockMode) {
    const bool isOfOne = hold.values.isEmpty() && (hold.key.mode != HoldMode::Read || lockMode != "read");
    const bool isExcluded = held == anotherHasOne || (isOfOne && pttl != noSuchKey);
    return isExcluded ? LossReason::TakenOver : LossReason::Gone;
}

}  // namespace

HeldTracking::HeldTracking(topology::ShardConnections& connections, HeldLocks& held, Watchdog& watchdog,
                           QObject* parent)
    : QObject(parent), m_connections(connections), m_held(held), m_watchdog(watchdog) {
    connect(&m_connections, &topology::ShardConnections::stateChanged, this, &HeldTracking::onStateChanged);
    connect(&m_connections, &topology::ShardConnections::pushReceived, this, &HeldTracking::onPush);
    connect(&m_connections, &topology::ShardConnections::ownersChanged, this, &HeldTracking::onOwnersChanged);
}

HeldTracking::~HeldTracking() {
    for (const Refusal& refusal : std::as_const(m_refused))
        m_connections.clock().cancel(refusal.retry);
}

void HeldTracking::taken(const LockName& name) {
    if (!isOn(name))
        return pollLater();
    m_young.insert(name);
    if (!m_youngTimer.isRunning())
        m_youngTimer.start(firstRead);
}

void HeldTracking::setValues(const HoldKey& key, const QByteArrayList& values) {
    if (values.isEmpty())
        m_values.remove(key);
    else
        m_values.insert(key, values);
}

bool HeldTracking::isOn(const LockName& name) {
    const Connection* connection = m_connections.of(name.bytes());
    return connection && m_connections.isTracking(*connection);
}

LossDetection HeldTracking::lossDetection() const {
    const bool isComplete = m_refusing.empty() && m_refused.isEmpty();
    return isComplete ? LossDetection::Tracking : LossDetection::RenewalOnly;
}

// ---- switching it on ----

void HeldTracking::onStateChanged(Connection* connection, Connection::State state) {
    if (state == Connection::State::Ready)
        begin(connection);
    else if (state == Connection::State::Closed)
        note(connection, LossDetection::Tracking);  // whether it would refuse is not known any more
}

// NOLOOP: the server does not report this connection's own changes. Own commands are tracked themselves, or readSoon()
// follows them.
void HeldTracking::begin(Connection* connection) {
    if (connection->server().protocol < firstProtocolWithPushes)
        return note(connection, LossDetection::RenewalOnly);
    const Command tracking("CLIENT", {"TRACKING", "ON", "OPTIN", "NOLOOP"});
    connection->send(tracking).then(
        [this, alive = QPointer(this), at = QPointer(connection)](const Result<RespValue>& answer) {
            if (!alive || !at)
                return;
            if (answer)
                allowCaching(at);
            else
                onSwitched(at, answer.error());
        });
}

// A user may have the right to only one of the two commands.
void HeldTracking::allowCaching(Connection* connection) {
    const Command caching("CLIENT", {"CACHING", "YES"});
    connection->send(caching).then(
        [this, alive = QPointer(this), at = QPointer(connection)](const Result<RespValue>& answer) {
            if (alive && at)
                onSwitched(at, answer);
        });
}

void HeldTracking::onSwitched(Connection* connection, const Result<RespValue>& answer) {
    if (!answer && lostItsConnection(answer.error()))
        return;
    if (!answer) {
        qCInfo(logLocks) << "a lock that is taken away is noticed by its next renewal:" << answer.error().text;
        return note(connection, LossDetection::RenewalOnly);
    }
    m_connections.noteTracking(*connection);
    const QPointer<HeldTracking> alive(this);
    note(connection, LossDetection::Tracking);
    if (alive)
        checkAll(connection);
}

void HeldTracking::note(Connection* connection, LossDetection detection) {
    if (detection == LossDetection::RenewalOnly) {
        m_refusing.insert(connection);
        pollLater();
    } else {
        m_refusing.erase(connection);
    }
    reportDetection();
}

void HeldTracking::reportDetection() {
    if (std::exchange(m_reported, lossDetection()) != lossDetection())
        Q_EMIT lossDetectionChanged();
}

// ---- what may have changed ----

// A push without names reports a flush of the database.
void HeldTracking::onPush(const Connection* connection, const RespValue& push) {
    if (push.items.size() != 2 || push.items.front().bytes != "invalidate")
        return;
    if (push.items[1].isNull())
        return checkAll(connection);
    for (const RespValue& key : push.items[1].items)
        check(LockName(key.bytes));
}

// The new owner of a slot does not track the keys of the slot yet.
void HeldTracking::onOwnersChanged() {
    QHash<topology::HashSlot, const Connection*> owners;
    QSet<LockName> moved;
    for (const HoldKey& key : m_held.keys()) {
        const topology::HashSlot slot = topology::hashSlotOf(key.name.bytes());
        const Connection* owner = m_connections.of(key.name.bytes());
        owners.insert(slot, owner);
        if (m_owners.value(slot) != owner)
            moved.insert(key.name);
    }
    m_owners = owners;
    for (const LockName& name : std::as_const(moved))
        check(name);
}

void HeldTracking::checkAll(const Connection* connection) {
    QSet<LockName> names;
    for (const HoldKey& key : m_held.keys()) {
        if (m_connections.of(key.name.bytes()) == connection)
            names.insert(key.name);
    }
    for (const LockName& name : std::as_const(names))
        check(name);
}

void HeldTracking::checkYoung() {
    const SteadyTime now = m_connections.clock().now();
    const QPointer<HeldTracking> alive(this);
    SteadyTime next = SteadyTime::max();
    for (const LockName& name : std::exchange(m_young, {})) {
        const std::optional<SteadyTime> since = m_held.heldSince(name);
        if (since && *since > now - firstRead) {  // released and taken again
            next = std::min(next, *since + firstRead);
            m_young.insert(name);
        } else if (since) {
            check(name);
            if (!alive)
                return;
        }
    }
    if (!m_young.isEmpty())
        m_youngTimer.start(next);
}

// ---- where nothing is reported ----

void HeldTracking::pollLater() {
    if (m_refusing.empty())
        return;
    pollLater(Polled::ReadingHolds);
    pollLater(Polled::OtherHolds);
}

Milliseconds HeldTracking::betweenRenewals() const {
    return std::max(m_watchdog.timeout() / 3, Milliseconds(1));
}

void HeldTracking::pollLater(Polled which) {
    const bool areReading = which == Polled::ReadingHolds;
    ClockTimer& timer = areReading ? m_readingPoll : m_otherPoll;
    if (!timer.isRunning())
        timer.start(areReading ? std::min(betweenReadingHolds, betweenRenewals()) : betweenRenewals());
}

void HeldTracking::poll(Polled which) {
    QSet<LockName> names;
    for (const HoldKey& key : m_held.keys()) {
        const Polled kind = key.mode == HoldMode::Read ? Polled::ReadingHolds : Polled::OtherHolds;
        if (kind == which && m_held.find(key)->renewal == Renewal::FixedLease && !isOn(key.name))
            names.insert(key.name);
    }
    for (const LockName& name : std::as_const(names))
        readSoon(name);
    if (!names.isEmpty())
        pollLater(which);
}

// ---- reading ----

void HeldTracking::check(const LockName& name) {
    if (isOn(name))
        readSoon(name);
}

void HeldTracking::readSoon(const LockName& name) {
    const std::vector<HoldKey> holds = m_held.holdsOf(name);
    if (holds.empty())
        return forgetRefusal(name);
    const auto underWay = m_reading.find(name);
    if (underWay != m_reading.end()) {
        *underWay = true;
        return;
    }
    m_reading.insert(name, false);
    read(name, holds);
}

void HeldTracking::read(const LockName& name, const std::vector<HoldKey>& holds) {
    Clock& clock = m_connections.clock();
    const SteadyTime sentAt = clock.now();
    std::vector<CheckedHold> checked;
    for (const HoldKey& key : holds) {
        CheckedHold& hold = checked.emplace_back(CheckedHold{key, {}, m_values.value(key)});
        for (const SteadyTime deadline : m_held.readDeadlines(key))
            hold.left.push_back(std::chrono::ceil<Milliseconds>(deadline - sentAt));
    }
    const redis::ScriptCall check = checkOf(checked);
    m_connections.run(name.bytes(), check, Deadline::in(clock, patience))
        .then(
            [this, alive = QPointer(this), name, holds = std::move(checked), sentAt](const Result<RespValue>& answer) {
                if (!alive)
                    return;
                endRead(name);
                if (answer)
                    onRead(holds, sentAt, *answer);
                else if (answer.error().reply != ReplyKind::None)
                    return readAgainLater(name, answer.error());
                if (alive)
                    forgetRefusal(name);
            });
}

void HeldTracking::endRead(const LockName& name) {
    Clock& clock = m_connections.clock();
    (void)clock.schedule(clock.now() + restBetweenReads, [this, alive = QPointer(this), name] {
        if (alive && m_reading.take(name))
            readSoon(name);
    });
}

// After a lost connection nothing is done here: the next connection reads everything again.
void HeldTracking::readAgainLater(const LockName& name, const Error& refusal) {
    constexpr int mostDoublings = 16;
    Clock& clock = m_connections.clock();
    Refusal& refused = m_refused[name];
    if (refused.times == 0)
        qCInfo(logLocks) << "a held lock cannot be read:" << boundedName(name) << refusal.text;
    const Milliseconds pause = firstPauseAfterRefusal * (1 << std::min(refused.times++, mostDoublings));
    clock.cancel(refused.retry);
    refused.retry = clock.schedule(clock.now() + std::min(pause, betweenRenewals()), [this, name] {
        m_refused[name].retry = Clock::TimerId::None;
        readSoon(name);
    });
    reportDetection();
}

void HeldTracking::forgetRefusal(const LockName& name) {
    m_connections.clock().cancel(m_refused.take(name).retry);
    reportDetection();
}

void HeldTracking::onRead(const std::vector<CheckedHold>& holds, SteadyTime sentAt, const RespValue& answer) {
    constexpr size_t beforeHolds = 2;
    if (answer.items.size() != beforeHolds + holds.size())
        return;
    const qint64 pttl = answer.items[0].integer;
    std::vector<std::pair<HoldKey, LossReason>> gone;
    bool isShortened = false;
    for (size_t i = 0; i < holds.size(); ++i) {
        const HoldKey& key = holds[i].key;
        const qint64 held = answer.items[beforeHolds + i].integer;
        const Hold* hold = m_held.find(key);
        if (!hold || hold->deadline <= m_connections.clock().now())
            continue;  // released meanwhile; or the watchdog is about to report it as expired
        if (held != 1) {
            gone.emplace_back(key, reasonFor(holds[i], held, pttl, answer.items[1].bytes));
        } else if (pttl >= 0 && m_held.leaseSeen(key, sentAt + Milliseconds(pttl))) {
            m_watchdog.watch(key);
            isShortened = true;
        }
    }
    for (const auto& [key, why] : gone)
        m_held.remove(key);
    const QPointer<HeldTracking> alive(this);
    if (isShortened)
        Q_EMIT leaseShortened();
    for (const auto& [key, why] : gone) {
        if (alive)
            Q_EMIT lost(key, why);
    }
}

}  // namespace lockkeeper::locks

#include "moc_heldtracking.cpp"
