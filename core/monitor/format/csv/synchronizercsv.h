// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/synchronizer.h"

#include <QByteArray>

namespace lockkeeper::monitor {

// Semaphores and latches as CSV, with words and names as in JSON; see csv/recordcsv.h for locks.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray synchronizerCsvHeader();
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toCsvLine(const Synchronizer& synchronizer);

}  // namespace lockkeeper::monitor
