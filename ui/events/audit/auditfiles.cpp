// SPDX-License-Identifier: Apache-2.0
#include "ui/events/audit/auditfiles.h"

#include "base/regularfile.h"
#include "control/audit/auditcsv.h"

#include <QPromise>
#include <QSaveFile>
#include <QThreadPool>

#include <memory>

namespace lockkeeper::ui {

namespace {

// work: owns what it uses.
template <typename Answer, typename Work>
QFuture<Answer> onPool(Work work) {
    const auto promise = std::make_shared<QPromise<Answer>>();
    promise->start();
    QThreadPool::globalInstance()->start([promise, work = std::move(work)] {
        promise->addResult(work());
        promise->finish();
    });
    return promise->future();
}

QByteArray exportedLines(const AuditEntry& entry, ExportFormat format) {
    if (format == ExportFormat::Csv)
        return control::auditCsvLine(entry.record, entry.outcome);
    QByteArray lines;
    for (const QByteArray& line : entry.lines)
        lines += line + '\n';
    return lines;
}

bool writeEntries(QIODevice& file, ExportFormat format, const std::vector<AuditEntry>& entries) {
    if (format == ExportFormat::Csv && !writeWhole(file, control::auditCsvHeader()))
        return false;
    for (const AuditEntry& entry : entries) {
        if (!writeWhole(file, exportedLines(entry, format)))
            return false;
    }
    return true;
}

}  // namespace

QFuture<Result<control::AuditReading>> readAuditAside(const QString& folder, const control::AuditFilter& filter) {
    return onPool<Result<control::AuditReading>>([folder, filter] { return control::readAudit(folder, filter); });
}

QFuture<Result<Done>> writeAuditAside(const QString& path, ExportFormat format, std::vector<AuditEntry> entries) {
    return onPool<Result<Done>>([path, format, entries = std::move(entries)]() -> Result<Done> {
        QSaveFile file(path);
        if (file.open(QIODevice::WriteOnly) && writeEntries(file, format, entries) && file.flush() && file.commit())
            return Done();
        return Error(ErrorCode::Storage, writeFailure(file));
    });
}

}  // namespace lockkeeper::ui
