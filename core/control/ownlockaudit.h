// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "control/audit/auditlog.h"
#include "control/operations.h"
#include "locks/hold.h"

#include <QHash>

namespace lockkeeper::control {

// Records what an operator does with locks of the console: an acquire before it is sent and after it; a release, and
// that a lock was lost, after it alone: neither waits for the disk. Thread: the log's.
class OwnLockAudit {
public:
    // log: null for the demo's own server, where nothing is recorded; outlives it, and so does the clock.
    OwnLockAudit(AuditLog* log, AuditPlace place, Clock& clock);

    // Of records from now on; an outcome has that of its intent.
    void setPlace(const AuditPlace& place) { m_place = place; }
    [[nodiscard]] bool isRecording() const noexcept { return m_log; }
    // before, after: the lock as it was read; nothing if it could not be.
    [[nodiscard]] AuditRecord intentToAcquire(const locks::HoldKey& key,
                                              const std::optional<monitor::LockSnapshot>& before) const;
    // Errors: Storage, Cancelled; then nothing may be sent.
    [[nodiscard]] Task<Result<Done>> record(AuditRecord intent, std::stop_token stop);
    void acquired(const locks::HoldKey& key, const AuditRecord& intent, const OperationResult& result,
                  const std::optional<monitor::LockSnapshot>& after = std::nullopt);
    // What the acquires of this holder whose outcome is unknown may have taken is released.
    void takenBack(const locks::HoldKey& key);
    // It is not, or there was nothing to release: their outcome stays unknown.
    void notTakenBack(const locks::HoldKey& key) { m_unknown.remove(key); }
    void released(const locks::HoldKey& key, const OperationResult& result);
    void lost(const locks::HoldKey& key, locks::LossReason why);

private:
    [[nodiscard]] AuditRecord recordOf(AuditAction action, const locks::HoldKey& key) const;
    void write(AuditRecord outcome, const OperationResult& result);
    void write(AuditRecord outcome);

    AuditLog* const m_log;
    AuditPlace m_place;
    Clock& m_clock;
    QHash<locks::HoldKey, QList<AuditRecord>> m_unknown;  // intents of acquires
};

}  // namespace lockkeeper::control
