// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "jvm/threaddump.h"

namespace lockkeeper::app {

// The thread dumps of a file, in the time zone of this machine. Errors: Storage; those of jvm::threadDumpsIn().
[[nodiscard]] Result<std::vector<jvm::ThreadDump>> threadDumpsOf(const QString& path);

}  // namespace lockkeeper::app
