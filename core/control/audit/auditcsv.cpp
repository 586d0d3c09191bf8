// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditcsv.h"

#include "base/isotime.h"
#include "control/audit/auditjson.h"
#include "monitor/format/csv/csvline.h"
#include "monitor/format/csv/recordcsv.h"

namespace lockkeeper::control {

QByteArray auditCsvHeader() {
    return csvLine({QStringLiteral("at"), QStringLiteral("user"), QStringLiteral("host"), QStringLiteral("server"),
                    QStringLiteral("profile"), QStringLiteral("environment"), QStringLiteral("lock"),
                    QStringLiteral("lock_base64"), QStringLiteral("action"), QStringLiteral("outcome"),
                    QStringLiteral("reason"), QStringLiteral("error"), QStringLiteral("id")});
}

QByteArray auditCsvLine(const AuditRecord& record, const std::optional<AuditRecord>& outcome) {
    const AuditRecord& last = outcome ? *outcome : record;
    const QStringList names = monitor::nameCells(record.lock);
    return csvLine({isoTime(record.at), record.user, record.host, record.place.server, record.place.profile,
                    record.place.environment, names.at(0), names.at(1), wordForAction(record),
                    wordFor(outcome ? outcome->outcome : AuditOutcome::Unknown), record.reason, last.error, record.id});
}

}  // namespace lockkeeper::control
