// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QLoggingCategory>

namespace lockkeeper {

// Enable with QT_LOGGING_RULES="lockkeeper.*=true". No category ever logs a password or a command's arguments. Declared
// without Qt's macro, which exports nothing before Qt 6.5.
[[nodiscard]] LOCKKEEPER_EXPORT const QLoggingCategory& logRedis();
[[nodiscard]] LOCKKEEPER_EXPORT const QLoggingCategory& logLocks();
[[nodiscard]] LOCKKEEPER_EXPORT const QLoggingCategory& logMonitor();
[[nodiscard]] LOCKKEEPER_EXPORT const QLoggingCategory& logEngine();

}  // namespace lockkeeper
