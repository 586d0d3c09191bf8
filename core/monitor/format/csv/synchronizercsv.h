#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/synchronizer.h"

#include <QByteArray>

namespace lockkeeper::monitor {

// Semaphores and latches as CSV, as csv/recordcsv.h has locks: in words and names as in JSON.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray synchronizerCsvHeader();
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toCsvLine(const Synchronizer& synchronizer);

}  // namespace lockkeeper::monitor
