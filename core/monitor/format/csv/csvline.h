#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArray>
#include <QStringList>

namespace lockkeeper {

// One record as RFC 4180 defines it, with its line end, in UTF-8. A cell that a spreadsheet would read as a formula
// gets an apostrophe in front; plain numbers stay as they are.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray csvLine(const QStringList& cells);

// Whether a reader of the record gets this cell as it is: it needs no apostrophe, and has no NUL, at which many stop.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool csvKeeps(const QString& cell);

}  // namespace lockkeeper
