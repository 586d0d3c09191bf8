// SPDX-License-Identifier: Apache-2.0
#include "control/console.h"

#include "locks/kinds/fairlock.h"
#include "locks/kinds/fencedlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/kinds/spinlock.h"
#include "topology/shardconnections.h"

namespace lockkeeper::control {

namespace {

// The console is one holder: taking the same lock twice is a reentry.
constexpr ThreadId consoleThread{1};
// Except for what it has in quarantine: no acquire of the operator's may be a reentry of that.
constexpr ThreadId quarantineThread{2};

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
    if (request.extends) {
        m_scope.spawn(runExtend(id, request));
        return;
    }
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
        lock.kind = kindOf(key);
        lock.token = m_taken.value(key).token;
        own.append(lock);
    }
    for (const auto& [name, quarantine] : m_quarantines) {
        OwnLock lock;
        lock.name = name;
        lock.holder = quarantine.held.holders.first().id;
        lock.kind = quarantine.kind;
        lock.isQuarantine = true;
        own.append(lock);
    }
    return own;
}

locks::Lock Console::lockOf(OwnLockKind kind, const LockName& name) {
    switch (kind) {
        case OwnLockKind::Reentrant:
            break;
        case OwnLockKind::Fair:
            return m_client.fairLock(name);
        case OwnLockKind::Fenced:
            return m_client.fencedLock(name);
        case OwnLockKind::Read:
            return m_client.readWriteLock(name).readLock();
        case OwnLockKind::Write:
            return m_client.readWriteLock(name).writeLock();
        case OwnLockKind::Spin:
            return m_client.spinLock(name);
    }
    return m_client.reentrantLock(name);
}

OwnLockKind Console::kindOf(const locks::HoldKey& key) const {
    if (key.mode == locks::HoldMode::Exclusive)
        return m_taken.value(key).kind;
    return key.mode == locks::HoldMode::Read ? OwnLockKind::Read : OwnLockKind::Write;
}

// A writer that reads releases its read lock first.
std::optional<locks::HoldKey> Console::holdOf(const LockName& name) const {
    using enum locks::HoldMode;
    for (const locks::HoldMode mode : {Exclusive, Read, Write}) {
        const locks::HoldKey key(name, HolderId(m_client.id(), consoleThread), mode);
        if (m_client.hold(key).count > 0)
            return key;
    }
    return std::nullopt;
}

Task<void> Console::releaseAll(Deadline deadline) {
    for (const OwnLock& lock : ownLocks()) {
        if (lock.isQuarantine) {
            const Result<BreakOutcome> ended = co_await endQuarantine(lock.name, deadline);
            Q_UNUSED(ended)
            continue;
        }
        for (qint64 hold = 0; hold < lock.count && !deadline.hasPassed(); ++hold) {
            const Result<locks::ReleaseOutcome> released = co_await lockOf(lock.kind, lock.name).unlock(consoleThread);
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
    const locks::Lock lock = lockOf(request.kind, request.name);
    const locks::HoldKey key = lock.holdKey(consoleThread);
    if (m_client.hold(key).count == 0)
        m_taken.insert(key, Taken{request.kind, std::nullopt});
    const Deadline waitUntil = Deadline::in(m_client.clock(), request.wait);
    const Result<locks::LockAttempt> taken = co_await lock.tryLock(consoleThread, waitUntil, request.lease, either.get_token());
    m_waiting.remove(id);
    if (!taken) {
        finish(id, failure(request.name, taken.error()));
        co_return;
    }
    OperationResult result = resultOf(request.name, taken->acquired() ? Outcome::Acquired : Outcome::HeldByOther);
    if (taken->token) {
        result.token = static_cast<qint64>(*taken->token);
        m_taken[key].token = result.token;
        Q_EMIT ownLocksChanged(ownLocks());
    }
    finish(id, result);
}

Task<void> Console::runExtend(OperationId id, AcquireRequest request) {
    const locks::Lock lock = lockOf(request.kind, request.name);
    const locks::HoldKey key = lock.holdKey(consoleThread);
    if (m_client.hold(key).count == 0 || request.kind == OwnLockKind::Read) {
        finish(id, failure(request.name, Error(ErrorCode::NotHeld, Cause::NotHolder,
                                               {QString::fromLatin1(m_client.id().bytes()), QStringLiteral("1")})));
        co_return;
    }
    const Deadline once = commandDeadline();
    const Result<locks::LockAttempt> taken = co_await lock.tryLock(consoleThread, once, request.lease, m_scope.stopToken());
    if (!taken || !taken->acquired()) {
        finish(id, taken ? resultOf(request.name, Outcome::HeldByOther) : failure(request.name, taken.error()));
        co_return;
    }
    if (taken->token)
        m_taken[key].token = static_cast<qint64>(*taken->token);
    const Result<locks::ReleaseOutcome> released = co_await lock.unlock(consoleThread);
    OperationResult result = released ? resultOf(request.name, Outcome::Extended) : failure(request.name, released.error());
    result.token = m_taken.value(key).token;
    Q_EMIT ownLocksChanged(ownLocks());
    finish(id, result);
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
    if (m_quarantines.contains(name)) {
        const Result<BreakOutcome> ended = co_await endQuarantine(name, commandDeadline());
        finish(id, ended ? resultOf(name, Outcome::Released) : failure(name, ended.error()));
        co_return;
    }
    const std::optional<locks::HoldKey> hold = holdOf(name);
    const locks::Lock lock = lockOf(hold ? kindOf(*hold) : OwnLockKind::Reentrant, name);
    const Result<locks::ReleaseOutcome> released = co_await lock.unlock(consoleThread);
    if (!released)
        finish(id, failure(name, released.error()));
    else
        finish(id, resultOf(name, *released == locks::ReleaseOutcome::Free ? Outcome::Released : Outcome::ReleasedOnce));
}

// ---- locks of others ----

Task<void> Console::runForceRelease(OperationId id, ForceReleaseRequest request) {
    const LockName name = request.confirmed.name;
    if (request.change.kind == ChangeKind::Quarantine)
        request.change.holder = HolderId(m_client.id(), quarantineThread);
    const ForceReport report = co_await m_force.run(request, m_scope.stopToken());
    m_client.checkHolds(name);
    noteChange(request, report);
    const Result<BreakOutcome>& broken = report.outcome;
    OperationResult result = broken ? resultOf(name, outcomeOf(*broken)) : failure(name, broken.error());
    if (result.outcome == Outcome::HolderChanged)
        result.error = Error(ErrorCode::HolderChanged, Cause::ChangedSinceConfirmed);
    if (result.outcome == Outcome::HolderChanged || report.found)
        result.now = report.after;
    result.change = request.change;
    result.found = report.found;
    result.notRecorded = report.notRecorded;
    finish(id, result);
}

void Console::noteChange(const ForceReleaseRequest& request, const ForceReport& report) {
    const Result<BreakOutcome>& outcome = report.outcome;
    const bool isAnswered = outcome ? *outcome == BreakOutcome::Broken : outcome.error().code == ErrorCode::NotAnnounced;
    if (request.change.kind == ChangeKind::Quarantine && (isAnswered || report.found == Found::Done))
        beginQuarantine(request);
    if (!isAnswered)
        return;
    monitor::LockSnapshot broken = request.confirmed;
    switch (request.change.kind) {
        case ChangeKind::ReleaseReader:
            broken.holders = {*request.change.reader};
            [[fallthrough]];
        case ChangeKind::ReleaseLock:
        case ChangeKind::Quarantine:
            Q_EMIT forceReleased(broken);
            break;
        case ChangeKind::RemoveWaiter:
        case ChangeKind::WakeWaiters:
        case ChangeKind::SetExpiry:
            break;
    }
}

// ---- quarantine ----

void Console::beginQuarantine(const ForceReleaseRequest& request) {
    monitor::LockSnapshot held = request.confirmed;
    held.holders = {quarantineHolder(held, *request.change.holder)};
    const OwnLockKind kind = held.kind == monitor::LockKind::ReadWrite ? OwnLockKind::Write : OwnLockKind::Reentrant;
    const Deadline until = Deadline::in(m_client.clock(), request.change.time);
    m_quarantines.insert_or_assign(held.name, Quarantine{held, kind, until, Completion<Done>()});
    Q_EMIT ownLocksChanged(ownLocks());
    m_scope.spawn(runQuarantine(held.name));
}

Task<void> Console::runQuarantine(LockName name) {
    const Quarantine& begun = m_quarantines.at(name);
    const Completion<Done> ended = begun.ended;
    const Deadline until = begun.until;
    const Result<Done> early = co_await ended.wait(until, m_scope.stopToken());
    if (early || early.error().code == ErrorCode::Cancelled)
        co_return;
    const Result<BreakOutcome> released = co_await endQuarantine(name, commandDeadline());
    const bool isGone = released && *released != BreakOutcome::Broken;
    if (isGone)
        Q_EMIT ownLockLost(name, *released == BreakOutcome::Changed ? locks::LossReason::TakenOver : locks::LossReason::Deleted);
}

// If it cannot be released now, it expires soon after the end of the quarantine.
Task<Result<BreakOutcome>> Console::endQuarantine(LockName name, Deadline deadline) {
    const auto found = m_quarantines.find(name);
    if (found == m_quarantines.end())
        co_return BreakOutcome::AlreadyFree;
    const Quarantine quarantine = found->second;
    m_quarantines.erase(found);
    quarantine.ended.complete(Done());
    const Result<BreakOutcome> released =
        co_await compareAndRelease(&m_client.connections(), quarantine.held, deadline, m_scope.stopToken());
    Q_EMIT ownLocksChanged(ownLocks());
    co_return released;
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
