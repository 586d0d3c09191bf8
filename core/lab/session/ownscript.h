// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArray>

namespace lockkeeper::lab {

// Whether a script consists of files of the locks, as those of core/locks do.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isOwnScript(const QByteArray& source);

}  // namespace lockkeeper::lab
