#pragma once

#include <QLoggingCategory>

namespace lockkeeper {

// Enable with QT_LOGGING_RULES="lockkeeper.*=true". No category ever logs a password or a command's arguments.
Q_DECLARE_LOGGING_CATEGORY(logRedis)
Q_DECLARE_LOGGING_CATEGORY(logLocks)
Q_DECLARE_LOGGING_CATEGORY(logMonitor)
Q_DECLARE_LOGGING_CATEGORY(logEngine)

}  // namespace lockkeeper
