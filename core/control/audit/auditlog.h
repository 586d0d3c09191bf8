// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "base/clocktimer.h"
#include "control/audit/auditfile.h"
#include "lockkeeper_monitor_export.h"

#include <QObject>
#include <QThread>

namespace lockkeeper::control {

// Writes the audit on its own thread, because a wait for the disk would cost leases. Thread: the clock's, which must
// outlive it.
class LOCKKEEPER_MONITOR_EXPORT AuditLog : public QObject {
    Q_OBJECT
public:
    // folder: see AuditFile; created with the first record.
    AuditLog(const QString& folder, Clock& clock, QObject* parent = nullptr);
    // Blocks until every record was written, or failed.
    ~AuditLog() override;

    [[nodiscard]] const QString& folder() const noexcept { return m_folder; }
    // Completes when the record is on the disk; user and host are filled in. If an outcome cannot be written, the call
    // fails, and the outcome is written later, before any other record. An intent that cannot be written is dropped.
    // Records are written in the order of the calls. Errors: Storage.
    [[nodiscard]] Completion<Done> write(const AuditRecord& record);

Q_SIGNALS:
    // A record is on the disk. Emitted before its call completes.
    void written(const lockkeeper::control::WrittenAuditLine& line);

private:
    class Writer;

    void post(const std::optional<AuditRecord>& record, const Completion<Done>& answer);
    void retryLater();

    const QString m_folder;
    Clock& m_clock;
    QThread m_thread;
    Writer* m_writer;  // lives on m_thread and is deleted there
    ClockTimer m_retryTimer{m_clock, [this] { post(std::nullopt, Completion<Done>()); }};
};

}  // namespace lockkeeper::control
