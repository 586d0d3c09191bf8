// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/aliasof.h"
#include "monitor/model/lockevent.h"
#include "monitor/model/lockrow.h"
#include "monitor/model/synchronizer.h"

#include <QByteArray>
#include <QStringList>

namespace lockkeeper::monitor {

// Locks, events, semaphores and latches as CSV (monitor/format/csv/csvline.h) for spreadsheets: times in ISO 8601 and
// UTC, durations in milliseconds, words as in JSON. If the column lock_base64 or name_base64 is not empty, it has the
// whole name, and the column before it does not keep all bytes. A value that is not known is empty.
//
// nameCells() returns two cells: the name, and its base64 form if the text does not keep all bytes.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QStringList nameCells(const LockName& name);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray lockCsvHeader();
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toCsvLine(const LockRow& row, const AliasOf& aliasOf = noAlias);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray eventCsvHeader();
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toCsvLine(const LockEvent& event, const AliasOf& aliasOf = noAlias);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray synchronizerCsvHeader();
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toCsvLine(const Synchronizer& synchronizer);

}  // namespace lockkeeper::monitor
