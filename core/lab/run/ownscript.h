// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArray>

namespace lockkeeper::lab {

// Whether the script consists only of files of the locks, as the scripts of core/locks do.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isOwnScript(const QByteArray& source);

}  // namespace lockkeeper::lab
