// SPDX-License-Identifier: Apache-2.0
#include "control/ownlockaudit.h"

#include "control/audit/recordintent.h"

#include <QUuid>

namespace lockkeeper::control {

namespace {

AuditOutcome auditOutcome(const OperationResult& result) {
    switch (result.outcome) {
        case Outcome::Acquired:
        case Outcome::Released:
        case Outcome::ReleasedOnce:
        case Outcome::ForceReleased:
            return AuditOutcome::Done;
        case Outcome::HeldByOther:
        case Outcome::HolderChanged:
            return AuditOutcome::OtherHolder;
        case Outcome::AlreadyFree:
            return AuditOutcome::AlreadyFree;
        default:
            break;
    }
    return auditOutcomeOf(result.error.value_or(Error()).code);
}

QString lossWord(locks::LossReason why) {
    switch (why) {
        case locks::LossReason::LeaseExpired:
            return QStringLiteral("the lease ran out");
        case locks::LossReason::TakenAway:
            return QStringLiteral("the server no longer names this holder");
        case locks::LossReason::Gone:
            return QStringLiteral("deleted, released by force, or expired before its time");
        case locks::LossReason::TakenOver:
            return QStringLiteral("another holder has it");
    }
    return {};
}

}  // namespace

OwnLockAudit::OwnLockAudit(AuditLog* log, AuditPlace place, Clock& clock)
    : m_log(log), m_place(std::move(place)), m_clock(clock) {}

AuditRecord OwnLockAudit::recordOf(AuditAction action, const locks::HoldKey& key) const {
    AuditRecord record;
    record.action = action;
    record.id = QUuid::createUuid().toString(QUuid::WithoutBraces);
    record.at = m_clock.wallNow();
    record.place = m_place;
    record.lock = key.name;
    record.holder = key.holder;
    return record;
}

AuditRecord OwnLockAudit::intentToAcquire(const locks::HoldKey& key,
                                          const std::optional<monitor::LockSnapshot>& before) const {
    AuditRecord intent = recordOf(AuditAction::Acquire, key);
    intent.state = before;
    return intent;
}

Task<Result<Done>> OwnLockAudit::record(AuditRecord intent, std::stop_token stop) {
    if (!m_log)
        co_return Done();
    const Result<Done> recorded = co_await recordIntent(m_log, intent, &m_clock, stop);
    co_return recorded;
}

void OwnLockAudit::acquired(const locks::HoldKey& key, const AuditRecord& intent, const OperationResult& result,
                            const std::optional<monitor::LockSnapshot>& after) {
    if (auditOutcome(result) == AuditOutcome::Unknown)
        m_unknown[key] << intent;
    AuditRecord outcome = intent;
    outcome.state = after;
    outcome.at = m_clock.wallNow();
    write(outcome, result);
}

void OwnLockAudit::takenBack(const locks::HoldKey& key) {
    for (AuditRecord outcome : m_unknown.take(key)) {
        outcome.state.reset();
        outcome.at = m_clock.wallNow();
        outcome.outcome = AuditOutcome::TakenBack;
        write(outcome);
    }
}

void OwnLockAudit::released(const locks::HoldKey& key, const OperationResult& result) {
    write(recordOf(AuditAction::Release, key), result);
}

void OwnLockAudit::lost(const locks::HoldKey& key, locks::LossReason why) {
    OperationResult lost;
    lost.outcome = Outcome::Released;
    lost.error = Error(ErrorCode::NotHeld, lossWord(why));
    write(recordOf(AuditAction::Lost, key), lost);
}

void OwnLockAudit::write(AuditRecord outcome, const OperationResult& result) {
    outcome.outcome = auditOutcome(result);
    if (result.error)
        outcome.error = result.error->text;
    write(outcome);
}

// An outcome that cannot be written now is written later.
void OwnLockAudit::write(AuditRecord outcome) {
    outcome.step = AuditStep::Outcome;
    if (m_log)
        (void)m_log->write(outcome);
}

}  // namespace lockkeeper::control
