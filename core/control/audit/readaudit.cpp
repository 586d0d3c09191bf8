// SPDX-License-Identifier: Apache-2.0
#include "control/audit/readaudit.h"

#include "base/regularfile.h"
#include "control/audit/auditfile.h"
#include "control/audit/auditjson.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lockkeeper::control {

namespace {

AuditLine::Standing standingOf(const QByteArray& line, const QByteArray& hashBefore) {
    const QJsonDocument document = QJsonDocument::fromJson(line);
    if (!document.isObject())
        return AuditLine::Standing::Torn;
    const bool follows = document[QLatin1String("previous")].toString().toLatin1() == hashBefore;
    return follows ? AuditLine::Standing::Whole : AuditLine::Standing::Broken;
}

bool passes(const AuditLine& line, const AuditFilter& filter) {
    if (!line.record)
        return false;
    return (!filter.lock || line.record->lock == *filter.lock) && (!filter.since || line.record->at >= *filter.since);
}

// Drops the oldest lines until `atMost` are left.
void dropOldest(AuditReading& reading, size_t atMost) {
    if (reading.lines.size() <= atMost)
        return;
    const auto dropped = static_cast<std::ptrdiff_t>(reading.lines.size() - atMost);
    reading.lines.erase(reading.lines.begin(), reading.lines.begin() + dropped);
    reading.leftOut += dropped;
}

// Whether the fault is one of the first, or the first one of its standing. A line takes a hundred times more memory
// than a torn one does in its file.
bool isKept(const AuditLine& fault, const AuditReading& reading) {
    constexpr size_t most = 1000;
    const auto isOfSameStanding = [&fault](const AuditLine& kept) { return kept.standing == fault.standing; };
    return reading.faults.size() < most || std::ranges::none_of(reading.faults, isOfSameStanding);
}

void take(AuditReading& reading, AuditLine line, const AuditFilter& filter) {
    line.standing = standingOf(line.bytes, reading.lastHash);
    if (std::optional<AuditLineContent> content = fromAuditLine(line.bytes))
        line.record = std::move(content->record);
    reading.lastHash = auditHash(line.bytes);
    ++reading.lineCount;
    if (line.standing != AuditLine::Standing::Whole && isKept(line, reading))
        reading.faults.push_back(line);
    if (passes(line, filter))
        reading.lines.push_back(std::move(line));
    // Not done for each line, because dropping moves all the others.
    if (reading.lines.size() / 2 > filter.atMost)
        dropOldest(reading, filter.atMost);
}

}  // namespace

Result<AuditReading> readAudit(const QString& folder, const AuditFilter& filter) {
    AuditReading reading;
    reading.lastHash = noAuditHash();
    for (const QString& path : auditFiles(folder)) {
        QFile file(path);
        if (const Result<Done> opened = openRegularFile(file); !opened)
            return opened.error();
        for (int number = 1; !file.atEnd(); ++number) {
            AuditLine line;
            line.file = QFileInfo(path).fileName();
            line.number = number;
            line.bytes = file.readLine();
            if (file.error() != QFile::NoError)
                return Error(ErrorCode::Storage, Cause::FileNotRead, {path, file.errorString()});
            if (line.bytes.endsWith('\n'))
                line.bytes.chop(1);
            take(reading, std::move(line), filter);
        }
        reading.lastFile = QFileInfo(path).fileName();
        reading.lastFileEnd = file.pos();
    }
    dropOldest(reading, filter.atMost);
    return reading;
}

}  // namespace lockkeeper::control
