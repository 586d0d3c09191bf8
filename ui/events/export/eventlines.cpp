// SPDX-License-Identifier: Apache-2.0
#include "ui/events/export/eventlines.h"

#include "monitor/format/csv/csvline.h"
#include "monitor/format/csv/recordcsv.h"
#include "monitor/format/eventjson.h"
#include "ui/events/audit/auditentry.h"
#include "ui/words/audittext.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace lockkeeper::ui {

namespace {

const auto operatorKey = QStringLiteral("operator");
const auto reasonKey = QStringLiteral("reason");

// Both parts end with a line end.
QByteArray joinedCsv(const QByteArray& line, const QStringList& more) {
    constexpr qsizetype lineEnd = 2;
    return line.chopped(lineEnd) + ',' + csvLine(more);
}

}  // namespace

QByteArray toJsonLine(const LoggedEvent& event, const monitor::AliasOf& aliasOf) {
    const QByteArray line = monitor::toJsonLine(event, aliasOf);
    if (!event.doneBy)
        return line;
    const control::AuditRecord& record = event.doneBy->record;
    const QJsonObject done{{operatorKey, operatorText(record)}, {reasonKey, record.reason}};
    return line.chopped(1) + ',' + QJsonDocument(done).toJson(QJsonDocument::Compact).sliced(1);
}

QByteArray loggedEventCsvHeader() {
    return joinedCsv(monitor::eventCsvHeader(), {operatorKey, reasonKey});
}

QByteArray toCsvLine(const LoggedEvent& event, const monitor::AliasOf& aliasOf) {
    const control::AuditRecord* record = event.doneBy ? &event.doneBy->record : nullptr;
    return joinedCsv(monitor::toCsvLine(event, aliasOf),
                     {record ? operatorText(*record) : QString(), record ? record->reason : QString()});
}

}  // namespace lockkeeper::ui
