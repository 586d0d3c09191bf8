// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "control/audit/auditrecord.h"
#include "lockkeeper_monitor_export.h"

#include <chrono>

class QFile;

namespace lockkeeper::control {

// A line that was appended, as it stands in its file from one offset to another.
struct WrittenAuditLine {
    AuditRecord record;
    QByteArray bytes;  // without a line end
    QString file;      // its name
    qint64 begin = 0;  // the size of the file before, and after it
    qint64 end = 0;
};

// The audit on the disk: a folder with a file of lines for each month (UTC), "2026-11.jsonl". Only its owner may read
// it. Existing lines are never changed. Each line has the hash of the line before, also if that line was only half
// written or is in the file of an earlier month. Several programs may append at once. Thread: any one. Blocks for the
// disk.
class LOCKKEEPER_MONITOR_EXPORT AuditFile {
public:
    // patience: how long another program may keep the folder locked.
    explicit AuditFile(QString folder, std::chrono::milliseconds patience = std::chrono::seconds(5));

    // Returns when the line is on the disk. Errors: Storage. A line that failed may be in the file partly, or as a
    // whole.
    [[nodiscard]] Result<WrittenAuditLine> append(const AuditRecord& record) const;

private:
    struct End;

    // The end of the newest file that has a line.
    [[nodiscard]] Result<End> end() const;
    // Returns the size of the file before.
    [[nodiscard]] Result<qint64> write(const QString& path, const QByteArray& bytes) const;

    const QString m_folder;
    const std::chrono::milliseconds m_patience;
};

// The paths of the files of all months, the oldest first.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QStringList auditFiles(const QString& folder);

}  // namespace lockkeeper::control
