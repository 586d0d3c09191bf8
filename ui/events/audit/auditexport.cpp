// SPDX-License-Identifier: Apache-2.0
#include "ui/events/audit/auditexport.h"

#include "base/regularfile.h"
#include "control/audit/auditcsv.h"

namespace lockkeeper::ui {

namespace {

QByteArray exportedLines(const AuditEntry& entry, ExportFormat format) {
    if (format == ExportFormat::Csv)
        return control::auditCsvLine(entry.record, entry.outcome);
    QByteArray lines;
    for (const QByteArray& line : entry.lines)
        lines += line + '\n';
    return lines;
}

}  // namespace

Result<Done> saveAudit(const QString& path, ExportFormat format, const std::vector<AuditEntry>& entries) {
    return saveFile(path, [format, &entries](QIODevice& file) {
        if (format == ExportFormat::Csv && !writeWhole(file, control::auditCsvHeader()))
            return false;
        for (const AuditEntry& entry : entries) {
            if (!writeWhole(file, exportedLines(entry, format)))
                return false;
        }
        return true;
    });
}

}  // namespace lockkeeper::ui
