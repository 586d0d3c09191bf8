// SPDX-License-Identifier: Apache-2.0
#include "control/quarantine.h"

#include "redis/replyerrors.h"

namespace lockkeeper::control {

namespace {

constexpr Milliseconds pauseBetweenReleases{200};

OperationResult releaseResult(const LockName& name, const Result<BreakOutcome>& released) {
    return released ? resultOf(name, outcomeOf(*released)) : failure(name, released.error());
}

QByteArrayList valueNames(const monitor::LockSnapshot& held) {
    QByteArrayList names;
    for (const monitor::HeldValue& value : held.values())
        names += value.value;
    return names;
}

locks::HoldKey keyOf(const monitor::LockSnapshot& held) {
    const bool isWriter = held.kind == monitor::LockKind::ReadWrite;
    return {held.name, held.holders.first().id, isWriter ? locks::HoldMode::Write : locks::HoldMode::Exclusive};
}

}  // namespace

Quarantine::Quarantine(locks::LockClient& client, OwnLockAudit& audit) : m_client(client), m_audit(audit) {
    connect(&m_client, &locks::LockClient::lockLost, this, &Quarantine::onLost);
}

Quarantine::~Quarantine() {
    stop();
}

void Quarantine::stop() {
    m_scope.stop();
}

QList<OwnLock> Quarantine::ownLocks() const {
    QList<OwnLock> own;
    for (const auto& [name, kept] : m_kept) {
        OwnLock lock;
        lock.name = name;
        lock.holder = kept.key.holder;
        lock.kind = kept.key.mode == locks::HoldMode::Write ? OwnLockKind::Write : OwnLockKind::Reentrant;
        lock.isQuarantine = true;
        own.append(lock);
    }
    return own;
}

void Quarantine::begin(const ForceReleaseRequest& request, Deadline until) {
    const monitor::LockSnapshot held = heldInQuarantine(request.confirmed, request.change);
    const locks::HoldKey key = keyOf(held);
    const Deadline leaseEnd = Deadline::in(m_client.clock(), until.time() - m_client.clock().now() + quarantineMargin);
    m_kept.insert_or_assign(held.name, QuarantinedLock{held, key, until, leaseEnd, Completion<Done>()});
    m_client.watchHold(key, leaseEnd, valueNames(held));
    Q_EMIT changed();
    m_scope.spawn(run(held.name));
}

void Quarantine::noteBroken(const monitor::LockSnapshot& broken) {
    const auto found = m_kept.find(broken.name);
    if (found != m_kept.end() && broken.isHeldBy(found->second.key.holder))
        forget(broken.name);
}

void Quarantine::forget(const LockName& name) {
    const auto found = m_kept.find(name);
    if (found == m_kept.end())
        return;
    const Completion<Done> ended = found->second.ended;
    const locks::HoldKey key = found->second.key;
    m_kept.erase(found);
    m_client.forgetHold(key);
    ended.complete(Done());
    Q_EMIT changed();
}

// If the server cannot be reached, or refuses the release, the lock expires.
Task<void> Quarantine::run(LockName name) {
    const Completion<Done> ended = m_kept.at(name).ended;
    const Deadline leaseEnd = m_kept.at(name).leaseEnd;
    Deadline next = m_kept.at(name).until;
    for (bool mayTryAgain = true; mayTryAgain;) {
        const Result<Done> early = co_await ended.wait(next, m_scope.stopToken());
        if (early || early.error().code != ErrorCode::Timeout)
            co_return;
        mayTryAgain = co_await tryToEnd(name, leaseEnd);
        next = Deadline::in(m_client.clock(), pauseBetweenReleases);
    }
}

// Returns whether to try again: the release was not sent, or another call is releasing the lock.
Task<bool> Quarantine::tryToEnd(LockName name, Deadline deadline) {
    const auto found = m_kept.find(name);
    if (found == m_kept.end() || found->second.isEnding)
        co_return true;
    const Result<BreakOutcome> released = co_await end(name, deadline);
    if (!released && !redis::isWithoutReply(released.error()) && contains(name))
        Q_EMIT releaseRefused(name, released.error());
    co_return !released && released.error().code == ErrorCode::ConnectionLost;
}

Task<Result<BreakOutcome>> Quarantine::end(LockName name, Deadline deadline) {
    const auto found = m_kept.find(name);
    if (found == m_kept.end() || found->second.isEnding)
        co_return Error(ErrorCode::OutcomeUnknown, Cause::NoAnswerInTime);
    found->second.isEnding = true;
    const monitor::LockSnapshot held = found->second.held;
    const locks::HoldKey key = found->second.key;
    const Completion<Done> ready = m_client.connections().whenReady(name.bytes());
    const Deadline patience = Deadline::in(m_client.clock(), m_client.options().commandTimeout);
    const Result<Done> isReady = co_await ready.wait(patience, m_scope.stopToken());
    Result<BreakOutcome> released = Error(ErrorCode::ConnectionLost, Cause::NotConnected);
    if (isReady) {
        released = co_await releaseQuarantine(&m_client.connections(), held, deadline, m_scope.stopToken());
        m_audit.released(key, releaseResult(name, released));
    }
    const bool isAnnounced = released || released.error().code != ErrorCode::NotAnnounced;
    if (!released && isAnnounced) {
        notReleased(name, released.error());
        co_return released;
    }
    forget(name);
    if (released && *released != BreakOutcome::Broken)
        Q_EMIT lost(key, *released == BreakOutcome::Changed ? locks::LossReason::TakenOver : locks::LossReason::Gone);
    co_return released;
}

void Quarantine::notReleased(const LockName& name, const Error& why) {
    const auto found = m_kept.find(name);
    if (found == m_kept.end())
        return;
    QuarantinedLock& kept = found->second;
    kept.isEnding = false;
    kept.mayBeReleased = kept.mayBeReleased || why.code == ErrorCode::OutcomeUnknown;
    if (kept.lostMeanwhile)
        onLost(kept.key, *kept.lostMeanwhile);
}

// If the lock is gone after a release without an answer, that release was executed.
void Quarantine::onLost(const locks::HoldKey& key, locks::LossReason why) {
    const auto found = m_kept.find(key.name);
    if (found == m_kept.end() || found->second.key != key)
        return;
    if (found->second.isEnding) {
        found->second.lostMeanwhile = why;  // the answer to the release is more precise
        return;
    }
    const locks::HoldKey lostKey = key;  // a copy, because forget() may destroy the caller's key
    const bool isLoss = !found->second.mayBeReleased || why == locks::LossReason::LeaseExpired;
    if (isLoss && found->second.held.kind == monitor::LockKind::FasterMulti)
        m_scope.spawn(releaseRest(found->second.held, found->second.leaseEnd));
    forget(lostKey.name);
    if (isLoss)
        Q_EMIT lost(lostKey, why);
}

// The loss of one value counts as the loss of all. The other values are released, so that their waiters need not wait
// for the end of the lease.
Task<void> Quarantine::releaseRest(monitor::LockSnapshot held, Deadline leaseEnd) {
    const Result<BreakOutcome> released =
        co_await releaseQuarantine(&m_client.connections(), held, leaseEnd, m_scope.stopToken());
    Q_UNUSED(released)  // values that cannot be released expire
}

}  // namespace lockkeeper::control

#include "moc_quarantine.cpp"
