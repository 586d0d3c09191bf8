#pragma once

#include "monitor/synchronizers/synchronizer.h"

#include <QByteArray>

namespace lockkeeper::monitor {

// Semaphores and latches as CSV, as csv/recordcsv.h has locks: in words and names as in JSON.
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray synchronizerCsvHeader();
[[nodiscard]] LOCKKEEPER_EXPORT QByteArray toCsvLine(const Synchronizer& synchronizer);

}  // namespace lockkeeper::monitor
