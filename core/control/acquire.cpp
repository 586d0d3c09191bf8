// SPDX-License-Identifier: Apache-2.0
#include "control/acquire.h"

#include <utility>

namespace lockkeeper::control {

namespace {

// The reentrant kind of the same lock on the server, because an extension is not a second use of the lock.
OwnLockKind withReentry(OwnLockKind kind) {
    if (kind == OwnLockKind::NonReentrant)
        return OwnLockKind::Reentrant;
    return kind == OwnLockKind::NonReentrantFair ? OwnLockKind::Fair : kind;
}

}  // namespace

Acquire::Acquire(locks::LockClient& client, OwnLocks& own, OwnLockAudit& audit, ForceRelease& reader,
                 std::function<void()> taken)
    : m_client(client), m_own(own), m_audit(audit), m_reader(reader), m_taken(std::move(taken)) {}

Task<OperationResult> Acquire::run(AcquireRequest request, std::stop_token stop, std::stop_token end) {
    const std::optional<monitor::LockSnapshot> before = co_await stateOf(request.name, stop);
    const locks::HoldKey key = m_own.keyOf(request.kind, request.name);
    const AuditRecord intent = m_audit.intentToAcquire(key, before);
    const Result<Done> recorded = co_await m_audit.record(intent, stop);
    if (!recorded)
        co_return failure(request.name, recorded.error());
    // The console may have been disarmed during the wait for the disk.
    if (m_refusal) {
        const OperationResult refused = failure(request.name, *m_refusal);
        m_audit.acquired(key, intent, refused);
        co_return refused;
    }
    OperationResult result = co_await acquire(request, stop);
    std::optional<monitor::LockSnapshot> after;
    if (!result.error)
        after = co_await stateOf(request.name, end);
    if (result.outcome == Outcome::HeldByOther)
        result.now = after;
    m_audit.acquired(key, intent, result, after);
    co_return result;
}

Task<std::optional<monitor::LockSnapshot>> Acquire::stateOf(LockName name, std::stop_token stop) {
    if (!m_audit.isRecording())
        co_return std::nullopt;
    const Result<monitor::LockReading> reading = co_await m_reader.read(name, stop);
    const auto* lock = reading ? std::get_if<monitor::LockSnapshot>(&*reading) : nullptr;
    co_return lock ? std::optional(*lock) : std::nullopt;
}

Task<OperationResult> Acquire::acquire(AcquireRequest request, std::stop_token stop) {
    const locks::Lock lock = m_own.lockOf(request.kind, request.name);
    const locks::HoldKey key = lock.holdKey(OwnLocks::thread);
    const Deadline waitUntil = Deadline::in(m_client.clock(), request.wait);
    const Result<locks::LockAttempt> taken = co_await lock.tryLock(OwnLocks::thread, waitUntil, request.lease, stop);
    if (!taken) {
        OperationResult ended = failure(request.name, taken.error());
        ended.isUnderWay = taken.error().code == ErrorCode::Cancelled && m_client.hasCallsUnderWay(key);
        co_return ended;
    }
    OperationResult result = resultOf(request.name, taken->acquired() ? Outcome::Acquired : Outcome::HeldByOther);
    if (!taken->acquired())
        co_return result;
    if (taken->token)
        result.token = static_cast<qint64>(*taken->token);
    m_own.noteTaken(key, request.kind, result.token);
    m_taken();
    co_return result;
}

Task<OperationResult> Acquire::extend(AcquireRequest request, locks::HoldKey key, std::stop_token stop,
                                      std::stop_token end) {
    if (m_client.hold(key).count == 0 || request.kind == OwnLockKind::Read)
        co_return failure(request.name, m_own.notHeld());
    request.kind = withReentry(request.kind);
    request.wait = m_client.options().commandTimeout;
    const OperationResult taken = co_await run(request, stop, end);
    if (taken.outcome != Outcome::Acquired)
        co_return taken;
    const Result<locks::ReleaseOutcome> released =
        co_await m_own.lockOf(request.kind, request.name).unlock(OwnLocks::thread);
    m_audit.released(key, resultOf(request.name, released));
    OperationResult result =
        released ? resultOf(request.name, Outcome::Extended) : failure(request.name, released.error());
    result.token = taken.token;
    m_taken();
    co_return result;
}

}  // namespace lockkeeper::control
