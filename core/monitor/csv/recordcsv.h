#pragma once

#include "monitor/aliasof.h"
#include "monitor/lockevent.h"
#include "monitor/lockrow.h"

#include <QByteArray>

namespace lockkeeper::monitor {

// Locks and events as CSV (base/csvline.h), for spreadsheets: times in ISO 8601 and UTC, durations in milliseconds,
// words as in JSON. Where lock_base64 is not empty, it is the name: the column lock
// does not give all its bytes back. What is not known is empty.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray lockCsvHeader();
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray toCsvLine(const LockRow& row, const AliasOf& aliasOf = noAlias);
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray eventCsvHeader();
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray toCsvLine(const LockEvent& event, const AliasOf& aliasOf = noAlias);

}  // namespace lockkeeper::monitor
