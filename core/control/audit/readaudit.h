// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "control/audit/auditrecord.h"
#include "lockkeeper_monitor_export.h"

#include <limits>
#include <vector>

namespace lockkeeper::control {

// One line of the audit as it stands in its file.
struct AuditLine {
    enum class Standing {
        Whole,
        Torn,   // half written: the program or the machine ended meanwhile, or the disk was full
        Broken  // the line before it is not the one after which it was written: one of the two was changed, or lines
                // between them were removed
    };

    QString file;    // its name
    int number = 0;  // in its file, from 1
    QByteArray bytes;
    Standing standing = Standing::Whole;
    std::optional<AuditRecord> record;  // nothing if torn, or of a later version
};

struct AuditFilter {
    std::optional<LockName> lock;
    std::optional<WallTime> since;
    size_t atMost = std::numeric_limits<size_t>::max();  // the newest ones of those that pass
};

struct AuditReading {
    std::vector<AuditLine> lines;   // that the filter lets pass, the oldest first
    qint64 leftOut = 0;             // older ones, beyond AuditFilter::atMost
    std::vector<AuditLine> faults;  // torn and broken ones, whatever the filter
    qint64 lineCount = 0;           // of all files
    // Of the last line. The chain cannot show that the newest lines were removed: compare with a hash that was kept
    // elsewhere.
    QByteArray lastHash;
};

// Reads the audit of a folder and checks its chain. Of a folder that does not exist: nothing. Errors: Storage. Blocks
// for the disk.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<AuditReading> readAudit(const QString& folder,
                                                                       const AuditFilter& filter = AuditFilter());

}  // namespace lockkeeper::control
