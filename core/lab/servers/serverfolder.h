// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_monitor_export.h"

#include <optional>

namespace lockkeeper::lab {

// The path of a folder for the servers of one laboratory, below that for temporary files. It is not made. Who
// makes it must refuse one that is already there. Its name is short, because the paths of the sockets in it are bounded.
[[nodiscard]] QString newServerFolder();

// Why no laboratory can have servers here: there is no program for them, or there is no folder for temporary files, or its name is too
// long for their sockets. Nothing: it can. serverProgram: empty: the installed one.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<Error> whyNoServers(const QString& serverProgram = {});

}  // namespace lockkeeper::lab
