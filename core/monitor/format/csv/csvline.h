// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArray>
#include <QStringList>

namespace lockkeeper {

// One record by RFC 4180, with its line end, in UTF-8. A cell that a spreadsheet would take for a formula gets an
// apostrophe in front; plain numbers are not changed.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray csvLine(const QStringList& cells);

// Whether programs read this cell back unchanged: it needs no apostrophe, and contains no NUL, at which many programs
// stop.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool csvKeeps(const QString& cell);

}  // namespace lockkeeper
