#pragma once

#include "monitor/aliasof.h"
#include "monitor/lockevent.h"
#include "monitor/lockrow.h"

#include <QByteArray>

namespace lockkeeper::monitor {

// Locks and events as CSV (base/csvline.h), for spreadsheets: times in ISO 8601 and UTC, durations in milliseconds,
// words as in JSON. A name that is not UTF-8 stands in the column lock_base64, as in JSON. What is not known is empty.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray lockCsvHeader();
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray toCsvLine(const LockRow& row, const AliasOf& aliasOf = noAlias);
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray eventCsvHeader();
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray toCsvLine(const LockEvent& event, const AliasOf& aliasOf = noAlias);

}  // namespace lockkeeper::monitor
