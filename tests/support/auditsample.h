// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/isotime.h"
#include "control/audit/auditrecord.h"

namespace lockkeeper::test {

// The intent to break a lock that a worker holds.
[[nodiscard]] inline control::AuditRecord intentOf(const QByteArray& lock,
                                                   const QString& at = QStringLiteral("2026-11-23T12:00:00.000Z")) {
    control::AuditRecord record;
    record.id = QStringLiteral("of ") + QString::fromUtf8(lock);
    record.at = timeFromIso(at).value();
    record.user = QStringLiteral("ann");
    record.host = QStringLiteral("bastion");
    record.place.server = QStringLiteral("cache.example:6379/0");
    record.lock = LockName(lock);
    record.reason = QStringLiteral("worker-7 crashed, ticket 1234");
    return record;
}

[[nodiscard]] inline control::AuditRecord outcomeOf(const control::AuditRecord& intent, control::AuditOutcome outcome) {
    control::AuditRecord record = intent;
    record.step = control::AuditStep::Outcome;
    record.reason.clear();
    record.outcome = outcome;
    return record;
}

}  // namespace lockkeeper::test
