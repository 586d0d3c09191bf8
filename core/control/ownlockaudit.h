// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/task.h"
#include "control/audit/auditlog.h"
#include "control/operations.h"
#include "locks/hold.h"

#include <QHash>

namespace lockkeeper::control {

// Records an operator's actions with locks of the console. An acquire is recorded before it is sent and after it. A
// release, and the loss of a lock, are recorded only afterwards, so they do not wait for the disk. Thread: the log's.
class OwnLockAudit {
public:
    // log: null for the demo's own server, where nothing is recorded. The log and the clock must outlive it.
    OwnLockAudit(AuditLog* log, AuditPlace place, Clock& clock);

    // place: for records from now on; an outcome has the place of its intent.
    void setPlace(const AuditPlace& place) { m_place = place; }
    [[nodiscard]] bool isRecording() const noexcept { return m_log; }
    // before, after: the lock as it was read; nothing if it could not be read.
    [[nodiscard]] AuditRecord intentToAcquire(const locks::HoldKey& key,
                                              const std::optional<monitor::LockSnapshot>& before) const;
    // Errors: Storage, Cancelled; nothing may be sent after an error.
    [[nodiscard]] Task<Result<Done>> record(AuditRecord intent, std::stop_token stop);
    void acquired(const locks::HoldKey& key, const AuditRecord& intent, const OperationResult& result,
                  const std::optional<monitor::LockSnapshot>& after = std::nullopt);
    // This holder's acquires of unknown outcome: what they may have taken is released.
    void takenBack(const locks::HoldKey& key);
    // This holder's acquires of unknown outcome: nothing was released, so their outcome stays unknown.
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
