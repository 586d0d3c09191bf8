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
      m_force(m_client.connections(), m_client.options().commandTimeout, log, place) {
    connect(&m_client, &locks::LockClient::heldChanged, this, [this] { Q_EMIT ownLocksChanged(ownLocks()); });
    connect(&m_client, &locks::LockClient::lockLost, this,
            [this](const locks::HoldKey& key, locks::LossReason why) { Q_EMIT ownLockLost(key.name, why); });
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

void Console::acquire(OperationId id, const AcquireRequest& request) {
    if (refused(id, request.name))
        return;
    std::stop_source source;
    m_waiting.insert(id, source);
    m_scope.spawn(runAcquire(id, request, source.get_token()));
}

void Console::release(OperationId id, const ReleaseRequest& request) {
    if (!refused(id, request.name))
        m_scope.spawn(runRelease(id, request.name));
}

void Console::forceRelease(OperationId id, const ForceReleaseRequest& request) {
    if (!refused(id, request.confirmed.name))
        m_scope.spawn(runForceRelease(id, request));
}

void Console::cancel(OperationId id) {
    const auto waiting = m_waiting.constFind(id);
    if (waiting != m_waiting.cend()) {
        std::stop_source source = *waiting;  // a copy: the acquire removes its own entry when it ends
        source.request_stop();
    }
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

Task<void> Console::releaseAll(Deadline deadline) {
    for (const OwnLock& lock : ownLocks()) {
        for (qint64 hold = 0; hold < lock.count && !deadline.hasPassed(); ++hold) {
            const Result<locks::ReleaseOutcome> released = co_await m_client.reentrantLock(lock.name).unlock(consoleThread);
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
    const locks::ReentrantLock lock = m_client.reentrantLock(request.name);
    const Deadline waitUntil = Deadline::in(m_client.clock(), request.wait);
    const Result<locks::LockAttempt> taken = co_await lock.tryLock(consoleThread, waitUntil, request.lease, either.get_token());
    m_waiting.remove(id);
    if (!taken)
        finish(id, failure(request.name, taken.error()));
    else
        finish(id, resultOf(request.name, taken->acquired() ? Outcome::Acquired : Outcome::HeldByOther));
}

// Waits, so that an operation just after the start or during a reconnect does not fail.
Task<Result<Done>> Console::whenReady(LockName name) {
    const Completion<Done> ready = m_client.connections().whenReady(name.bytes());
    const Result<Done> answer = co_await ready.wait(commandDeadline(), m_scope.stopToken());
    if (!answer && answer.error().code == ErrorCode::Timeout)
        co_return Error(ErrorCode::ConnectionLost, Cause::NotConnected);
    co_return answer;
}

Task<void> Console::runRelease(OperationId id, LockName name) {
    const Result<Done> ready = co_await whenReady(name);
    if (!ready) {
        finish(id, failure(name, ready.error()));
        co_return;
    }
    const Result<locks::ReleaseOutcome> released = co_await m_client.reentrantLock(name).unlock(consoleThread);
    if (!released)
        finish(id, failure(name, released.error()));
    else
        finish(id, resultOf(name, *released == locks::ReleaseOutcome::Free ? Outcome::Released : Outcome::ReleasedOnce));
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
    finish(id, result);
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

Deadline Console::commandDeadline() const {
    return Deadline::in(m_client.clock(), m_client.options().commandTimeout);
}

}  // namespace lockkeeper::control

#include "moc_console.cpp"
