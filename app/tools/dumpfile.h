// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "jvm/threaddump.h"

#include <QTimeZone>

namespace lockkeeper::app {

// The thread dumps of a file. isZoneCertain: the user has named the zone. Errors: Storage; those of
// jvm::threadDumpsIn().
[[nodiscard]] Result<std::vector<jvm::ThreadDump>> threadDumpsOf(const QString& path, const QTimeZone& zone,
                                                                 bool isZoneCertain);

}  // namespace lockkeeper::app
