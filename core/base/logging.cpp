// SPDX-License-Identifier: Apache-2.0
#include "base/logging.h"

namespace lockkeeper {

Q_LOGGING_CATEGORY(logRedis, "lockkeeper.redis", QtWarningMsg)
Q_LOGGING_CATEGORY(logLocks, "lockkeeper.locks", QtWarningMsg)
Q_LOGGING_CATEGORY(logMonitor, "lockkeeper.monitor", QtWarningMsg)
Q_LOGGING_CATEGORY(logEngine, "lockkeeper.engine", QtWarningMsg)

}  // namespace lockkeeper
