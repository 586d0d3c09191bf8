// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/exitcode.h"

namespace lockkeeper::app {

// Where the audit of this user is.
[[nodiscard]] QString auditFolder();

// `lockkeeper audit`: prints or checks what was recorded about force-releases.
[[nodiscard]] ExitCode runAudit(const Arguments& arguments);

}  // namespace lockkeeper::app
