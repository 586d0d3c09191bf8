// SPDX-License-Identifier: Apache-2.0
#include "control/console.h"

#include "locks/kinds/reentrantlock.h"
#include "topology/shardconnections.h"

namespace lockkeeper::control {

namespace {

// The console is one holder: taking the same lock twice is a reentry.
constexpr ThreadId consoleThread{1};

redis::ConnectionOptions namedForConsole(redis::ConnectionOptions options) {
    if (!options.clientName.isEmpty())
        options.clientName += "-console";
    return options;
}

OperationResult resultOf(const LockName& name, Outcome outcome) {
    OperationResult result;
    result.name = name;
    result.outcome = outcome;
    return result;
}

OperationResult resultOf(const LockName& name, const Result<locks::ReleaseOutcome>& released) {
    if (!released)
        return failure(name, released.error());
    return resultOf(name, *released == locks::ReleaseOutcome::Free ? Outcome::Released : Outcome::ReleasedOnce);
}

Outcome outcomeOf(BreakOutcome broken) {
    switch (broken) {
        case BreakOutcome::Broken:
            return Outcome::ForceReleased;
        case BreakOutcome::AlreadyFree:
            return Outcome::AlreadyFree;
        case BreakOutcome::Changed:
            return Outcome::HolderChanged;
    }
    return Outcome::Failed;
}

}  // namespace

Console::Console(const redis::ConnectionOptions& options, topology::Shards& shards, Clock& clock, AuditLog* log,
                 const AuditPlace& place, QObject* parent)
    : QObject(parent),
      m_access(options.access),
      m_client(namedForConsole(options), shards, clock),
      m_force(m_client.connections(), m_client.options().commandTimeout, log, place),
      m_audit(log, place, clock) {
    connect(&m_client, &locks::LockClient::heldChanged, this, [this] { Q_EMIT ownLocksChanged(ownLocks()); });
    connect(&m_client, &locks::LockClient::heldChanged, this, &Console::becameIdle);
    connect(&m_client.connections(), &topology::ShardConnections::stateChanged, this,
            [this](const redis::Connection* connection, redis::Connection::State state) {
                if (state == redis::Connection::State::Waiting)
                    Q_EMIT connectionLost(connection->lastError());
            });
    connect(&m_client, &locks::LockClient::lockLost, this,
            [this](const locks::HoldKey& key, locks::LossReason why) {
                m_audit.lost(key, why);
                Q_EMIT ownLockLost(key.name, why);
            });
}

Console::~Console() {
    m_client.close();  // a release takes no stop token: it ends with the connection
    m_scope.stop();
}

void Console::open() {
    m_replicaRefusal.reset();
    if (m_access == redis::AccessMode::ReadWrite)
        m_client.open();
}

void Console::refuseOnReplica(const QString& master) {
    QStringList arguments{QStringLiteral("slave")};
    if (!master.isEmpty())
        arguments += master;
    m_replicaRefusal = Error(ErrorCode::NotPermitted, Cause::NotMaster, arguments);
}

void Console::setWriting(Writing writing) {
    m_writing = writing;
    m_force.refuse(notArmed());
    if (writing == Writing::Refused)
        cancelWaiting();
}

std::optional<Error> Console::notArmed() const {
    if (m_writing == Writing::Allowed)
        return std::nullopt;
    return Error(ErrorCode::NotArmed, Cause::NotArmed);
}

bool Console::isIdle() const {
    return m_underWay == 0 && m_client.heldKeys().empty();
}

void Console::acquire(OperationId id, const AcquireRequest& request) {
    if (newRefused(id, request.name))
        return;
    ++m_underWay;
    std::stop_source source;
    m_waiting.insert(id, source);
    m_scope.spawn(runAcquire(id, request, source.get_token()));
}

void Console::release(OperationId id, const ReleaseRequest& request) {
    if (refused(id, request.name))
        return;
    ++m_underWay;
    m_scope.spawn(runRelease(id, request.name));
}

void Console::forceRelease(OperationId id, const ForceReleaseRequest& request) {
    if (newRefused(id, request.confirmed.name))
        return;
    ++m_underWay;
    m_scope.spawn(runForceRelease(id, request));
}

void Console::cancel(OperationId id) {
    const auto waiting = m_waiting.constFind(id);
    if (waiting != m_waiting.cend()) {
        std::stop_source source = *waiting;  // a copy: the acquire removes its own entry when it ends
        source.request_stop();
    }
}

locks::HoldKey Console::keyOf(const LockName& name) const {
    return {name, HolderId(m_client.id(), consoleThread)};
}

void Console::cancelWaiting() {
    const QHash<OperationId, std::stop_source> waiting = m_waiting;  // each removes its own entry
    for (std::stop_source source : waiting)
        source.request_stop();
}

QList<OwnLock> Console::ownLocks() const {
    QList<OwnLock> own;
    for (const locks::HoldKey& key : m_client.heldKeys()) {
        const locks::Hold hold = m_client.hold(key);
        OwnLock lock;
        lock.name = key.name;
        lock.holder = key.holder;
        lock.count = hold.count;
        lock.renewed = hold.renewal == locks::Renewal::Watchdog;
        own.append(lock);
    }
    return own;
}

void Console::checkOwnLocks() {
    for (const locks::HoldKey& key : m_client.heldKeys())
        m_client.checkHolds(key.name);
}

Task<void> Console::releaseAll(Deadline deadline) {
    for (const OwnLock& lock : ownLocks()) {
        for (qint64 hold = 0; hold < lock.count && !deadline.hasPassed(); ++hold) {
            const Result<locks::ReleaseOutcome> released = co_await m_client.reentrantLock(lock.name).unlock(consoleThread);
            m_audit.released(keyOf(lock.name), resultOf(lock.name, released));
            if (!released)
                break;  // a lock that cannot be released now expires
        }
    }
}

Task<void> Console::runAcquire(OperationId id, AcquireRequest request, std::stop_token stop) {
    // Combines two reasons to stop: the operator's cancel(), and the end of this console's scope.
    std::stop_source either;
    const std::function<void()> end = [&either] { either.request_stop(); };
    const std::stop_callback byOperator(stop, end);
    const std::stop_callback byScope(m_scope.stopToken(), end);
    OperationResult result = co_await acquireAudited(request, either.get_token());
    m_waiting.remove(id);
    const bool isCancelled = result.error && result.error->code == ErrorCode::Cancelled;
    if (isCancelled && m_writing == Writing::Refused)
        result.error = notArmed();
    finish(id, result);
    co_await settle(request.name);
}

Task<OperationResult> Console::acquireAudited(AcquireRequest request, std::stop_token stop) {
    const AuditRecord intent = m_audit.intentToAcquire(keyOf(request.name));
    const Result<Done> recorded = co_await m_audit.record(intent, stop);
    if (!recorded)
        co_return failure(request.name, recorded.error());
    const OperationResult result = co_await acquireNow(request, stop);
    m_audit.acquired(intent, result);
    co_return result;
}

Task<OperationResult> Console::acquireNow(AcquireRequest request, std::stop_token stop) {
    const locks::ReentrantLock lock = m_client.reentrantLock(request.name);
    const Deadline waitUntil = Deadline::in(m_client.clock(), request.wait);
    const Result<locks::LockAttempt> taken = co_await lock.tryLock(consoleThread, waitUntil, request.lease, stop);
    if (!taken)
        co_return failure(request.name, taken.error());
    co_return resultOf(request.name, taken->acquired() ? Outcome::Acquired : Outcome::HeldByOther);
}

// Waits, so that an operation just after the start or during a reconnect does not fail.
Task<Result<Done>> Console::whenReady(LockName name) {
    const Completion<Done> ready = m_client.connections().whenReady(name.bytes());
    const Result<Done> answer = co_await ready.wait(commandDeadline(), m_scope.stopToken());
    if (!answer && answer.error().code == ErrorCode::Timeout)
        co_return Error(ErrorCode::ConnectionLost, Cause::NotConnected);
    co_return answer;
}

Task<OperationResult> Console::releaseOnce(LockName name) {
    const Result<Done> ready = co_await whenReady(name);
    if (!ready)
        co_return failure(name, ready.error());
    const Result<locks::ReleaseOutcome> released = co_await m_client.reentrantLock(name).unlock(consoleThread);
    co_return resultOf(name, released);
}

Task<void> Console::runRelease(OperationId id, LockName name) {
    const OperationResult result = co_await releaseOnce(name);
    m_audit.released(keyOf(name), result);
    finish(id, result);
    co_await settle(name);
}

Task<void> Console::settle(LockName name) {
    const Completion<Done> settled = m_client.whenSettled(keyOf(name));
    (void)co_await settled.wait(Deadline::never(m_client.clock()), m_scope.stopToken());
    --m_underWay;
    Q_EMIT becameIdle();
}

Task<void> Console::runForceRelease(OperationId id, ForceReleaseRequest request) {
    const LockName name = request.confirmed.name;
    const ForceReport report = co_await m_force.run(request, m_scope.stopToken());
    m_client.checkHolds(name);
    const Result<BreakOutcome>& broken = report.outcome;
    const bool isBroken = broken ? *broken == BreakOutcome::Broken : broken.error().code == ErrorCode::NotAnnounced;
    if (isBroken)
        Q_EMIT forceReleased(request.confirmed);
    OperationResult result = broken ? resultOf(name, outcomeOf(*broken)) : failure(name, broken.error());
    if (result.outcome == Outcome::HolderChanged) {
        result.error = Error(ErrorCode::HolderChanged, Cause::ChangedSinceConfirmed);
        result.now = report.after;
    }
    result.notRecorded = report.notRecorded;
    finish(id, result);
    co_await settle(name);
}

void Console::finish(OperationId id, OperationResult result) {
    Q_EMIT operationFinished(id, result);
}

bool Console::refused(OperationId id, const LockName& name) {
    if (m_access == redis::AccessMode::ReadOnly)
        finish(id, failure(name, Error(ErrorCode::NotPermitted, Cause::ReadOnlyConnection)));
    else if (m_replicaRefusal)
        finish(id, failure(name, *m_replicaRefusal));
    return m_access == redis::AccessMode::ReadOnly || m_replicaRefusal;
}

bool Console::newRefused(OperationId id, const LockName& name) {
    if (refused(id, name))
        return true;
    if (m_writing == Writing::Refused)
        finish(id, failure(name, *notArmed()));
    return m_writing == Writing::Refused;
}

Deadline Console::commandDeadline() const {
    return Deadline::in(m_client.clock(), m_client.options().commandTimeout);
}

}  // namespace lockkeeper::control

#include "moc_console.cpp"
