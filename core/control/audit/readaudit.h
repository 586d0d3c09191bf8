// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "control/audit/auditrecord.h"
#include "lockkeeper_monitor_export.h"

#include <limits>
#include <vector>

namespace lockkeeper::control {

// One line of the audit as it is in its file.
struct AuditLine {
    enum class Standing {
        Whole,
        Torn,   // half written: the program or the machine ended during the write, or the disk was full
        Broken  // it was written after another line than the one before it: one of the two was changed, or lines
                // between them were removed
    };

    QString file;    // name of the file
    int number = 0;  // in its file, from 1
    QByteArray bytes;
    Standing standing = Standing::Whole;
    std::optional<AuditRecord> record;  // nothing if torn, or of a later version
};

struct AuditFilter {
    std::optional<LockName> lock;
    std::optional<WallTime> since;
    size_t atMost = std::numeric_limits<size_t>::max();  // the newest of the lines that pass
};

struct AuditReading {
    std::vector<AuditLine> lines;   // the lines that pass the filter, the oldest first
    qint64 leftOut = 0;             // number of older lines, beyond AuditFilter::atMost
    std::vector<AuditLine> faults;  // the first thousand torn and broken lines, and one of each; whatever the filter is
    qint64 lineCount = 0;           // lines of all files
    // The hash of the last line. The chain cannot show that the newest lines were removed: compare this hash with one
    // that was stored elsewhere.
    QByteArray lastHash;
    QString lastFile{};      // the name of the newest file; empty if there is none
    qint64 lastFileEnd = 0;  // how far it was read
};

// Reads the audit of a folder and checks its chain. Empty for a folder that does not exist. Errors: Storage. Blocks for
// the disk.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<AuditReading> readAudit(const QString& folder,
                                                                       const AuditFilter& filter = AuditFilter());

}  // namespace lockkeeper::control
